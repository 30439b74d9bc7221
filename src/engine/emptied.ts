import { isConditional } from '../config';
import { type Edit, removeLines } from '../edit';
import type { Document, Node, Section, Span } from '../syntax';

/**
 * The conditionals of which edits leave nothing but blanks: they say nothing any more, and go. One with a comment in it stays, and one
 * that was empty before.
 * @param edits of one file, not overlapping
 */
export function emptiedSections(document: Document, edits: readonly Edit[]): Edit[] {
  const removals = edits.filter(({ start, end }) => start < end).sort((a, b) => a.start - b.start);
  if (removals.length === 0) return [];
  const found: Edit[] = [];
  const visit = (body: readonly Node[]): void => {
    for (const node of body) {
      if (node.kind !== 'section' || !touches(removals, node)) continue;
      const goes = isConditional(node) && isEmptied(node, edits, removals);
      if (goes) found.push(removeLines(document, withBlank(body, node)));
      else visit(node.body);
    }
  };
  visit(document.body);
  return found;
}

function touches(removals: readonly Edit[], { start, end }: Span): boolean {
  const edit = removals[firstEndingAfter(removals, start)];
  return edit !== undefined && edit.start < end;
}

function isEmptied(section: Section, edits: readonly Edit[], removals: readonly Edit[]): boolean {
  const { open, close, body } = section;
  if (close === undefined || !body.every((node) => isGone(node, removals))) return false;
  // What is written in it, or about its first and last line, is another matter.
  return edits.every(
    ({ start, end, text }) =>
      end <= open.start || start >= close.end || (text === '' && start >= open.end && end <= close.start),
  );
} // prettier-ignore

function isGone(node: Node, removals: readonly Edit[]): boolean {
  if (node.kind === 'blank') return true;
  if (node.kind === 'section' && isConditional(node) && node.close !== undefined && node.body.length > 0)
    if (touches(removals, node) && node.body.every((each) => isGone(each, removals))) return true;
  const edit = removals[firstEndingAfter(removals, node.start)];
  return edit !== undefined && edit.start <= node.start && edit.end >= node.end;
}

/** Index of the first edit that ends after `at`. */
function firstEndingAfter(removals: readonly Edit[], at: number): number {
  let low = 0;
  let high = removals.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (removals[middle]!.end <= at) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** A section with one of the blank lines around it, where there are two. */
function withBlank(body: readonly Node[], section: Section): Span {
  const at = body.indexOf(section);
  const next = body[at + 1];
  const before = body[at - 1]?.kind ?? 'blank';
  return before === 'blank' && next?.kind === 'blank' ? { start: section.start, end: next.end } : section;
}
