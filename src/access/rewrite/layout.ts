import { type Edit, eolOf, indentOf, indentUnit } from '../../edit';
import {
  type Directive,
  type Document,
  type Node,
  type Section,
  type SectionClose,
  type SectionOpen,
  firstWhere,
} from '../../syntax';
import type { Output } from './emit';

/** A line that the rewrite takes away: an access line, or a line of a Limit that held nothing else. */
type Consumed = Directive | SectionOpen | SectionClose;

/**
 * Lays the new lines where the old ones stood, so that the comments between them stay, byte for byte, at what they speak of. A new line
 * takes the place of the line it comes from, or of a later one where the order of the new lines asks for it.
 * @param siblings the nodes of the section's body, to tell what stands between the lines
 */
export function layout(
  document: Document,
  consumed: readonly Consumed[],
  output: readonly Output[],
  siblings: readonly Node[],
  section: Section | undefined,
): Edit[] {
  const first = consumed[0]!;
  const eol = eolOf(document, first);
  const slots = consumed.map(() => '');
  let indent = indentOf(document, first);
  for (let i = 1; i < consumed.length; i++) {
    const other = indentOf(document, consumed[i]!);
    if (other.length < indent.length) indent = other;
  }
  let unit: string | undefined;
  let at = 0;
  for (const one of output) {
    if (one.kind === 'line') {
      at = slotFrom(consumed, one.origin, at);
      slots[at] += indent + one.text + eol;
      continue;
    }
    unit ??= indentUnit(document, indent, section);
    const spread: Row[] = [];
    flatten(one, indent, unit, spread);
    const wanted = place(spread, consumed, at);
    // A container must not close around a line that is not the rewrite's: then it stands in one place.
    const from = wanted[0]!;
    const to = wanted[wanted.length - 1]!;
    const together = from === to || !onlyTrivia(siblings, consumed, from, to);
    for (let i = 0; i < spread.length; i++) slots[together ? from : wanted[i]!] += spread[i]!.text + eol;
    at = together ? from : to;
  }
  return toEdits(document, consumed, slots, eol);
}

/** The lines of an output, one level of indentation inside each container. */
export function linesOf(output: readonly Output[], unit: string): string[] {
  const rows: Row[] = [];
  for (const one of output) flatten(one, '', unit, rows);
  return rows.map((row) => row.text);
}

interface Row {
  readonly text: string;
  readonly origin: Directive | undefined;
  /** Openers wait for the line after them, closers stay with the one before. */
  readonly waits: boolean;
}

/** Adds the rows of an output to `rows`. */
function flatten(output: Output, indent: string, unit: string, rows: Row[]): void {
  if (output.kind === 'line') {
    rows.push({ text: indent + output.text, origin: output.origin, waits: false });
    return;
  }
  const args = output.args === '' ? '' : ` ${output.args}`;
  rows.push({ text: `${indent}<${output.name}${args}>`, origin: undefined, waits: true });
  for (const inner of output.body) flatten(inner, indent + unit, unit, rows);
  rows.push({ text: `${indent}</${output.name}>`, origin: undefined, waits: false });
}

/** The slot of every row: never before the slot of the row above it. */
function place(rows: readonly Row[], consumed: readonly Consumed[], from: number): number[] {
  const result: number[] = [];
  let at = from;
  for (let i = 0; i < rows.length; i++) {
    let next = i;
    while (next < rows.length && rows[next]!.waits) next++;
    at = slotFrom(consumed, rows[next]?.origin, at);
    result.push(at);
  }
  return result;
}

/** The slot of a line, or `at` where that is later, or the line is none of those taken away. */
function slotFrom(consumed: readonly Consumed[], line: Directive | undefined, at: number): number {
  if (line === undefined) return at;
  const slot = firstWhere(consumed, (one) => one.start >= line.start);
  return slot > at && consumed[slot] === line ? slot : at;
}

function onlyTrivia(
  siblings: readonly Node[],
  consumed: readonly Consumed[],
  from: number,
  to: number,
): boolean {
  const start = consumed[from]!.end;
  const end = consumed[to]!.start;
  const taken = new Set<object>(consumed);
  const foreign = (node: Node): boolean => {
    if (node.end <= start || node.start >= end) return false;
    if (node.kind === 'section') return !taken.has(node.open) || node.body.some(foreign);
    return node.kind !== 'comment' && node.kind !== 'blank' && !taken.has(node);
  };
  return !siblings.some(foreign);
}

/** Lines that touch become one edit, so that the last of a file keeps its missing line end. */
function toEdits(
  document: Document,
  consumed: readonly Consumed[],
  slots: readonly string[],
  eol: string,
): Edit[] {
  const edits: Edit[] = [];
  for (let i = 0; i < consumed.length;) {
    const start = consumed[i]!.start;
    let end = consumed[i]!.end;
    let text = slots[i]!;
    for (i++; i < consumed.length && consumed[i]!.start === end; i++) {
      end = consumed[i]!.end;
      text += slots[i]!;
    }
    const ended = document.text.charCodeAt(end - 1) === 10;
    let from = start;
    if (!ended) {
      if (text !== '') text = text.slice(0, -eol.length);
      else if (document.text.charCodeAt(from - 1) === 10)
        from -= document.text.charCodeAt(from - 2) === 13 ? 2 : 1;
    }
    if (document.text.slice(from, end) !== text) edits.push({ start: from, end, text });
  }
  return edits;
}
