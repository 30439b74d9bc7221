/**
 * Whether the random tests run at their full size, as the long run (`jest.long.config.cjs`, a step of its own in `.ci/run`) does.
 * `npm test` asks a share of that.
 */
export const FULL_SIZE = (globalThis as { FULL_SIZE?: boolean }).FULL_SIZE === true;

/** What random tests start from: `SEED=n`, else always the same. */
export const SEED = Number(process.env['SEED'] ?? 1);

/** `full`, or one in `parts` of it (rounded up) where the size is not the full one. */
export function share(fullSize: number, parts = 4): number {
  return FULL_SIZE ? fullSize : Math.ceil(fullSize / parts);
}

/** The list, or one in `parts` of it: which ones hangs on the seed. The last one is always there. */
export function shareOf<T>(all: readonly T[], parts = 4): readonly T[] {
  if (FULL_SIZE) return all;
  return all.filter((_, i) => (i + SEED) % parts === 0 || i === all.length - 1);
}
