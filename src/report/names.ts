/** C's short escapes of control bytes, in the order of their codes from 7. */
const SHORT = 'abtnvfr';

/**
 * A path as git writes it in a diff header: relative to the working directory where it lies below it, else without its leading slash.
 * Both are absolute byte strings.
 */
export function diffPath(path: string, cwd: string): string {
  const base = cwd.endsWith('/') ? cwd : `${cwd}/`;
  return path.startsWith(base) ? path.slice(base.length) : path.replace(/^\/+/, '');
}

/** The lines that open one file's diff. Names with control bytes, quotes, backslashes or non-ASCII bytes are quoted as git does. */
export function diffHeader(path: string): string {
  const bare = /^[ !#-[\]-~]*$/.test(path);
  const quote = bare ? '' : '"';
  const name = bare ? path : path.replace(/[^ !#-[\]-~]/g, escapeByte);
  // git ends a bare name that has blanks with a TAB, so that no reader takes what follows a blank for a date.
  const end = bare && name.includes(' ') ? '\t' : '';
  const before = `${quote}a/${name}${quote}`;
  const after = `${quote}b/${name}${quote}`;
  return `diff --git ${before} ${after}\n--- ${before}${end}\n+++ ${after}${end}\n`;
}

function escapeByte(char: string): string {
  const code = char.charCodeAt(0);
  if (char === '"' || char === '\\') return `\\${char}`;
  return `\\${code >= 7 && code <= 13 ? SHORT[code - 7] : code.toString(8).padStart(3, '0')}`;
}
