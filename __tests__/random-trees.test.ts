import fc from 'fast-check';
import { compareWithModel } from '../testing/compare-model';
import { randomTree } from '../testing/random-trees';

test('random trees answer on a real 2.4 as the 2.2 model says', async () => {
  const trees = fc.sample(randomTree, { numRuns: 60, seed: Number(process.env.SEED ?? 1) });
  const { converted, differences, requests } = await compareWithModel(trees);
  expect(differences).toEqual([]);
  expect(converted).toBeGreaterThan(15);
  expect(requests).toBeGreaterThan(5_000);
});
