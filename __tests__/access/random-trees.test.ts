import fc from 'fast-check';
import { compareWithModel } from '../../testing/access/compare-model';
import { randomTree, splitTree } from '../../testing/access/random-trees';

test('random trees answer on a real 2.4 as the 2.2 model says', async () => {
  const trees = fc.sample(randomTree, { numRuns: 60, seed: Number(process.env.SEED ?? 1) });
  const { converted, differences, requests } = await compareWithModel(trees);
  expect(differences).toEqual([]);
  expect(converted).toBeGreaterThan(15);
  expect(requests).toBeGreaterThan(5_000);
});

test('trees split over conditionals answer as the 2.2 model says under every setting of these', async () => {
  const trees = fc.sample(splitTree, { numRuns: 25, seed: Number(process.env.SEED ?? 1) });
  const { converted, differences, requests } = await compareWithModel(trees);
  expect(differences).toEqual([]);
  expect(converted).toBeGreaterThan(8);
  expect(requests).toBeGreaterThan(20_000);
});
