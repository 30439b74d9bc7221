export const CR = 13;
export const SPACE = 32;
export const QUOTE = 34;
export const HASH = 35;
export const APOSTROPHE = 39;
export const SLASH = 47;
export const LESS = 60;
export const GREATER = 62;
export const BACKSLASH = 92;

/** What httpd calls white space (`apr_isspace` in the C locale): SP, TAB, LF, VT, FF, CR. Never `\s`: that takes 0xA0 too. */
export function isSpace(code: number): boolean {
  return code === SPACE || (code >= 9 && code <= 13);
}
