import type { Edit } from '../edit';
import { hunksOf, jsdiff } from './hunks';
import { diffHeader } from './names';

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

const SGR: Readonly<Record<string, string>> = { '@': '\x1b[36m', '-': '\x1b[31m', '+': '\x1b[32m' };

/** Colours unified diffs the way git does by default. For a person: it no longer applies. */
export function colourDiff(diff: string): string {
  let header = false;
  return diff.replace(/[^\n]+/g, (line) => {
    // No line of a hunk begins with a letter.
    if (line.startsWith('diff --git ')) header = true;
    else if (line.startsWith('@@ ')) header = false;
    const sgr = header ? '\x1b[1m' : SGR[line.charAt(0)];
    return sgr === undefined ? line : `${sgr}${line}\x1b[m`;
  });
}
