// Lists and sets of which there are a hundred thousand, most of them empty or short: an array that is pushed to makes room for
// sixteen more, and so does `[...list, item]`; what `concat` returns does not.

/** Most lists: they share this, which nothing is ever put into. */
export const EMPTY_LIST: readonly never[] = Object.freeze([]);

/** Lists up to this length are copied, and take no more room than they need. */
const SHORT = 8;

/** The list, undefined for an empty one, with one more. The caller has no further use for the list given. */
export function added<T>(list: T[] | undefined, item: T): T[] {
  if (list === undefined) return [item];
  if (list.length < SHORT) return list.concat([item]);
  list.push(item);
  return list;
}

/** Most sets: shared, too. */
export const EMPTY_SET: ReadonlySet<never> = new Set();
