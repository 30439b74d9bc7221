import { APOSTROPHE, GREATER, QUOTE, isSpace } from './chars';
import { LogicalText } from './logical';
import type { LogicalLine } from './lines';
import type { Span } from './span';
import type { ReadBy } from './template-version';
import { readWord, readWords } from './words';

/** One argument: its span with quotes and escapes, and the value httpd reads. */
export interface Argument extends Span {
  readonly value: string;
}

/** The part that all nodes of one logical line share: `[start, end)` covers its physical lines with their line ends. */
abstract class LineNode implements Span {
  readonly start: number;
  readonly end: number;
  /** The text without white space around it is `[from, to)`. */
  readonly from: number;
  readonly to: number;
  protected readonly source: string;
  protected readonly cuts: readonly number[] | undefined;

  constructor(source: string, line: LogicalLine) {
    this.source = source;
    this.start = line.start;
    this.end = line.end;
    this.from = line.from;
    this.to = line.to;
    this.cuts = line.cuts;
  }

  /** The logical line as httpd reads it: trimmed, continuations joined. */
  get logical(): LogicalText {
    return new LogicalText(this.source, this.from, this.to, this.cuts);
  }

  /** The text of {@link logical}. */
  get text(): string {
    return this.cuts === undefined ? this.source.slice(this.from, this.to) : this.logical.text;
  }

  /** True where the line runs over more than one physical line, or the 2.2 reading drops a byte of it. */
  get joined(): boolean {
    return this.cuts !== undefined;
  }
}

// Explicit constructors below: with field initialisers instead, parsing is a quarter slower.
/** A comment: a line whose first character that is no blank is `#`. */
export class Comment extends LineNode {
  readonly kind: 'comment';

  constructor(source: string, line: LogicalLine) {
    super(source, line);
    this.kind = 'comment';
  }
}

/** A line with nothing but blanks. */
export class Blank extends LineNode {
  readonly kind: 'blank';

  constructor(source: string, line: LogicalLine) {
    super(source, line);
    this.kind = 'blank';
  }
}

export type StrayReason =
  'unmatched-close' | 'missing-gt' | 'no-name' | 'too-deep' | 'template' | 'forgotten';

/** A line that httpd would reject, or (`forgotten`) that 2.2 never reads. */
export class Stray extends LineNode {
  readonly kind: 'stray';
  readonly reason: StrayReason;

  constructor(source: string, line: LogicalLine, reason: StrayReason) {
    super(source, line);
    this.kind = 'stray';
    this.reason = reason;
  }
}

interface Name {
  readonly name: string;
  /** `name` in lower case: how httpd looks it up. */
  readonly key: string;
}

/** One string for each name, however many lines have it: takes less to keep, and to compare. */
const names = new Map<string, Name>();
/** How many names are kept: more than httpd and its modules have. The words of a file that is no configuration do not stay. */
const MAX_NAMES = 4096;

export function intern(name: string): Name {
  let internedName = names.get(name);
  if (internedName === undefined) {
    if (names.size >= MAX_NAMES) names.clear();
    names.set(name, (internedName = { name, key: name.toLowerCase() }));
  }
  return internedName;
}

/**
 * The lines whose arguments are kept, as a ring: with a million lines it costs less to read arguments again than to keep them.
 * The ring has room for more lines than most configurations have.
 */
const keepers: NamedLine[] = [];
const MAX_KEEPERS = 16_384;
let nextKeeper = 0;

abstract class NamedLine extends LineNode {
  private readonly internedName: Name;
  private words: readonly Argument[] | undefined;

  constructor(source: string, line: LogicalLine, name: string) {
    super(source, line);
    this.internedName = intern(name);
    this.words = undefined;
  }

  /** The name as written, without `<` and `>` and without the quotes it may have. */
  get name(): string {
    return this.internedName.name;
  }

  /** `name` in lower case: how httpd looks it up. */
  get key(): string {
    return this.internedName.key;
  }

  /** Where the arguments begin in `text`, of which the line is `[from, to)`; blanks before them may be counted in. */
  protected abstract argumentsStart(text: string, from: number, to: number): number;

  protected abstract argumentsEnd(text: string, from: number, to: number): number;

  /** Where the first word of a line ends, of which the name begins at `at`. */
  protected nameEnd(text: string, from: number, at: number, to: number): number {
    // What is neither quoted nor escaped is as long as it reads.
    const end = at + this.name.length;
    const first = text.charCodeAt(from);
    if (first !== QUOTE && first !== APOSTROPHE && (end === to || isSpace(text.charCodeAt(end)))) return end;
    return readWord(text, from, to)?.end ?? from;
  }

  get nameSpan(): Span {
    const logical = this.logical;
    const word = readWord(logical.text, 0);
    const at = word === undefined ? 0 : logical.text.indexOf(this.name, word.start);
    return logical.span(at, at + this.name.length);
  }

  /** The arguments as `ap_getword_conf` splits them. */
  get args(): readonly Argument[] {
    if (this.words !== undefined) return this.words;
    const before = keepers[nextKeeper];
    if (before !== undefined) before.words = undefined;
    keepers[nextKeeper] = this;
    nextKeeper = (nextKeeper + 1) % MAX_KEEPERS;
    return (this.words = this.readArguments());
  }

  /** Everything after the name (of a section: up to the last `>`), trimmed, continuations joined, quotes untouched. */
  get rest(): string {
    // A line without continuations is read in the source text.
    const text = this.cuts === undefined ? this.source : this.logical.text;
    const from = this.cuts === undefined ? this.from : 0;
    const to = this.cuts === undefined ? this.to : text.length;
    let start = this.argumentsStart(text, from, to);
    let end = this.argumentsEnd(text, from, to);
    while (start < end && isSpace(text.charCodeAt(start))) start++;
    while (end > start && isSpace(text.charCodeAt(end - 1))) end--;
    return text.slice(start, end);
  }

  private readArguments(): readonly Argument[] {
    if (this.cuts === undefined) {
      const { source, from, to } = this;
      return readWords(source, this.argumentsStart(source, from, to), this.argumentsEnd(source, from, to));
    }
    const logical = this.logical;
    const { text } = logical;
    const start = this.argumentsStart(text, 0, text.length);
    return readWords(text, start, this.argumentsEnd(text, 0, text.length)).map((word) => ({
      ...logical.span(word.start, word.end),
      value: word.value,
    }));
  }
}

/** A line that sets something: a name and its arguments. */
export class Directive extends NamedLine {
  get kind(): 'directive' {
    return 'directive';
  }

  protected argumentsStart(text: string, from: number, to: number): number {
    return this.nameEnd(text, from, from, to);
  }

  protected argumentsEnd(_text: string, _from: number, to: number): number {
    return to;
  }
}

/** The first line of a section, such as `<Directory /srv/www>`. */
export class SectionOpen extends NamedLine {
  /** The versions that are served by what stands in an `if` of a template; undefined for all other sections. */
  get reads(): ReadBy | undefined {
    return undefined;
  }

  /** The line as messages show it. */
  get shown(): string {
    const { name, rest } = this;
    return `<${name}${rest === '' ? '' : ' '}${rest}>`;
  }

  /** False where the line has no `>`: httpd refuses the section when it comes to it. */
  get complete(): boolean {
    return this.logical.text.includes('>');
  }

  protected argumentsStart(text: string, from: number, to: number): number {
    return Math.min(this.nameEnd(text, from, from + 1, to), this.argumentsEnd(text, from, to));
  }

  protected argumentsEnd(text: string, from: number, to: number): number {
    let end = to - 1;
    while (end >= from && text.charCodeAt(end) !== GREATER) end--;
    return end < from ? to : end;
  }
}

/** The name of a section that a template writes for one version; no name that httpd reads can be this one. */
export const TEMPLATE_SECTION = '<%';

/** A template's line that asks for the version, or its `else`: what stands under it is a section for one version. */
export class TemplateOpen extends SectionOpen {
  private readonly readBy: ReadBy;

  constructor(source: string, line: LogicalLine, readBy: ReadBy) {
    super(source, line, TEMPLATE_SECTION);
    this.readBy = readBy;
  }

  override get reads(): ReadBy {
    return this.readBy;
  }

  override get shown(): string {
    return this.text;
  }

  override get complete(): boolean {
    return true;
  }

  override get rest(): string {
    return this.text;
  }

  protected override argumentsStart(_text: string, _from: number, to: number): number {
    return to;
  }

  protected override argumentsEnd(_text: string, _from: number, to: number): number {
    return to;
  }
}

/** The last line of a section, such as `</Directory>`. */
export class SectionClose extends LineNode {
  readonly name: string;

  constructor(source: string, line: LogicalLine, name: string) {
    super(source, line);
    this.name = name;
  }
}

/** The body of a section that is not httpd configuration (`<Perl>`, `<Macro>`, Lua): bytes to keep. */
export class Raw implements Span {
  readonly kind = 'raw';

  constructor(
    readonly start: number,
    readonly end: number,
  ) {}
}

/** A section with its first line, the nodes inside, and its last line. It stands in `[start, end)`. */
export class Section implements Span {
  readonly kind = 'section';
  readonly start: number;
  readonly name: string;
  readonly key: string;
  readonly open: SectionOpen;
  readonly body: readonly Node[];
  /** Undefined where the file, or the section around it, ends first. */
  readonly close: SectionClose | undefined;
  readonly end: number;

  constructor(open: SectionOpen, body: readonly Node[], close: SectionClose | undefined, end: number) {
    this.start = open.start;
    this.name = open.name;
    this.key = open.key;
    this.open = open;
    this.body = body;
    this.close = close;
    this.end = end;
  }

  get args(): readonly Argument[] {
    return this.open.args;
  }
}

/** What a configuration is made of; `kind` tells the kinds apart. */
export type Node = Directive | Section | Comment | Blank | Stray | Raw;
