import fc from 'fast-check';
import { SEED, share } from '../../testing/run/size';
import { compareWithModel24 } from '../../testing/access/compare-24';
import { randomTree24 } from '../../testing/access/random-trees-24';

test('a real 2.4 answers random Require trees, joined by AuthMerging, as its model says', async () => {
  const trees = fc.sample(randomTree24({ old: false, merging: true }), { numRuns: share(40, 8), seed: SEED });
  const { differences, refused, requests } = await compareWithModel24(trees);
  expect(differences).toEqual([]);
  expect(refused).toBeLessThan(10);
  expect(requests).toBeGreaterThan(share(8_000, 12));
});

test('a real 2.4 with mod_access_compat answers mixtures of old and new lines as its model says', async () => {
  const trees = fc.sample(randomTree24({ old: true, merging: true }), { numRuns: share(40, 8), seed: SEED });
  const { differences, refused, requests } = await compareWithModel24(trees, true);
  expect(differences).toEqual([]);
  expect(refused).toBeLessThan(10);
  expect(requests).toBeGreaterThan(share(8_000, 12));
});
