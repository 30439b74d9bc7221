import { type Document, type Node, type Section, type Span, firstWhere } from '../syntax';
import { indentOf, removeLine } from './builders';
import type { Edit } from './edit';

/** The edit that moves a line out by some blanks; what other edits write in its place or beside it goes with it. */
export function outdentLine(line: Span, blanks: number): Edit {
  return { start: line.start, end: line.start + blanks, text: '', outdent: true };
}

/**
 * Turns outdents into plain edits that overlap no other: where another edit replaces the line, the text that it writes is moved
 * out instead.
 * @param text the file's
 * @param lists edits by owner; other than those that move lines out, they do not overlap
 * @returns the same lists, in the same order
 */
export function resolveOutdents(text: string, lists: readonly (readonly Edit[])[]): (readonly Edit[])[] {
  const depths = new Map<number, number>();
  for (const { start, end, outdent } of lists.flat())
    if (outdent === true) depths.set(start, (depths.get(start) ?? 0) + end - start);
  if (depths.size === 0) return [...lists];
  const lines = [...depths.keys()].sort((a, b) => a - b);
  const replacedLines = new Set<number>();
  const movedOut = (edit: Edit): Edit => {
    const inside = linesFrom(lines, edit.start, edit.end);
    for (const at of inside) replacedLines.add(at);
    const deepest = inside.reduce((most, at) => Math.max(most, depths.get(at)!), 0);
    const blanks = inside.length > 0 ? deepest : depthBeside(edit);
    return blanks === 0 ? edit : { ...edit, text: moveOut(edit.text, blanks, isLineStart(text, edit.start)) };
  };
  const depthBeside = ({ start, end }: Edit): number => {
    if (start < end) return 0;
    const above = start === 0 ? -1 : text.lastIndexOf('\n', start - 2) + 1;
    return depths.get(start) ?? depths.get(above) ?? 0;
  };
  const adjusted = lists.map((list) => list.map((edit) => (edit.outdent === true ? edit : movedOut(edit))));
  return adjusted.map((list) =>
    list.flatMap((edit) => {
      if (edit.outdent !== true) return edit;
      const blanks = depths.get(edit.start);
      if (blanks === undefined || replacedLines.has(edit.start)) return [];
      depths.delete(edit.start);
      return { start: edit.start, end: edit.start + Math.min(blanks, blanksAt(text, edit.start)), text: '' };
    }),
  );
}

/** The starts of lines, of those given, that `[start, end)` holds. */
function linesFrom(lines: readonly number[], start: number, end: number): readonly number[] {
  const from = firstWhere(lines, (line) => line >= start);
  let to = from;
  while (to < lines.length && lines[to]! < end) to++;
  return lines.slice(from, to);
}

function moveOut(text: string, blanks: number, fromStart: boolean): string {
  return text.replace(new RegExp(`(^|\\n)[ \\t]{1,${blanks}}`, 'g'), (row, end: string) =>
    end === '' && !fromStart ? row : end,
  );
}

function isLineStart(text: string, at: number): boolean {
  return at === 0 || text.charAt(at - 1) === '\n';
}

function blanksAt(text: string, at: number): number {
  let end = at;
  while (text.charAt(end) === ' ' || text.charAt(end) === '\t') end++;
  return end - at;
}

/** By how many blanks all lines of a section are indented more than the section itself, except those that `isLeftOut` names. */
export function extraIndent(
  document: Document,
  section: Section,
  isLeftOut: (node: Node) => boolean = () => false,
): number {
  const { open, body } = section;
  const sectionIndent = indentOf(document, open);
  // Lines of a template often stand at the margin, however deep what is between them stands.
  if (open.reads !== undefined && sectionIndent === '' && !document.body.includes(section)) return 0;
  let common: string | undefined;
  const visit = (nodes: readonly Node[]): void => {
    for (const node of nodes) {
      if (node.kind === 'blank' || node.kind === 'raw') continue;
      if (isLeftOut(node)) continue;
      const lines = node.kind === 'section' ? [node.open, node.close] : [node];
      for (const line of lines)
        if (line !== undefined && line.end > line.start)
          common = commonPrefix(common, indentOf(document, line));
      if (node.kind === 'section') visit(node.body);
    }
  };
  visit(body);
  return common === undefined || !common.startsWith(sectionIndent) ? 0 : common.length - sectionIndent.length;
}

function commonPrefix(a: string | undefined, b: string): string {
  if (a === undefined) return b;
  let length = 0;
  while (length < a.length && a.charAt(length) === b.charAt(length)) length++;
  return a.slice(0, length);
}

/** Removes the lines that open and close a section, and moves its body out to their indentation. */
export function unwrap(document: Document, section: Section): Edit[] {
  const edits = [removeLine(document, section.open)];
  const depth = extraIndent(document, section);
  const visit = (nodes: readonly Node[]): void => {
    for (const node of nodes) {
      if (node.kind === 'directive' || node.kind === 'comment') edits.push(outdentLine(node, depth));
      else if (node.kind === 'section') {
        edits.push(outdentLine(node.open, depth));
        visit(node.body);
        if (node.close !== undefined) edits.push(outdentLine(node.close, depth));
      }
    }
  };
  if (depth > 0) visit(section.body);
  if (section.close !== undefined) edits.push(removeLine(document, section.close));
  return edits;
}
