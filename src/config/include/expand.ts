/**
 * Puts in the values of `${NAME}` (2.2 server/util.c, 2.4 server/core.c: ap_resolve_env). A name without a value stays as it is,
 * and a value is not looked into again. There is no way to escape.
 */
export function expand(text: string, variables: ReadonlyMap<string, string>): string {
  if (!text.includes('${')) return text;
  return text.replace(/\$\{([^}]*)\}/g, (whole, name: string) => variables.get(name) ?? whole);
}

/** True where {@link expand} has left, or would find, a `${NAME}`. */
export function hasVariable(text: string): boolean {
  return /\$\{[^}]*\}/.test(text);
}
