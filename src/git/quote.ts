/** A word as a shell takes it. */
export function quote(word: string): string {
  return `'${word.replace(/'/g, `'\\''`)}'`;
}

/** Quotes a word for a shell where it needs quotes. */
export function quoteUnlessPlain(word: string): string {
  return /^[\w./:=@%+,-]+$/.test(word) ? word : quote(word);
}
