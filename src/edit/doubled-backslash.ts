import type { Edit } from './edit';

/**
 * 2.2 reads two backslashes at the end of a line as one, and the second belongs to no word; 2.4 joins such a line with the next.
 * An edit that ends between the two ends behind them: the second, alone, would join the lines for both. A blank keeps such a line
 * apart from what is inserted below it; a last line without a line end too, where one backslash is enough for both versions.
 * @param edits of one finding
 */
export function besideBackslashes(text: string, edits: readonly Edit[]): readonly Edit[] {
  const mayMeet = ({ start, end, text: newText }: Edit): boolean =>
    (start === end && newText !== '') || isBetweenBackslashes(text, end);
  if (!edits.some(mayMeet)) return edits;
  const blanks = new Set<number>();
  return edits.flatMap((edit) => {
    const { start, end } = edit;
    if (isBetweenBackslashes(text, end) && !edit.text.endsWith('\\'))
      return { ...edit, start: start === end ? end + 1 : start, end: end + 1 };
    if (start < end || edit.text === '') return edit;
    // What is inserted behind a last line without a line end begins with one.
    const above = /^\r?\n/.test(edit.text) ? end : endOfLineAbove(text, end);
    const joining = above === text.length ? '\\' : '\\\\';
    if (above === undefined || !text.startsWith(joining, above - joining.length) || blanks.has(above))
      return edit;
    blanks.add(above);
    return [{ start: above, end: above, text: ' ' }, edit];
  });
}

function isBetweenBackslashes(text: string, at: number): boolean {
  return text.startsWith('\\\\', at - 1) && /^\r?\n/.test(text.slice(at + 1, at + 3));
}

/** Where the text of the line above one ends that begins at `at`; undefined where none does. */
function endOfLineAbove(text: string, at: number): number | undefined {
  if (text.charAt(at - 1) !== '\n') return undefined;
  return text.charAt(at - 2) === '\r' ? at - 2 : at - 1;
}
