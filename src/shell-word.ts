/** A text in quotes, as a POSIX shell takes it for one word. */
export function shellQuoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

/** A text as one word of a POSIX shell, in quotes only where it needs them. */
export function shellWord(text: string): string {
  return /^[\w./:=@%+,-]+$/.test(text) ? text : shellQuoted(text);
}
