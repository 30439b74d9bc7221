import type { Edit } from '../../edit';
import { hunksOf } from './hunks';
import { jsdiff } from './load';

/** C's short escapes of control bytes, in the order of their codes from 7. */
const SHORT = 'abtnvfr';

/**
 * A path as git writes it in a diff header: relative to the working directory where it lies below it, else without its leading
 * slash. Both are absolute byte strings.
 */
export function diffPath(path: string, cwd: string): string {
  const base = cwd.endsWith('/') ? cwd : `${cwd}/`;
  return path.startsWith(base) ? path.slice(base.length) : path.replace(/^\/+/, '');
}

/**
 * The unified diff of one file: `git apply` takes it byte for byte. Empty where the edits change nothing.
 * @param path as {@link diffPath} gives it
 * @param text the file before, latin1
 */
export function unifiedDiff(path: string, text: string, edits: readonly Edit[]): string {
  const hunks = hunksOf(text, edits);
  if (hunks.length === 0) return '';
  const { formatPatch, OMIT_HEADERS } = jsdiff();
  // jsdiff takes names for UTF-16 and writes UTF-8: header lines are ours, since a file name may be any bytes.
  const body = formatPatch(
    { oldFileName: undefined, newFileName: undefined, oldHeader: undefined, newHeader: undefined, hunks },
    OMIT_HEADERS,
  );
  return diffHeader(path) + body;
}

/** The lines that open one file's diff. Names are quoted as git does, where they have bytes that need it. */
function diffHeader(path: string): string {
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
