/**
 * Calls back for each `${NAME}`, in one pass: behind the last brace that closes, none is looked for again and again.
 * @param valueOf what to put in its place: `whole` for nothing else
 */
export function replaceVariables(text: string, valueOf: (whole: string, name: string) => string): string {
  const end = text.lastIndexOf('}') + 1;
  return text.slice(0, end).replace(/\$\{([^}]*)\}/g, valueOf) + text.slice(end);
}

/** Whether there is a `${NAME}`. */
export function hasVariable(text: string): boolean {
  const end = text.lastIndexOf('}');
  return end >= 0 && text.lastIndexOf('${', end) >= 0;
}
