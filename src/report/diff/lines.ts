import { type Edit, sortEdits } from '../../edit';

/** The offset `count` lines before the line start `at`. */
export function linesBefore(text: string, at: number, count: number): number {
  for (let i = 0; i < count && at > 0; i++) at = at === 1 ? 0 : text.lastIndexOf('\n', at - 2) + 1;
  return at;
}

/** The offset where the line that holds `at` ends, its LF included. */
export function lineEnd(text: string, at: number): number {
  const lf = text.indexOf('\n', at);
  return lf < 0 ? text.length : lf + 1;
}

/** The lines with their LF; a last line without one counts, an empty one after the last LF does not. */
export function splitLines(text: string): string[] {
  const lines: string[] = [];
  for (let at = 0; at < text.length;) {
    const end = lineEnd(text, at);
    lines.push(text.slice(at, end));
    at = end;
  }
  return lines;
}

/** Adds a line to a hunk, with git's remark where it has no LF. */
export function pushLine(lines: string[], sign: ' ' | '+' | '-', line: string): void {
  if (line.endsWith('\n')) lines.push(sign + line.slice(0, -1));
  else lines.push(sign + line, '\\ No newline at end of file');
}

/** A run of whole lines that edits touch: `[start, end)` of the old text becomes `text`. */
export interface Region {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/**
 * The smallest runs of whole lines that hold all edits. Their borders are line starts in the old text and in the new one, so that
 * the lines between two regions are the same on both sides. In order, not overlapping.
 * @param edits in any order, not overlapping
 */
export function regionsOf(text: string, edits: readonly Edit[]): Region[] {
  const regions: Region[] = [];
  let open: OpenRegion | undefined;
  for (const edit of sortEdits(edits)) {
    if (open === undefined || edit.start > open.end || (edit.start === open.end && open.closed)) {
      if (open !== undefined) close(text, open);
      const start = edit.start === 0 ? 0 : text.lastIndexOf('\n', edit.start - 1) + 1;
      // A region begins at a line start, so nothing at all counts as an ended line too.
      open = { start, end: start, text: '', at: start, ended: true, closed: false };
      regions.push(open);
    }
    open.text += text.slice(open.at, edit.start) + edit.text;
    if (edit.text !== '') open.ended = edit.text.endsWith('\n');
    else if (edit.start > open.at) open.ended = startsLine(text, edit.start);
    open.at = edit.end;
    // It may end where its last edit ends only if a line ends there before and after; else it takes in the rest of the line.
    open.closed = open.ended && startsLine(text, edit.end);
    open.end = open.closed ? edit.end : lineEnd(text, edit.end);
  }
  if (open !== undefined) close(text, open);
  return regions;
}

/** {@link Region} while it is made: its text is there for what comes before `at`. */
interface OpenRegion {
  readonly start: number;
  end: number;
  text: string;
  at: number;
  /** The text ends with a line end. */
  ended: boolean;
  closed: boolean;
}

function close(text: string, open: OpenRegion): void {
  if (open.at < open.end) open.text += text.slice(open.at, open.end);
}

function startsLine(text: string, at: number): boolean {
  return at === 0 || text.charCodeAt(at - 1) === 10;
}
