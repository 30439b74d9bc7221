/** What C's atoi makes of a word: the digits it begins with, after blanks and a sign; else 0. */
export function atoi(word: string): number {
  const digits = /^[ \t\n\v\f\r]*([+-]?[0-9]+)/.exec(word)?.[1];
  return digits === undefined ? 0 : Number(digits);
}
