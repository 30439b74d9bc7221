/** More different texts than this are not kept: a program that reads one configuration after the other must not grow. */
const MAX_KNOWN = 20_000;

/**
 * A function of a text that remembers what it made of it. Lines of a configuration say the same again and again, and the result says what
 * the files as given said.
 * @param make must look at nothing but the text
 */
export function byText<T>(make: (text: string) => T): (text: string) => T {
  const known = new Map<string, T>();
  return (text) => {
    let made = known.get(text);
    if (made !== undefined || known.has(text)) return made as T;
    if (known.size >= MAX_KNOWN) known.clear();
    known.set(text, (made = make(text)));
    return made;
  };
}
