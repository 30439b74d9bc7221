/**
 * What regular expression replacements make of `&` and the backslash (server/util.c: regsub_core). In 2.2 `&` is the whole match, and a
 * backslash means something only before `&` and `$`; in 2.4 `&` is an ampersand, and a backslash takes the meaning from every character.
 */
export function replacementFor24(value: string): string {
  return value.replace(/\\[$&]|\\(?=.)|&/gs, (found) =>
    found === '&' ? '$0' : found === '\\' ? '\\\\' : found,
  );
}

/** True where 2.4 puts in something else for this text than 2.2. */
export function differs(value: string): boolean {
  return replacementFor24(value) !== value;
}

/** True where every backslash is one of a pair, or before `$` or `&`: it may have been written for 2.4. */
export function isPaired(value: string): boolean {
  const rest = value.replace(/\\[\\$&]/g, '');
  return !rest.includes('&') && !/\\(?=.)/s.test(rest);
}
