import type { Edit } from './edit';

/**
 * 2.2 reads two backslashes at the end of a line as one, and the second belongs to no word. Behind a new text it would stand alone, and join
 * the line with the next: so an edit that ends between the two ends behind them.
 * @param text as 2.2 reads it
 */
export function endBehindBackslash(text: string, edit: Edit): Edit {
  const { start, end } = edit;
  if (text.charCodeAt(end) !== BACKSLASH || text.charCodeAt(end - 1) !== BACKSLASH) return edit;
  if (!/^\r?\n/.test(text.slice(end + 1, end + 3)) || edit.text.endsWith('\\')) return edit;
  return { ...edit, start: start === end ? end + 1 : start, end: end + 1 };
}

const BACKSLASH = 92;
