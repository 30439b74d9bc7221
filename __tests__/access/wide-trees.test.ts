import fc from 'fast-check';
import { SEED, share } from '../../testing/run/size';
import { compareWide } from '../../testing/wide/compare';
import { type Profile, wideTree } from '../../testing/wide/trees';

// `converted` and `requests`: less than this, and the test asks nothing worth asking.
test.each([
  { profile: 'vhosts', dual: false, numRuns: 20, converted: 5 },
  { profile: 'vhosts', dual: true, numRuns: 15, converted: 3 },
  { profile: 'conditionals', dual: false, numRuns: 15, converted: 3 },
  { profile: 'mixed', dual: false, numRuns: 20, converted: 3 },
  { profile: 'proxy', dual: false, numRuns: 20, converted: 4 },
] as { profile: Profile; dual: boolean; numRuns: number; converted: number }[])(
  'whole servers at random answer as before: $profile, dual: $dual',
  async ({ profile, dual, numRuns, converted }) => {
    const trees = fc.sample(wideTree(profile), { numRuns: share(numRuns, 4), seed: SEED });
    const found = await compareWide(profile, trees, dual ? { dual } : {}, 100);
    expect(found.differences).toEqual([]);
    expect(found.converted).toBeGreaterThan(share(converted, 8));
    expect(found.requests).toBeGreaterThan(80 * share(converted, 8));
  },
);
