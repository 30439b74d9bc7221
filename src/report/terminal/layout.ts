import { decode } from '../encoding';

/** A piece of a line, with the code of its colour. A byte string without control characters. */
export interface Segment {
  readonly text: string;
  /** The numbers of an SGR sequence; undefined for the terminal's own colour. */
  readonly sgr?: string;
}

/** How lines are laid out. */
export interface Layout {
  readonly colour: boolean;
  /** Columns of the terminal; undefined where the output is none: lines are then as long as what they say. */
  readonly width: number | undefined;
  /** A screen has rows, and no room for long names; a file or a pipe holds all that a person looks for there. */
  readonly isScreen: boolean;
}

const NARROWEST = 40;

/** Columns to lay lines out for: a terminal may call itself narrower than any text can be. */
export function columnsIn({ width }: Pick<Layout, 'width'>): number {
  return width === undefined ? Infinity : Math.max(width, NARROWEST);
}

/** The first lines of a wrapped paragraph, with dots where more is left out. */
export function clipLines(text: string, rows: number, layout: Layout): string {
  const lines = text.split('\n');
  if (lines.length <= rows) return text;
  let last = lines[rows - 1]!;
  do last = last.slice(0, Math.max(0, last.lastIndexOf(' ')));
  while (last.trim() !== '' && columnsOf(last.replace(/\x1b\[[0-9;]*m/g, '')) + 4 > columnsIn(layout));
  return [...lines.slice(0, rows - 1), `${last} ...`].join('\n');
}

/** How a paragraph is broken. */
export interface Breaking {
  /** Columns that its further lines are indented by. */
  readonly hang: number;
  /** What stands at the end of a line that goes on, for instance ` \\` where a shell reads it. */
  readonly sign?: string;
}

const WORD = / +|[^ ]+/g;
/** What is quoted for a shell stays in one piece. */
const SHELL_WORD = / +|(?:'[^']*'|\\.|[^ '\\])+|./g;

/** A paragraph, broken between words at the width, and on a screen at slashes inside a word that no line has room for. */
export function wrapLines(
  segments: readonly Segment[],
  { hang, sign = '' }: Breaking,
  layout: Layout,
): string {
  const { colour, isScreen } = layout;
  const limit = columnsIn(layout);
  if (limit === Infinity) return paintAll(segments, colour);
  let column = 0;
  let lines = '';
  const startLine = (end: string): void => {
    lines = `${lines.trimEnd()}${end}\n${' '.repeat(hang)}`;
    column = hang;
  };
  const room = limit - sign.length;
  for (const { text, sgr } of segments)
    for (const word of text.match(sign === '' ? WORD : SHELL_WORD) ?? []) {
      if (word.startsWith(' ')) {
        lines += word;
        column += word.length;
        continue;
      }
      if (column + columnsOf(word) > room && column > hang) startLine(sign);
      // A shell would read the pieces of a word as several words, and nobody finds them in a file.
      const pieces = isScreen && sign === '' ? piecesOf(word, room - hang) : [word];
      for (const [i, piece] of pieces.entries()) {
        if (i > 0) startLine('');
        lines += paint(sgr, piece, colour);
        column += columnsOf(piece);
      }
    }
  return lines;
}

/** A word in pieces that a line has room for: a path ends a line with a slash. */
function piecesOf(word: string, room: number): readonly string[] {
  // Characters that take several bytes stay together.
  if (word.length <= room || !/^[ -~]*$/.test(word)) return [word];
  const pieces: string[] = [];
  let rest = word;
  while (rest.length > room) {
    const slash = rest.lastIndexOf('/', room - 1) + 1;
    const end = slash > 1 ? slash : room;
    pieces.push(rest.slice(0, end));
    rest = rest.slice(end);
  }
  return [...pieces, rest];
}

function paintAll(segments: readonly Segment[], colour: boolean): string {
  return segments.map(({ text, sgr }) => paint(sgr, text, colour)).join('');
}

function paint(sgr: string | undefined, text: string, colour: boolean): string {
  return colour && sgr !== undefined ? `\x1b[${sgr}m${text}\x1b[m` : text;
}

function columnsOf(text: string): number {
  return /^[ -~]*$/.test(text) ? text.length : Array.from(decode(text)).length;
}
