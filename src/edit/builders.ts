import type {
  Blank,
  Comment,
  Directive,
  Document,
  Node,
  Section,
  SectionClose,
  SectionOpen,
  Span,
  Stray,
} from '../syntax';
import type { Edit } from './edit';

type WholeLine = Directive | SectionOpen | SectionClose | Comment | Blank | Stray;

/** Replaces the name of a directive or section opener. What stands in a column behind it stays there if it can. */
export function rename(node: Directive | Section, name: string): Edit {
  const line = node.kind === 'section' ? node.open : node;
  const { start, end } = line.nameSpan;
  const gap = line.joined
    ? 0
    : (/^ *(?![ \t])/.exec(line.logical.text.slice(end - line.from))?.[0].length ?? 0);
  if (gap < 2) return { start, end, text: name };
  const more = name.length - (end - start);
  return more < 0
    ? { start, end, text: name + ' '.repeat(-more) }
    : { start, end: end + Math.min(more, gap - 1), text: name };
}

/** Removes whole lines: the directive's physical lines with their line ends. Comments next to it stay. */
export function removeLine(document: Document, node: WholeLine): Edit {
  return removeLines(document, node);
}

/** Removes everything from the start of one line to the end of another, for instance a section. */
export function removeLines(document: Document, node: Span): Edit {
  const atEnd = node.end === document.text.length && !document.text.endsWith('\n');
  // The last line has no line end of its own: the one before it goes, so that the file still ends without one.
  const start = atEnd && node.start > 0 ? lineEndBefore(document.text, node.start) : node.start;
  return { start, end: node.end, text: '' };
}

function lineEndBefore(text: string, start: number): number {
  if (text.charCodeAt(start - 1) !== 10) return start;
  return text.charCodeAt(start - 2) === 13 ? start - 2 : start - 1;
}

/** The blanks in front of a line's first word. */
export function indentOf(document: Document, node: WholeLine): string {
  const indent = document.text.slice(node.start, node.from);
  return /[^ \t]/.test(indent) ? indent.replace(/[^ \t]/g, '') : indent;
}

/** The line end of a line, or the file's own where the line has none (the last of a file). */
export function eolOf(document: Document, node: WholeLine): string {
  if (document.text.charCodeAt(node.end - 1) !== 10) return document.eol;
  return document.text.charCodeAt(node.end - 2) === 13 ? '\r\n' : '\n';
}

/**
 * Replaces a directive's line or lines by `lines` (without indentation for the first level, without line ends). The indentation
 * and the line end are the replaced line's own; a last line without line end stays without.
 */
export function replaceLine(document: Document, node: WholeLine, lines: readonly string[]): Edit {
  if (lines.length === 0) return removeLine(document, node);
  const eol = eolOf(document, node);
  const indent = indentOf(document, node);
  const text = lines.map((line) => indent + line).join(eol);
  const ended = document.text.charCodeAt(node.end - 1) === 10;
  return { start: node.start, end: node.end, text: ended ? text + eol : text };
}

/** Inserts `lines` below the node's last line, with its indentation and line end. */
export function insertAfter(document: Document, node: WholeLine, lines: readonly string[]): Edit {
  const eol = eolOf(document, node);
  const text = lines.map((line) => indentOf(document, node) + line).join(eol);
  const ended = document.text.charCodeAt(node.end - 1) === 10;
  return { start: node.end, end: node.end, text: ended ? text + eol : eol + text };
}

/** One level of indentation as the file writes it. */
export function indentUnit(document: Document, indent: string, section: Section | undefined): string {
  const outer = section === undefined ? '' : indentOf(document, section.open);
  if (indent.length > outer.length && indent.startsWith(outer)) return indent.slice(outer.length);
  return indent.includes('\t') ? '\t' : unitOf(document);
}

const units = new WeakMap<Document, string>();

/** One level of indentation as a file writes it anywhere; four blanks where it writes none. */
function unitOf(document: Document): string {
  let unit = units.get(document);
  if (unit === undefined) {
    const counts = new Map<string, number>();
    countUnits(document.body, document, counts);
    // Of what is as frequent the shorter one: more is often meant for what stands deeper.
    const [most] = [...counts].sort((x, y) => y[1] - x[1] || x[0].length - y[0].length);
    units.set(document, (unit = most?.[0] ?? '    '));
  }
  return unit;
}

/** Counts by how much sections move in the first line that they hold. */
function countUnits(body: readonly Node[], document: Document, counts: Map<string, number>): void {
  for (const node of body) {
    if (node.kind !== 'section') continue;
    const outer = indentOf(document, node.open);
    const line = node.body.find((inner) => inner.kind === 'directive' || inner.kind === 'section');
    const indent = line === undefined ? '' : indentOf(document, line.kind === 'section' ? line.open : line);
    if (indent.startsWith(outer) && indent.length > outer.length) {
      const unit = indent.slice(outer.length);
      counts.set(unit, (counts.get(unit) ?? 0) + 1);
    }
    countUnits(node.body, document, counts);
  }
}
