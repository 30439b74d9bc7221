import { APOSTROPHE, GREATER, HASH, LESS, QUOTE, SLASH, isSpace } from './chars';
import { Document } from './document';
import { type Grammar, type Line, readLine } from './lines';
import { Logical } from './logical';
import {
  Blank,
  Comment,
  Directive,
  type Node,
  Raw,
  Section,
  SectionClose,
  SectionOpen,
  Stray,
} from './nodes';
import { isOpaque, findOpaqueEnd } from './opaque';
import { readWord } from './words';

const BOM = '\xEF\xBB\xBF';

/** Sections nested deeper than any configuration has use are not opened, so that every walk over a tree may recurse. */
const MAX_DEPTH = 200;

interface Frame {
  readonly open: SectionOpen | undefined;
  readonly body: Node[];
}

/**
 * Parses any bytes (decoded as latin1) in one pass. Never throws: what httpd would reject becomes a {@link Stray}, a section without
 * a closer has no `close`. Structure is that of `ap_build_config_sub` (server/config.c).
 */
export function parse(text: string, grammar: Grammar = '2.2'): Document {
  const bom = text.startsWith(BOM) ? BOM.length : 0;
  const hasNul = text.includes('\0');
  const root: Frame = { open: undefined, body: [] };
  const stack: Frame[] = [root];
  let body = root.body;
  let at = bom;
  while (at < text.length) {
    const line = readLine(text, at, grammar, hasNul);
    at = line.end;
    if (line.from === line.to) {
      body.push(new Blank(text, line));
      continue;
    }
    const first = text.charCodeAt(line.from);
    if (first === HASH) {
      body.push(new Comment(text, line));
      continue;
    }
    if (line.forgotten) {
      body.push(new Stray(text, line, 'forgotten'));
      continue;
    }
    const name = readName(text, line, first);
    if (name.charCodeAt(0) !== LESS) {
      body.push(new Directive(text, line, stripGt(name)));
      continue;
    }
    if (name.charCodeAt(1) === SLASH) {
      if (!name.endsWith('>')) body.push(new Stray(text, line, 'missing-gt'));
      else if (!closeSection(stack, text, line, name.slice(2, -1)))
        body.push(new Stray(text, line, 'unmatched-close'));
      body = stack[stack.length - 1]!.body;
      continue;
    }
    const section = stripGt(name).slice(1);
    if (section === '' || stack.length > MAX_DEPTH) {
      body.push(new Stray(text, line, section === '' ? 'no-name' : 'too-deep'));
      continue;
    }
    const open = new SectionOpen(text, line, section);
    if (isOpaque(open.key)) {
      const found = findOpaqueEnd(text, at, open.key, grammar, hasNul);
      const raw = found.bodyEnd > at ? [new Raw(at, found.bodyEnd)] : [];
      const close = found.close && new SectionClose(text, found.close, section);
      at = found.close?.end ?? found.bodyEnd;
      body.push(new Section(open, raw, close, at));
      continue;
    }
    body = [];
    stack.push({ open, body });
  }
  while (stack.length > 1) closeTop(stack, undefined, text.length);
  return new Document(text, grammar, bom, root.body);
}

function readName(text: string, line: Line, first: number): string {
  if (line.cuts !== undefined || first === QUOTE || first === APOSTROPHE) {
    return readWord(new Logical(text, line.from, line.to, line.cuts).text, 0)?.value ?? '';
  }
  let end = line.from + 1;
  while (end < line.to && !isSpace(text.charCodeAt(end))) end++;
  const raw = text.slice(line.from, end);
  return raw.includes('\\\\') ? raw.replace(/\\\\/g, '\\') : raw;
}

/** httpd drops one `>` at the end of any name whose second character is not `/`. */
function stripGt(name: string): string {
  return name.length > 1 && name.charCodeAt(name.length - 1) === GREATER && name.charCodeAt(1) !== SLASH
    ? name.slice(0, -1)
    : name;
}

/** Closes the innermost open section of that name, and with it what stands unclosed inside it. False when there is none. */
function closeSection(stack: Frame[], text: string, line: Line, name: string): boolean {
  const key = name.toLowerCase();
  let depth = stack.length - 1;
  while (depth > 0 && stack[depth]!.open!.key !== key) depth--;
  if (depth === 0) return false;
  while (stack.length - 1 > depth) closeTop(stack, undefined, line.start);
  closeTop(stack, new SectionClose(text, line, name), line.end);
  return true;
}

function closeTop(stack: Frame[], close: SectionClose | undefined, end: number): void {
  const frame = stack.pop()!;
  stack[stack.length - 1]!.body.push(new Section(frame.open!, frame.body, close, end));
}
