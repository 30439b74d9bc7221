import { GREATER, isSpace } from './chars';
import { Logical } from './logical';
import type { Line } from './lines';
import type { Span } from './span';
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

  constructor(source: string, line: Line) {
    this.source = source;
    this.start = line.start;
    this.end = line.end;
    this.from = line.from;
    this.to = line.to;
    this.cuts = line.cuts;
  }

  /** The logical line as httpd reads it: trimmed, continuations joined. */
  get logical(): Logical {
    return new Logical(this.source, this.from, this.to, this.cuts);
  }

  /** True where the line runs over more than one physical line, or the 2.2 reading drops a byte of it. */
  get joined(): boolean {
    return this.cuts !== undefined;
  }
}

export class Comment extends LineNode {
  readonly kind = 'comment';
}

export class Blank extends LineNode {
  readonly kind = 'blank';
}

export type StrayReason = 'unmatched-close' | 'missing-gt' | 'no-name' | 'too-deep' | 'forgotten';

/** A line that httpd would reject, or (`forgotten`) that 2.2 never reads. */
export class Stray extends LineNode {
  readonly kind = 'stray';
  readonly reason: StrayReason;

  constructor(source: string, line: Line, reason: StrayReason) {
    super(source, line);
    this.reason = reason;
  }
}

interface Name {
  readonly name: string;
  readonly key: string;
}

/** One string for each name, however many lines have it: takes less to keep, and to compare. */
const names = new Map<string, Name>();
/** More than httpd and its modules have; a file full of words that are no names must not stay in memory. */
const MAX_NAMES = 4096;

function intern(name: string): Name {
  let known = names.get(name);
  if (known === undefined) {
    if (names.size >= MAX_NAMES) names.clear();
    names.set(name, (known = { name, key: name.toLowerCase() }));
  }
  return known;
}

abstract class NamedLine extends LineNode {
  /** The name as written, without `<` and `>` and without the quotes it may have. */
  readonly name: string;
  /** `name` in lower case: how httpd looks it up. */
  readonly key: string;
  private words: readonly Argument[] | undefined;

  constructor(source: string, line: Line, name: string) {
    super(source, line);
    const known = intern(name);
    this.name = known.name;
    this.key = known.key;
    this.words = undefined;
  }

  /** Where the arguments stand in `text`, of which the line is `[from, to)`. */
  protected abstract argumentRange(text: string, from: number, to: number): [start: number, end: number];

  get nameSpan(): Span {
    const logical = this.logical;
    const word = readWord(logical.text, 0);
    const at = word === undefined ? 0 : logical.text.indexOf(this.name, word.start);
    return logical.span(at, at + this.name.length);
  }

  /** The arguments as `ap_getword_conf` splits them. */
  get args(): readonly Argument[] {
    return (this.words ??= this.readArguments());
  }

  /** Everything after the name (of a section: up to the last `>`), trimmed, continuations joined, quotes untouched. */
  get rest(): string {
    // A line that is not joined is read where it stands.
    const text = this.cuts === undefined ? this.source : this.logical.text;
    const from = this.cuts === undefined ? this.from : 0;
    let [start, end] = this.argumentRange(text, from, this.cuts === undefined ? this.to : text.length);
    while (start < end && isSpace(text.charCodeAt(start))) start++;
    while (end > start && isSpace(text.charCodeAt(end - 1))) end--;
    return text.slice(start, end);
  }

  private readArguments(): readonly Argument[] {
    if (this.cuts === undefined) {
      const [start, end] = this.argumentRange(this.source, this.from, this.to);
      return readWords(this.source, start, end);
    }
    const logical = this.logical;
    const [start, end] = this.argumentRange(logical.text, 0, logical.text.length);
    return readWords(logical.text, start, end).map((word) => ({
      ...logical.span(word.start, word.end),
      value: word.value,
    }));
  }
}

export class Directive extends NamedLine {
  readonly kind = 'directive';

  protected argumentRange(text: string, from: number, to: number): [number, number] {
    return [readWord(text, from, to)?.end ?? from, to];
  }
}

export class SectionOpen extends NamedLine {
  /** False where the line has no `>`: httpd refuses the section when it comes to it. */
  get complete(): boolean {
    return this.logical.text.includes('>');
  }

  protected argumentRange(text: string, from: number, to: number): [number, number] {
    let end = to - 1;
    while (end >= from && text.charCodeAt(end) !== GREATER) end--;
    if (end < from) end = to;
    return [Math.min(readWord(text, from, to)?.end ?? from, end), end];
  }
}

export class SectionClose extends LineNode {
  readonly name: string;

  constructor(source: string, line: Line, name: string) {
    super(source, line);
    this.name = name;
  }
}

/** The body of a section that is not httpd configuration (`<Perl>`, `<Macro>`, Lua): bytes to keep. */
export class Raw implements Span {
  readonly kind = 'raw';
  readonly start: number;
  readonly end: number;

  constructor(start: number, end: number) {
    this.start = start;
    this.end = end;
  }
}

export class Section implements Span {
  readonly kind = 'section';
  readonly open: SectionOpen;
  readonly body: readonly Node[];
  /** Undefined where the file, or the section around it, ends first. */
  readonly close: SectionClose | undefined;
  readonly end: number;

  constructor(open: SectionOpen, body: readonly Node[], close: SectionClose | undefined, end: number) {
    this.open = open;
    this.body = body;
    this.close = close;
    this.end = end;
  }

  get start(): number {
    return this.open.start;
  }

  get name(): string {
    return this.open.name;
  }

  get key(): string {
    return this.open.key;
  }

  get args(): readonly Argument[] {
    return this.open.args;
  }
}

export type Node = Directive | Section | Comment | Blank | Stray | Raw;
