/**
 * A line of a configuration, or a section with what stands in it: as httpd's own reader takes a text apart, and apart from the product's
 * reader, so that a fault there shows.
 */
export interface Line {
  /** Lower case; of a section without `<`. */
  readonly name: string;
  /** Behind the name, blanks at both ends left out; of a section without `>`. */
  readonly rest: string;
  readonly words: readonly string[];
  /** What stands in the section; undefined for a directive. */
  readonly body?: Line[];
  readonly file: string;
  readonly number: number;
}

/** A text that httpd cannot read: a section that is not closed, or closed by another. */
export class ReadError extends Error {}

/** What the judge of access here cannot read: no answer is given for it, and it is counted. */
export class Unreadable extends Error {}

/** Takes a text apart. @throws ReadError */
export function linesOf(text: string, file: string): Line[] {
  const top: Line[] = [];
  const open: { name: string; body: Line[] }[] = [{ name: '', body: top }];
  const physical = text.split('\n');
  for (let i = 0; i < physical.length; i++) {
    const number = i + 1;
    let joined = (physical[i] ?? '').replace(/\r$/, '');
    while (joined.endsWith('\\') && i + 1 < physical.length)
      joined = joined.slice(0, -1) + (physical[++i] ?? '').replace(/\r$/, '');
    const line = joined.replace(/^[ \t]+|[ \t]+$/g, '');
    if (line === '' || line.startsWith('#')) continue;
    if (line.startsWith('</')) {
      const name = line.slice(2).replace(/>.*$/, '').toLowerCase();
      const closed = open.pop();
      if (closed === undefined || closed.name !== name || open.length === 0)
        throw new ReadError(`${file}:${number}: ${line}`);
      continue;
    }
    const [, bracket = '', name = '', behind = ''] = /^(<?)([^ \t>]*)[ \t]*(.*)$/.exec(line)!;
    const rest = bracket === '' ? behind : behind.replace(/>[^>]*$/, '').trimEnd();
    const read = { name: name.toLowerCase(), rest, words: wordsOf(rest), file, number };
    if (bracket === '') open.at(-1)!.body.push(read);
    else {
      const body: Line[] = [];
      open.at(-1)!.body.push({ ...read, body });
      open.push({ name: read.name, body });
    }
  }
  if (open.length > 1) throw new ReadError(`${file}: <${open.at(-1)!.name}> is not closed`);
  return top;
}

/** The arguments, quotes taken off (util.c: ap_getword_conf). */
export function wordsOf(text: string): string[] {
  const words: string[] = [];
  for (const [, double, single, bare] of text.matchAll(
    /"((?:[^"\\]|\\.)*)"?|'((?:[^'\\]|\\.)*)'?|([^ \t]+)/g,
  )) {
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
