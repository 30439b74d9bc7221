import {
  type Edit,
  type InsertionPoint,
  eolOf,
  indentOf,
  indentUnit,
  insertAfter,
  insertAt,
} from '../../edit';
import {
  type Directive,
  type Document,
  type Node,
  type Section,
  type SectionClose,
  type SectionOpen,
  firstWhere,
} from '../../syntax';
import { EMPTY_LIST, added } from '../primitives';
import type { RequireOutput, RewriteOutput } from './emit';

/** What an edit writes: Require lines, the names of the sections that it opens, and whether there is an AuthMerging line. */
export interface Written {
  readonly requires: readonly RequireOutput[];
  readonly sections: readonly string[];
  readonly merges: boolean;
}

export interface RewriteEdit extends Edit {
  readonly written: Written;
}

export const NOTHING_WRITTEN: Written = { requires: [], sections: [], merges: false };

/** A line that the rewrite takes away: an access line, or a line of a Limit that held nothing else. */
type Consumed = Directive | SectionOpen | SectionClose;

/**
 * Lays the new lines where the old ones stood, so that the comments between them stay, byte for byte, at what they speak of. A
 * new line takes the place of the line it comes from, or of a later one where the order of the new lines asks for it.
 * @param siblings the nodes of the section's body, to see what stands between the lines
 */
export function layout(
  document: Document,
  consumed: readonly Consumed[],
  output: readonly RewriteOutput[],
  siblings: readonly Node[],
  section: Section | undefined,
): RewriteEdit[] {
  const first = consumed[0]!;
  const eol = eolOf(document, first);
  const slots = consumed.map((): Row[] => []);
  let indent = indentOf(document, first);
  for (let i = 1; i < consumed.length; i++) {
    const other = indentOf(document, consumed[i]!);
    if (other.length < indent.length) indent = other;
  }
  let unit: string | undefined;
  let gone: Set<object> | undefined;
  let same: ReadonlyMap<string, number> | undefined;
  let at = 0;
  for (const item of output) {
    if (item.kind === 'require') {
      same ??= requiresAmong(consumed);
      at = Math.max(slotFrom(consumed, item.origin, at), same.get(item.text) ?? 0);
    }
    if (item.kind !== 'block') {
      slots[at]!.push(rowOf(item, indent));
      continue;
    }
    unit ??= indentUnit(document, indent, section);
    const spread: Row[] = [];
    flatten(item, indent, unit, spread);
    const wanted = place(spread, consumed, at);
    // A container must not close around a line that is not the rewrite's: then it stands in one place.
    const from = wanted[0]!;
    const to = wanted[wanted.length - 1]!;
    const together =
      from === to ||
      !onlyTrivia(siblings, (gone ??= new Set(consumed)), consumed[from]!.end, consumed[to]!.start);
    for (let i = 0; i < spread.length; i++) slots[together ? from : wanted[i]!]!.push(spread[i]!);
    at = together ? from : to;
  }
  return toEdits(document, consumed, slots, eol, section);
}

/** Writes an output after a line, one level of indentation inside each container. */
export function writeAfter(
  document: Document,
  line: Directive | SectionOpen | SectionClose,
  output: readonly RewriteOutput[],
  unit: string,
): RewriteEdit {
  const rows: Row[] = [];
  for (const item of output) flatten(item, '', unit, rows);
  const lines = rows.map(({ text }) => text);
  return { ...insertAfter(document, line, lines), written: writtenIn(rows) };
}

/** Writes a section of its own at a place. @param open what stands between its brackets */
export function writeSection(
  document: Document,
  point: InsertionPoint,
  name: string,
  open: string,
  output: readonly RewriteOutput[],
): RewriteEdit {
  const rows: Row[] = [];
  flatten({ kind: 'block', name, args: open, body: output }, '', unitAt(document, point), rows);
  const lines = rows.map(({ text }) => text);
  return { ...insertAt(document, point, lines), written: writtenIn(rows) };
}

/** The lines of a section for a directory into which nobody gets and in which 2.4 reads no `.htaccess`. */
export const SHUT_LINES: readonly string[] = [
  'AllowOverride None',
  'AllowOverrideList None',
  'Require all denied',
];

/** Beside {@link SHUT_LINES}: what comes after all sections that may let somebody in again, those for Locations too. */
const SHUT_AT_LAST: readonly string[] = ['<If "true">', 'Require all denied', '</If>'];

/**
 * Writes a section for a directory that is shut: {@link SHUT_LINES}.
 * @param name quoted if need be
 * @param isFinal no other section lets anybody in there
 */
export function writeShut(
  document: Document,
  point: InsertionPoint,
  name: string,
  isFinal: boolean,
): RewriteEdit {
  const unit = unitAt(document, point);
  const [open, denied, close] = SHUT_AT_LAST;
  const last = isFinal ? [unit + open, unit + unit + denied, unit + close] : [];
  const lines = [...SHUT_LINES.map((line) => unit + line), ...last];
  return {
    ...insertAt(document, point, [`<Directory ${name}>`, ...lines, '</Directory>']),
    written: NOTHING_WRITTEN,
  };
}

function unitAt(document: Document, { node }: InsertionPoint): string {
  const section = node?.kind === 'section' ? node : undefined;
  const indent = node === undefined ? '' : indentOf(document, section?.open ?? (node as Directive));
  return indentUnit(document, indent, section);
}

function writtenIn(rows: readonly Row[]): Written {
  let requires: RequireOutput[] | undefined;
  let sections: string[] | undefined;
  let merges = false;
  for (const { require, opens, isMerging } of rows) {
    if (require !== undefined) requires = added(requires, require);
    if (opens !== undefined) sections = added(sections, opens);
    merges ||= isMerging === true;
  }
  return { requires: requires ?? EMPTY_LIST, sections: sections ?? EMPTY_LIST, merges };
}

interface Row {
  readonly text: string;
  /** Undefined for a line that opens or closes a section, and for AuthMerging. */
  readonly require: RequireOutput | undefined;
  readonly isMerging?: boolean;
  /** The section that it opens: it waits for the line after it, where one that closes stays with the line before. */
  readonly opens: string | undefined;
}

function rowOf(line: Exclude<RewriteOutput, { kind: 'block' }>, indent: string): Row {
  const text = indent + (line.kind === 'merging' ? `AuthMerging ${line.merging}` : line.text);
  if (line.kind === 'merging') return { text, require: undefined, opens: undefined, isMerging: true };
  // 2.4 joins a line that ends in a backslash with the next one; it drops a blank there.
  const end = line.text.endsWith('\\') ? ' ' : '';
  return { text: text + end, require: line, opens: undefined };
}

/** Adds the rows of an output to `rows`. */
function flatten(output: RewriteOutput, indent: string, unit: string, rows: Row[]): void {
  if (output.kind !== 'block') {
    rows.push(rowOf(output, indent));
    return;
  }
  const args = output.args === '' ? '' : ` ${output.args}`;
  rows.push({ text: `${indent}<${output.name}${args}>`, require: undefined, opens: output.name });
  for (const inner of output.body) flatten(inner, indent + unit, unit, rows);
  rows.push({ text: `${indent}</${output.name}>`, require: undefined, opens: undefined });
}

/** The slot of every row: never before the slot of the row above it. */
function place(rows: readonly Row[], consumed: readonly Consumed[], from: number): number[] {
  const result: number[] = [];
  let at = from;
  for (let i = 0; i < rows.length; i++) {
    let next = i;
    while (next < rows.length && rows[next]!.opens !== undefined) next++;
    at = slotFrom(consumed, rows[next]?.require?.origin, at);
    result.push(at);
  }
  return result;
}

/** The slot of a line, or `at` where that is later, or the line is none of those taken away. */
function slotFrom(consumed: readonly Consumed[], line: Directive | undefined, at: number): number {
  if (line === undefined) return at;
  const slot = firstWhere(consumed, (old) => old.start >= line.start);
  return slot > at && consumed[slot] === line ? slot : at;
}

/** The lines taken away that are Require lines, by what they say: where the rewrite says the same, they stay. */
function requiresAmong(consumed: readonly Consumed[]): ReadonlyMap<string, number> {
  const slots = new Map<string, number>();
  for (let i = 0; i < consumed.length; i++) {
    const line = consumed[i]!;
    if ('key' in line && line.key === 'require') slots.set(`Require ${line.rest}`, i);
  }
  return slots;
}

/**
 * Whether nothing but comments, empty lines and what goes stands between two offsets. Bodies may be as long as their file, and
 * each is asked about many parts of it.
 * @param gone lines that go, and tags of sections
 */
function onlyTrivia(nodes: readonly Node[], gone: ReadonlySet<object>, start: number, end: number): boolean {
  const first = firstWhere(nodes, (node) => node.end > start);
  for (let i = first; i < nodes.length && nodes[i]!.start < end; i++) {
    const node = nodes[i]!;
    if (node.kind === 'section') {
      if (!gone.has(node.open) || !onlyTrivia(node.body, gone, start, end)) return false;
    } else if (node.kind !== 'comment' && node.kind !== 'blank' && !gone.has(node)) return false;
  }
  return true;
}

/** Whether the line before an offset is blank, or there is none. */
function isBlankBefore(text: string, offset: number): boolean {
  let at = offset - 2;
  while (at >= 0 && ' \t\r'.includes(text.charAt(at))) at--;
  return at < 0 || text.charAt(at) === '\n';
}

/** The end of a blank line that begins at an offset, so that no two meet where lines go; the offset if there is none. */
function blankLineEnd(text: string, offset: number): number {
  let at = offset;
  while (at < text.length && ' \t\r'.includes(text.charAt(at))) at++;
  return text.charAt(at) === '\n' ? at + 1 : offset;
}

/** Lines that touch become one edit, so that the last of a file keeps its missing line end. */
function toEdits(
  document: Document,
  consumed: readonly Consumed[],
  slots: readonly (readonly Row[])[],
  eol: string,
  section: Section | undefined,
): RewriteEdit[] {
  let edits: RewriteEdit[] | undefined;
  for (let i = 0; i < consumed.length;) {
    const start = consumed[i]!.start;
    let end = consumed[i]!.end;
    const rows: Row[] = [...slots[i]!];
    for (i++; i < consumed.length && consumed[i]!.start === end; i++) {
      end = consumed[i]!.end;
      for (const row of slots[i]!) rows.push(row);
    }
    let text = '';
    for (const row of rows) text += row.text + eol;
    const ended = document.text.charCodeAt(end - 1) === 10;
    let from = start;
    if (text === '' && (start === section?.open.end || isBlankBefore(document.text, start)))
      end = blankLineEnd(document.text, end);
    if (!ended) {
      if (text !== '') text = text.slice(0, -eol.length);
      else if (document.text.charCodeAt(from - 1) === 10)
        from -= document.text.charCodeAt(from - 2) === 13 ? 2 : 1;
    }
    if (document.text.slice(from, end) === text) continue;
    const written = rows.length === 0 ? NOTHING_WRITTEN : writtenIn(rows);
    edits = added(edits, { start: from, end, text, written });
  }
  return edits ?? [];
}
