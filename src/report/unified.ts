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
