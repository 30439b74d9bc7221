import fc from 'fast-check';
import { compareMixed } from '../testing/compare-mixed';
import { randomTree24 } from '../testing/random-trees-24';

test('random mixtures of old and new lines, converted, answer without mod_access_compat as they did with it', async () => {
  const trees = fc.sample(randomTree24({ old: true, merging: false }), {
    numRuns: 40,
    seed: Number(process.env.SEED ?? 1),
  });
  const { converted, differences, requests } = await compareMixed(trees);
  expect(differences).toEqual([]);
  expect(converted).toBeGreaterThan(10);
  expect(requests).toBeGreaterThan(8_000);
});
