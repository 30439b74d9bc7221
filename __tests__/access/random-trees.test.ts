import fc from 'fast-check';
import { SEED, share } from '../../testing/run/size';
import { compareWithModel } from '../../testing/access/compare-model';
import { randomTree, splitTree } from '../../testing/access/random-trees';

test('random trees answer on a real 2.4 as the 2.2 model says', async () => {
  const trees = fc.sample(randomTree, { numRuns: share(60, 12), seed: SEED });
  const { converted, differences, requests } = await compareWithModel(trees);
  expect(differences).toEqual([]);
  expect(converted).toBeGreaterThan(share(15, 15));
  expect(requests).toBeGreaterThan(share(5_000, 12));
});

test('trees split over conditionals answer as the 2.2 model says under every setting of these', async () => {
  const trees = fc.sample(splitTree, { numRuns: share(25, 8), seed: SEED });
  const { converted, differences, requests } = await compareWithModel(trees);
  expect(differences).toEqual([]);
  expect(converted).toBeGreaterThan(share(8, 16));
  expect(requests).toBeGreaterThan(share(20_000, 16));
});
