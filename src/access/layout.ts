import { type Edit, eolOf, indentOf, indentUnit } from '../edit';
import type { Directive, Document, Node, Section, SectionClose, SectionOpen } from '../syntax';
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
  const slots: string[][] = consumed.map(() => []);
  const first = consumed[0]!;
  let indent = indentOf(document, first);
  for (let i = 1; i < consumed.length; i++) {
    const other = indentOf(document, consumed[i]!);
    if (other.length < indent.length) indent = other;
  }
  const unit = indentUnit(document, indent, section);
  const slotOf = new Map<Directive, number>();
  consumed.forEach((node, i) => {
    if ('kind' in node) slotOf.set(node, i);
  });
  let at = 0;
  for (const one of output) {
    const spread = flatten(one, indent, unit);
    const wanted = place(spread, slotOf, at);
    // A container must not close around a line that is not the rewrite's: then it stands in one place.
    const [from, to] = [wanted[0]!, wanted[wanted.length - 1]!];
    const together = from === to || (one.kind === 'block' && !onlyTrivia(siblings, consumed, from, to));
    spread.forEach((row, i) => slots[together ? from : wanted[i]!]!.push(row.text));
    at = together ? from : to;
  }
  return toEdits(document, consumed, slots, eolOf(document, first));
}

/** The lines of an output, one level of indentation inside each container. */
export function linesOf(output: readonly Output[], unit: string): string[] {
  return output.flatMap((one) => flatten(one, '', unit)).map((row) => row.text);
}

interface Row {
  readonly text: string;
  readonly origin: Directive | undefined;
  /** Openers wait for the line after them, closers stay with the one before. */
  readonly waits: boolean;
}

function flatten(output: Output, indent: string, unit: string): Row[] {
  if (output.kind === 'line') return [{ text: indent + output.text, origin: output.origin, waits: false }];
  const args = output.args === '' ? '' : ` ${output.args}`;
  return [
    { text: `${indent}<${output.name}${args}>`, origin: undefined, waits: true },
    ...output.body.flatMap((inner) => flatten(inner, indent + unit, unit)),
    { text: `${indent}</${output.name}>`, origin: undefined, waits: false },
  ];
}

/** The slot of every row: never before the slot of the row above it. */
function place(rows: readonly Row[], slotOf: ReadonlyMap<Directive, number>, from: number): number[] {
  const result: number[] = [];
  let at = from;
  rows.forEach((row, i) => {
    let source = row.origin;
    if (row.waits) source = rows.slice(i).find((later) => !later.waits)?.origin;
    const slot = source === undefined ? undefined : slotOf.get(source);
    at = Math.max(at, slot ?? at);
    result.push(at);
  });
  return result;
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
  slots: readonly string[][],
  eol: string,
): Edit[] {
  const edits: Edit[] = [];
  for (let i = 0; i < consumed.length;) {
    const start = consumed[i]!.start;
    let end = consumed[i]!.end;
    let text = '';
    for (const line of slots[i]!) text += line + eol;
    for (i++; i < consumed.length && consumed[i]!.start === end; i++) {
      end = consumed[i]!.end;
      for (const line of slots[i]!) text += line + eol;
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
