import type { Directive, Document, Section } from '../syntax';
import { eolOf, indentOf, insertAfter } from './builders';
import type { Edit } from './edit';

/** A place for new lines: beside a directive or section, or (`inside`) at the beginning of a section's body. */
export interface InsertionPoint {
  /** None: at the end of the file. */
  readonly node: Directive | Section | undefined;
  readonly side: 'before' | 'after' | 'inside';
}

/**
 * Inserts `lines` (without indentation and line ends) at a place in the style of what stands there. Before a node means before
 * the comment lines right above it, unless those are the head of the file.
 */
export function insertAt(document: Document, { node, side }: InsertionPoint, lines: readonly string[]): Edit {
  if (node === undefined) return atEnd(document, lines);
  const outer = node.kind === 'section' ? node.open : node;
  if (side === 'after')
    return insertAfter(document, node.kind === 'section' ? (node.close ?? node.open) : node, lines);
  const eol = eolOf(document, outer);
  if (side === 'before' || node.kind !== 'section') {
    const at = aboveComments(document, outer.start);
    return { start: at, end: at, text: lines.map((line) => indentOf(document, outer) + line + eol).join('') };
  }
  const indent = bodyIndent(document, node);
  const ended = document.text.charCodeAt(node.open.end - 1) === 10;
  const text = lines.map((line) => indent + line).join(eol);
  return { start: node.open.end, end: node.open.end, text: ended ? text + eol : eol + text };
}

function atEnd({ text, eol }: Document, lines: readonly string[]): Edit {
  const added = lines.join(eol);
  const ended = text === '' || text.endsWith('\n');
  return { start: text.length, end: text.length, text: ended ? added + eol : eol + added };
}

function aboveComments({ text, bom }: Document, start: number): number {
  for (let at = start; at > bom;) {
    const above = Math.max(bom, text.lastIndexOf('\n', at - 2) + 1);
    if (!/^[ \t]*#/.test(text.slice(above, at))) return at;
    if (above <= bom) return start;
    at = above;
  }
  return start;
}

/** The indentation of the lines directly in a section; if it is empty, the one that they would have. */
export function bodyIndent(document: Document, { open, body }: Section): string {
  for (const node of body) {
    if (node.kind === 'directive') return indentOf(document, node);
    if (node.kind === 'section') return indentOf(document, node.open);
  }
  const indent = indentOf(document, open);
  return indent + (indent.startsWith('\t') ? '\t' : '    ');
}
