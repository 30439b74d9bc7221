import { type VersionLine, versionLine } from './template-versions';

/** A line of a configuration, or a section with its lines, by a reader of its own, so that the other's faults show. */
export class Line {
  /** Lower case; of a section without `<`. */
  readonly name: string;
  /** Behind the name, blanks at both ends left out; of a section without `>`. */
  readonly rest: string;
  /** What stands in the section; undefined for a directive. */
  readonly body: readonly Line[] | undefined;
  readonly file: string;
  readonly number: number;
  /** Where the line begins in the file; a section ends with its last line. */
  readonly start: number;
  end: number;
  /** 2.2 forgets the line: the file ends where it is to go on. */
  isForgotten = false;
  /** The line stands in a conditional of which it is not known whether it holds. */
  readonly unsure: boolean;
  #words: readonly string[] | undefined;

  constructor(
    name: string,
    rest: string,
    body: readonly Line[] | undefined,
    file: string,
    at: ReadPlace,
    unsure = false,
  ) {
    this.name = name;
    this.rest = rest;
    this.body = body;
    this.file = file;
    this.number = at.number;
    this.start = at.start;
    this.end = at.end;
    this.unsure = unsure;
  }

  /** The line with something else in it, or in a conditional of which it is not known whether it holds. */
  with({ body = this.body, unsure = this.unsure }: Partial<Pick<Line, 'body' | 'unsure'>>): Line {
    return new Line(this.name, this.rest, body, this.file, this, unsure);
  }

  /** The arguments. Taken apart when they are first asked for: most lines of a server are about something else. */
  get words(): readonly string[] {
    return (this.#words ??= wordsOf(this.rest));
  }
}

/** Where a line stands in its file. */
type ReadPlace = Pick<Line, 'number' | 'start' | 'end'>;

/** A text that httpd cannot read: a section that is not closed, or closed by another. */
export class ReadError extends Error {}

/** What the judge cannot read: no answer is given for it. */
export class Unreadable extends Error {}

interface Read extends ReadPlace {
  readonly line: string;
  /** The text ends where the line is to go on: 2.2 forgets it (2.2 server/util.c: ap_cfg_getline). */
  readonly isForgotten: boolean;
}

/** The lines of a text that say something, without blanks at both ends. */
function* linesIn(text: string): Generator<Read> {
  let number = 0;
  // A byte order mark is no part of the first word.
  const begin = text.startsWith('\xEF\xBB\xBF') ? 3 : 0;
  for (let start = begin, next = begin; start < text.length; start = next) {
    const first = number + 1;
    let whole = '';
    let isForgotten = false;
    // A backslash at the end joins a line with the next (util.c: ap_cfg_getline).
    for (let from = start, joined = true; joined; from = next) {
      const newline = text.indexOf('\n', from);
      next = newline < 0 ? text.length : newline + 1;
      number++;
      let end = newline < 0 ? text.length : newline;
      if (end > from && text[end - 1] === '\r') end--;
      const isOpen = newline > from && text[end - 1] === '\\';
      joined = isOpen && next < text.length;
      isForgotten = isOpen && !joined;
      whole += text.slice(from, isOpen ? end - 1 : end);
    }
    const line = trimmed(whole);
    if (line !== '' && !line.startsWith('#')) yield { line, number: first, start, end: next, isForgotten };
  }
}

/** How deep sections may stand in each other: no configuration that anybody means goes deeper. */
const MAX_DEPTH = 200;

/** Takes a text apart. Takes time that is linear in the text. @throws ReadError; Unreadable where sections nest too deep */
export function linesOf(text: string, file: string): Line[] {
  const top: Line[] = [];
  const open: { line: Line | undefined; body: Line[] }[] = [{ line: undefined, body: top }];
  const enter = (line: Line, body: Line[]): void => {
    open.at(-1)!.body.push(line);
    open.push({ line, body });
    if (open.length > MAX_DEPTH)
      throw new Unreadable(`${file}:${line.number}: sections too deep in each other`);
  };
  for (const read of linesIn(text)) {
    const { line, number, start, end, isForgotten } = read;
    if (isForgotten && line.startsWith('<'))
      throw new Unreadable(`${file}:${number}: the file ends within ${line}`);
    const does = versionLine(line);
    const branch = does && branchOf(does, line, open.at(-1)!.line, file, read);
    if (branch !== undefined) {
      if (branch.closes) open.pop()!.line!.end = start;
      if (branch.opens !== undefined) enter(branch.opens.line, branch.opens.body);
      continue;
    }
    if (line.startsWith('</')) {
      const name = line.slice(2).replace(/>.*$/, '').toLowerCase();
      const closed = open.pop()!.line;
      if (closed === undefined || closed.name !== name) throw new ReadError(`${file}:${number}: ${line}`);
      closed.end = end;
      continue;
    }
    const isSection = line.startsWith('<');
    const at = isSection ? 1 : 0;
    const length = line.slice(at).search(isSection ? /[ \t\v\f\r>]/ : BLANK);
    const nameEnd = length < 0 ? line.length : at + length;
    const bracket = isSection ? line.lastIndexOf('>') : -1;
    const rest = trimmed(line.slice(nameEnd, bracket < nameEnd ? line.length : bracket));
    const name = line.slice(at, nameEnd).toLowerCase();
    const body: Line[] | undefined = isSection ? [] : undefined;
    const found = new Line(name, rest, body, file, read);
    found.isForgotten = isForgotten;
    if (body !== undefined) enter(found, body);
    else open.at(-1)!.body.push(found);
  }
  if (open.length > 1) throw new ReadError(`${file}: <${open.at(-1)!.line!.name}> is not closed`);
  return top;
}

/** The name of what a template writes for the version that stands behind it; no section of httpd has it. */
export const TEMPLATE = '<%';

/**
 * What a line of a template that asks for the version does: it ends the branch before it, and begins one.
 * @param around the section, or the branch, that the line stands in
 * @throws ReadError where other lines of a template stand in a branch: which of them belong together is not read
 */
function branchOf(
  does: VersionLine,
  line: string,
  around: Line | undefined,
  file: string,
  at: ReadPlace,
): { closes: boolean; opens?: { line: Line; body: Line[] } } | undefined {
  const isInside = around?.name === TEMPLATE;
  if (does === 'other' && isInside) throw new ReadError(`${file}:${at.number}: ${line}`);
  if (does === 'other' || (!isInside && (does === 'else' || does === 'end'))) return undefined;
  if (does === 'end') return { closes: true };
  const goesOn = /^(?:<%|\{%)[-+]?[ \t]*el/.test(line);
  if (isInside !== goesOn) throw new ReadError(`${file}:${at.number}: ${line}`);
  // Behind a second question, what `else` is for is neither.
  const isSecond = goesOn && does !== 'else';
  const other = around?.rest === '2.2' ? '2.4' : around?.rest === '2.4' ? '2.2' : '';
  const rest = does === 'else' ? other : isSecond ? `${does} alone` : does;
  const body: Line[] = [];
  return { closes: goesOn, opens: { line: new Line(TEMPLATE, rest, body, file, at), body } };
}

function trimmed(text: string): string {
  let from = 0;
  let to = text.length;
  while (from < to && isBlank(text[from])) from++;
  while (to > from && isBlank(text[to - 1])) to--;
  return text.slice(from, to);
}

/** What httpd takes for a blank (isspace in the locale C), as it stands within a line. */
const BLANK = /[ \t\v\f\r]/;

const isBlank = (char = ''): boolean => BLANK.test(char);

/** What a template engine fills in; its blanks part no words. The length is limited so that many marks left open cost little. */
const MARK =
  /<%.{0,80}?%>|<tmpl_[^>]{0,80}>|\{\{.{0,80}?\}\}|\{%.{0,80}?%\}|\[%.{0,80}?%\]|@[A-Z]\w*@|%\(\w+\)[a-z]|__[A-Z]\w*__|\$[a-z_]\w*/i;

const WORD = new RegExp(
  `"((?:[^"\\\\]|\\\\.)*)"?|'((?:[^'\\\\]|\\\\.)*)'?|((?:${MARK.source}|[^ \\t\\v\\f\\r])+)`,
  'gi',
);

/** The arguments, quotes taken off (util.c: ap_getword_conf). */
export function wordsOf(text: string): string[] {
  if (!/["']/.test(text) && !MARK.test(text)) return text === '' ? [] : text.split(/[ \t\v\f\r]+/);
  const words: string[] = [];
  for (const [, double, single, bare] of text.matchAll(WORD)) {
    const quoted = double ?? single;
    words.push(quoted === undefined ? bare! : quoted.replace(/\\(["'\\])/g, '$1'));
  }
  return words;
}

/** All lines, those in sections too. */
export function* everyLine(lines: readonly Line[]): Generator<Line> {
  for (const line of lines) {
    yield line;
    if (line.body !== undefined) yield* everyLine(line.body);
  }
}

/** A word that a template puts another in place of before the server starts. */
export const isOfTemplate = (word: string): boolean => MARK.test(word);

/** Whether it is an If that is for all requests, and lets nobody in: 2.4 merges it after all sections. */
export function refusesAtLast({ name, rest, body = [] }: Line): boolean {
  if (name !== 'if' || rest !== '"true"' || body.length === 0) return false;
  return body.every((line) => line.name === 'require' && line.rest === 'all denied');
}
