/** More different texts than this are not kept: a program that reads one configuration after the other must not grow. */
const MAX_TEXTS = 20_000;

/**
 * A function of a text that remembers what it made of it. Lines of a configuration say the same again and again, and the result says what
 * the files as given said.
 * @param compute must look at nothing but the text
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
