import { isConditional } from '../../config';
import { type Edit, removeLines, sortEdits } from '../../edit';
import { type Document, type Node, type Section, type Span, firstEndingAfter } from '../../syntax';

/**
 * The conditionals that the edits leave empty, to be removed. One that holds a comment stays, and so does one that was empty
 * before.
 * @param edits of one file, not overlapping
 * @returns in the order of the file, none in another
 */
export function emptiedSections(document: Document, edits: readonly Edit[]): Edit[] {
  if (!hasConditional(document.body)) return [];
  const all = sortEdits(edits);
  const removals = all.filter(({ start, end }) => start < end);
  if (removals.length === 0) return [];
  const written = all.filter(({ text }) => text !== '');
  const found: Edit[] = [];
  const visit = (body: readonly Node[]): void => {
    for (let at = 0; at < body.length; at++) {
      const node = body[at]!;
      if (node.kind !== 'section') continue;
      // What a template writes for one version ends with a line that belongs to the rest of the template.
      if (!isConditional(node) || node.open.reads !== undefined) visit(node.body);
      else if (!touches(removals, node)) continue;
      else if (isEmptied(node, removals) && !isWrittenTo(node, written, removals))
        found.push(removeLines(document, withBlank(body, at, all)));
      else visit(node.body);
    }
  };
  visit(document.body);
  return found;
}

function hasConditional(body: readonly Node[]): boolean {
  return body.some((node) => node.kind === 'section' && (isConditional(node) || hasConditional(node.body)));
}

/** The one of some spans, in order and apart, that holds an edit. */
export function spanContaining<T extends Span>(spans: readonly T[], { start, end }: Span): T | undefined {
  const span = spans[firstEndingAfter(spans, start)];
  return span !== undefined && start < end && span.start <= start && end <= span.end ? span : undefined;
}

/** The parts of an edit that other edits inside it do not remove already. */
export function remainingEdits(around: Edit, inside: readonly Edit[]): Edit[] {
  const rest: Edit[] = [];
  let at = around.start;
  for (const { start, end } of [...inside].sort((a, b) => a.start - b.start)) {
    if (at < start) rest.push({ start: at, end: start, text: '' });
    at = Math.max(at, end);
  }
  if (at < around.end || around.text !== '') rest.push({ start: at, end: around.end, text: around.text });
  return rest;
}

function touches(removals: readonly Span[], { start, end }: Span): boolean {
  const edit = removals[firstEndingAfter(removals, start)];
  return edit !== undefined && edit.start < end;
}

function isEmptied({ close, body }: Section, removals: readonly Edit[]): boolean {
  return close !== undefined && body.every((node) => isGone(node, removals));
}

/** Whether something is written in a section, or its first or last line has an edit of its own. */
function isWrittenTo(
  { open, start, end, close }: Section,
  written: readonly Edit[],
  removals: readonly Edit[],
): boolean {
  // What is inserted right above the section stands outside of it.
  return touches(written, { start, end }) || touches(removals, open) || touches(removals, close!);
}

function isGone(node: Node, removals: readonly Edit[]): boolean {
  if (node.kind === 'blank') return true;
  if (
    node.kind === 'section' &&
    node.open.reads === undefined &&
    isConditional(node) &&
    node.close !== undefined &&
    node.body.length > 0
  )
    if (touches(removals, node) && node.body.every((child) => isGone(child, removals))) return true;
  const edit = removals[firstEndingAfter(removals, node.start)];
  return edit !== undefined && edit.start <= node.start && edit.end >= node.end;
}

/** A section with one of the blank lines around it, where there are two and no edit needs the place. */
function withBlank(body: readonly Node[], at: number, edits: readonly Edit[]): Span {
  const section = body[at]!;
  const next = body[at + 1];
  if (next?.kind !== 'blank' || (body[at - 1]?.kind ?? 'blank') !== 'blank') return section;
  // What is inserted right below the section ends where it does.
  const edit = edits[firstEndingAfter(edits, section.end - 1)];
  return edit !== undefined && edit.start < next.end ? section : { start: section.start, end: next.end };
}
