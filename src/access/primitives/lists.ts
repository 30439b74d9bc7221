// Lists and sets of which there are a hundred thousand, most of them empty or short: an array that is pushed to makes room for sixteen more.

/** Most lists: they share this, which nothing is ever put into. */
export const NONE: readonly never[] = Object.freeze([]);

/** Lists up to this length are copied, and take no more room than they need. */
const SHORT = 8;

/** The list with one more. The caller has no further use for the list given. */
export function plus<T>(list: readonly T[], item: T): readonly T[] {
  if (list.length === 0) return [item];
  if (list.length < SHORT) return list.concat([item]);
  (list as T[]).push(item);
  return list;
}

/** Most sets: shared, too. */
export const EMPTY: ReadonlySet<never> = new Set();
const ONLY_NONE: ReadonlySet<unknown> = new Set([NONE]);

/** The set with one more. The caller has no further use for the set given. */
export function withOne<T>(set: ReadonlySet<T>, item: T): ReadonlySet<T> {
  if (set.has(item)) return set;
  if (set.size === 0 && item === (NONE as unknown)) return ONLY_NONE as ReadonlySet<T>;
  if (set.size < SHORT) return new Set([...set, item]);
  return (set as Set<T>).add(item);
}
