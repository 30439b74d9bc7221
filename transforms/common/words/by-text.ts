import { BoundedMap, getOrInsert } from '../../../src/maps';

/** The number of results that are kept at most, so that a program that reads many configurations does not grow. */
const MAX_TEXTS = 20_000;

/**
 * Remembers the results of a function by its text. The same lines occur often in one configuration, and again in the result.
 * @param compute must depend on nothing but the text
 */
export function byText<T>(compute: (text: string) => T): (text: string) => T {
  const results = new BoundedMap<string, T>(MAX_TEXTS);
  return (text) => getOrInsert(results, text, () => compute(text));
}
