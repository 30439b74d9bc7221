/** The number of results that are kept at most, so that a program that reads many configurations does not grow. */
const MAX_TEXTS = 20_000;

/**
 * Remembers the results of a function by its text. The same lines occur often in one configuration, and again in the result.
 * @param compute must depend on nothing but the text
 */
export function byText<T>(compute: (text: string) => T): (text: string) => T {
  const results = new Map<string, T>();
  return (text) => {
    let result = results.get(text);
    if (result !== undefined || results.has(text)) return result as T;
    if (results.size >= MAX_TEXTS) results.clear();
    results.set(text, (result = compute(text)));
    return result;
  };
}
