// Lists and sets of which there are a hundred thousand, most of them empty or short: an array that is pushed to makes room for
// sixteen more, and so does `[...list, item]`; what `concat` returns does not.

/** The list that all empty lists share: nothing is ever put into it. */
export const EMPTY_LIST: readonly never[] = Object.freeze([]);

/** Lists up to this length are copied, and take no more room than they need. */
const SHORT = 8;

/** The list, undefined for an empty one, with one more. The caller has no further use for the list given. */
export function added<T>(list: readonly T[] | undefined, item: T): T[] {
  if (list === undefined) return [item];
  if (list.length < SHORT) return list.concat([item]);
  (list as T[]).push(item);
  return list as T[];
}

export function areSameLists<T>(a: readonly T[], b: readonly T[]): boolean {
  return a.length === b.length && a.every((item, i) => item === b[i]);
}

/** All sets that can be made of some names; two to the power of their number. */
export function subsetsOf(names: readonly string[]): ReadonlySet<string>[] {
  return Array.from(
    { length: 2 ** names.length },
    (_, bits) => new Set(names.filter((__, i) => ((bits >> i) & 1) === 1)),
  );
}

/** A text that a message quotes. */
export function shortened(text: string): string {
  return text.length > 60 ? `${text.slice(0, 57)}...` : text;
}

/** Most sets: shared, too. */
export const EMPTY_SET: ReadonlySet<never> = new Set();
