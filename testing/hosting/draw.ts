/** Who has an account in each password file. */
export const ACCOUNTS = ['anna', 'boris', 'clara'];
export const GROUP = { name: 'editors', members: ['anna', 'clara'] };

/** Numbers that look like chance: the same for the same seed, from 0 up to below `size`. */
export type Draw = (size: number) => number;

export function drawFrom(seed: number): Draw {
  let state = Math.imul(seed, 2_654_435_761) + 12_345;
  return (size) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * size);
  };
}
