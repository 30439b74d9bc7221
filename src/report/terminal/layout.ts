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

/** A paragraph, broken between words at the width. @param hang columns that its further lines are indented by */
export function wrapLines(segments: readonly Segment[], hang: number, layout: Layout): string {
  const { colour } = layout;
  const limit = columnsIn(layout);
  if (limit === Infinity) return paintAll(segments, colour);
  let column = 0;
  let lines = '';
  for (const { text, sgr } of segments)
    for (const word of text.match(/ +|[^ ]+/g) ?? []) {
      const columns = columnsOf(word);
      if (column + columns > limit && column > hang && !word.startsWith(' ')) {
        lines = `${lines.trimEnd()}\n${' '.repeat(hang)}`;
        column = hang;
      }
      lines += word.startsWith(' ') ? word : paint(sgr, word, colour);
      column += columns;
    }
  return lines;
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
