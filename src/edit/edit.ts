import type { Span } from '../syntax';

/** Replaces the bytes `[start, end)` of one file's original text by `text` (latin1). `start === end` inserts. */
export interface Edit extends Span {
  readonly text: string;
  /** The edit removes indentation, and gives way to any other edit of the line. */
  readonly outdent?: true;
}

/** Orders edits by where they act; insertions at one place keep the order they were made in. */
export function sortEdits(edits: readonly Edit[]): Edit[] {
  return [...edits].sort((a, b) => a.start - b.start || a.end - b.end);
}

/** Whether two lists have equal edits in the same order. */
export function sameEdits(a: readonly Edit[], b: readonly Edit[]): boolean {
  if (a === b) return true;
  return a.length === b.length && a.every((edit, i) => isSameEdit(edit, b[i]!));
}

function isSameEdit(a: Edit, b: Edit): boolean {
  return a.start === b.start && a.end === b.end && a.text === b.text && a.outdent === b.outdent;
}

/**
 * True if the two edits touch a byte in common, or one inserts strictly inside what the other replaces. Two removals agree about
 * a byte that both take: the last lines of a file without a final line end share the one between them.
 */
export function overlaps(a: Edit, b: Edit): boolean {
  if (a.text === '' && b.text === '') return false;
  return a.start < b.end && b.start < a.end;
}

/**
 * The printer: applies edits, given in any order, to the original text. No edit, no change.
 * @throws RangeError if two edits overlap or one lies outside the text; the engine never passes such edits.
 */
export function applyEdits(text: string, edits: readonly Edit[]): string {
  if (edits.length === 0) return text;
  const pieces: string[] = [];
  let at = 0;
  let removing = false;
  for (const edit of sortEdits(edits)) {
    if (edit.text === '' && removing && edit.start < at && edit.end <= text.length) {
      at = Math.max(at, edit.end);
      continue;
    }
    removing = edit.text === '';
    if (edit.start < at || edit.end < edit.start || edit.end > text.length) {
      throw new RangeError(`edit [${edit.start}, ${edit.end}) overlaps another or lies outside the text`);
    }
    pieces.push(text.slice(at, edit.start), edit.text);
    at = edit.end;
  }
  pieces.push(text.slice(at));
  return pieces.join('');
}
