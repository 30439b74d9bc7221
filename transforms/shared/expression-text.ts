/**
 * 2.4 reads some arguments as the text of an expression (server/util_expr_scan.l: a string): `%{…}` puts in a variable, `$1` what a regular
 * expression has matched, and a backslash takes the meaning from what follows.
 * @returns the value that 2.4 reads as `value`
 */
export function escapeExpression(value: string): string {
  return value.replace(/\\|%(?=\{)|\$(?=[0-9])/g, '\\$&');
}

/** True for a text in which everything that 2.4 might take for something else is escaped: what {@link escapeExpression} returns, or nothing to do. */
export function isEscaped(value: string): boolean {
  return !/\\|%\{|\$[0-9]/.test(value.replace(/\\(?:\\|%(?=\{)|\$(?=[0-9]))/g, ''));
}
