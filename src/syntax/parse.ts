import { APOSTROPHE, GREATER, HASH, LESS, QUOTE, SLASH, isSpace } from './chars';
import { Document } from './document';
import { type Grammar, type LogicalLine, LineReader } from './lines';
import { LogicalText } from './logical';
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
  type StrayReason,
  intern,
} from './nodes';
import { isOpaque, findOpaqueEnd } from './opaque';
import { versionSections } from './sections-of-templates';
import { isTemplateLine, isTemplateTag } from './template';
import { readWord } from './words';

const BOM = '\xEF\xBB\xBF';

/** Sections nested deeper than any configuration has use are not opened, so that every walk over a tree may recurse. */
const MAX_DEPTH = 200;

interface OpenSection {
  readonly open: SectionOpen | undefined;
  readonly body: Node[];
}

/**
 * Parses any bytes (decoded as latin1) in one pass. Never throws: what httpd would reject becomes a {@link Stray}, a section
 * without a closer has no `close`. Structure is that of `ap_build_config_sub` (server/config.c).
 */
export function parse(text: string, grammar: Grammar = '2.2'): Document {
  return new Parser(text, grammar).parse();
}

/**
 * The document of another file that has the same text. Nothing is shared that stands for a place in a file: it has nodes of its
 * own, which are read when they are first asked for.
 */
export function parseAgain(known: Document): Document {
  return new Document(known, readBody);
}

const readBody = ({ text, grammar }: Document): readonly Node[] => parse(text, grammar).body;

class Parser {
  private readonly text: string;
  private readonly grammar: Grammar;
  private readonly line: LineReader;
  private readonly stack: OpenSection[] = [{ open: undefined, body: [] }];
  /** The body of the innermost open section. */
  private body: Node[] = this.stack[0]!.body;
  /** The open sections that are nested too deeply to be read. */
  private readonly deeper = new DeepSections();
  /** Whether any word may be written with escapes. */
  private readonly escapes: boolean;
  private flaws = 0;
  private longest = 0;
  private hasTemplates = false;

  constructor(text: string, grammar: Grammar) {
    this.text = text;
    this.grammar = grammar;
    this.line = new LineReader(text, grammar);
    this.escapes = text.includes('\\\\');
  }

  parse(): Document {
    const { text, grammar } = this;
    const bom = text.startsWith(BOM) ? BOM.length : 0;
    for (let at = bom; at < text.length;) at = this.read(at);
    while (this.stack.length > 1) this.closeTop(undefined, text.length);
    const { flaws, longest } = this;
    return new Document({ text, grammar, bom, flaws, longest }, this.whole(this.body));
  }

  /** Takes the line that begins at a place. @returns where to read on */
  private read(at: number): number {
    const { text, line } = this;
    line.read(at);
    if (line.end - line.start > this.longest) this.longest = line.end - line.start;
    const first = text.charCodeAt(line.from);
    if (line.from === line.to) this.body.push(new Blank(text, line));
    else if (first === HASH) this.body.push(new Comment(text, line));
    else if (line.forgotten) this.stray('forgotten');
    else {
      const name = readName(text, line, first, this.escapes);
      if (isTemplateLine(name)) this.stray('template');
      else if (name.charCodeAt(0) !== LESS) this.body.push(new Directive(text, line, withoutFinalGt(name)));
      else if (name.charCodeAt(1) === SLASH) this.close(name);
      else return this.open(withoutFinalGt(name).slice(1));
    }
    return line.end;
  }

  /** @returns where to read on */
  private open(name: string): number {
    const { text, line, stack } = this;
    const at = line.end;
    // A tag of a template has its closer elsewhere, or none: as a section it would hold whatever comes after it.
    if (name !== '' && isTemplateTag(name)) {
      this.stray('template');
      return at;
    }
    if (name === '') {
      this.stray('no-name');
      return at;
    }
    if (stack.length > MAX_DEPTH) {
      this.deeper.open(intern(name).key);
      this.stray('too-deep');
      return at;
    }
    const open = new SectionOpen(text, line, name);
    if (text.charCodeAt(line.to - 1) !== GREATER && !open.complete) this.flaws++;
    if (!isOpaque(open.key)) {
      this.body = [];
      stack.push({ open, body: this.body });
      return at;
    }
    const closed = findOpaqueEnd(line, text, at, open.key);
    if (!closed) this.flaws++;
    const bodyEnd = closed ? line.start : text.length;
    const end = closed ? line.end : text.length;
    const raw = bodyEnd > at ? [new Raw(at, bodyEnd)] : [];
    this.body.push(new Section(open, raw, closed ? new SectionClose(text, line, name) : undefined, end));
    return end;
  }

  /** Closes the innermost open section of that name, and with it what stands unclosed inside it. */
  private close(tag: string): void {
    const { text, line, stack } = this;
    if (tag !== '</>' && isTemplateTag(tag.slice(2))) {
      this.stray('template');
      return;
    }
    if (!tag.endsWith('>')) {
      this.stray('missing-gt');
      return;
    }
    const name = tag.slice(2, -1);
    const { key } = intern(name);
    if (this.deeper.close(key)) {
      this.stray('too-deep');
      return;
    }
    let depth = stack.length - 1;
    while (depth > 0 && stack[depth]!.open!.key !== key) depth--;
    if (depth === 0) {
      this.stray('unmatched-close');
      return;
    }
    while (stack.length - 1 > depth) this.closeTop(undefined, line.start);
    this.closeTop(new SectionClose(text, line, name), line.end);
  }

  private closeTop(close: SectionClose | undefined, end: number): void {
    const { open, body } = this.stack.pop()!;
    this.deeper.clear();
    if (close === undefined) this.flaws++;
    this.body = this.stack[this.stack.length - 1]!.body;
    this.body.push(new Section(open!, this.whole(body), close, end));
  }

  /** A body of which all lines are read. A copy takes no more room than it needs. */
  private whole(body: readonly Node[]): readonly Node[] {
    return this.hasTemplates ? versionSections(this.text, body) : body.slice();
  }

  private stray(reason: StrayReason): void {
    this.flaws++;
    this.hasTemplates ||= reason === 'template';
    this.body.push(new Stray(this.text, this.line, reason));
  }
}

/** Sections that are open and not read, by their keys: their closing tags close none that is. */
class DeepSections {
  private readonly keys: string[] = [];
  private readonly counts = new Map<string, number>();

  open(key: string): void {
    this.keys.push(key);
    this.counts.set(key, (this.counts.get(key) ?? 0) + 1);
  }

  /** Closes the innermost of a name, with all in it. @returns false where none of that name is open */
  close(key: string): boolean {
    if ((this.counts.get(key) ?? 0) === 0) return false;
    for (let last: string | undefined; last !== key;) {
      last = this.keys.pop()!;
      this.counts.set(last, this.counts.get(last)! - 1);
    }
    return true;
  }

  clear(): void {
    this.keys.length = 0;
    this.counts.clear();
  }
}

function readName(text: string, line: LogicalLine, first: number, escapes: boolean): string {
  if (line.cuts !== undefined || first === QUOTE || first === APOSTROPHE) {
    return readWord(new LogicalText(text, line.from, line.to, line.cuts).text, 0)?.value ?? '';
  }
  const { from, to } = line;
  let end = from + 1;
  while (end < to && !isSpace(text.charCodeAt(end))) end++;
  const raw = text.slice(from, end);
  return escapes && raw.includes('\\\\') ? raw.replace(/\\\\/g, '\\') : raw;
}

/** httpd drops one `>` at the end of any name whose second character is not `/`. */
function withoutFinalGt(name: string): string {
  return name.length > 1 && name.charCodeAt(name.length - 1) === GREATER && name.charCodeAt(1) !== SLASH
    ? name.slice(0, -1)
    : name;
}
