import { type Edit, sortEdits } from '../edit';
import { lineEnd } from './lines';

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
  let open: { start: number; end: number; pieces: string[]; at: number; closed: boolean } | undefined;
  const close = (): void => {
    if (open === undefined) return;
    regions.push({
      start: open.start,
      end: open.end,
      text: open.pieces.join('') + text.slice(open.at, open.end),
    });
  };
  for (const edit of sortEdits(edits)) {
    if (open === undefined || edit.start > open.end || (edit.start === open.end && open.closed)) {
      close();
      const start = text.lastIndexOf('\n', edit.start - 1) + 1;
      open = { start: edit.start === 0 ? 0 : start, end: edit.start, pieces: [], at: 0, closed: false };
      open.at = open.start;
    }
    open.pieces.push(text.slice(open.at, edit.start), edit.text);
    open.at = edit.end;
    // A region may end where its last edit ends only if a line ends there before and after; else it takes in the rest of the line.
    open.closed = startsLine(text, edit.end) && endsLine(open.pieces);
    open.end = open.closed ? edit.end : lineEnd(text, edit.end);
  }
  close();
  return regions;
}

function startsLine(text: string, at: number): boolean {
  return at === 0 || text.charCodeAt(at - 1) === 10;
}

/** A region begins at a line start, so nothing at all counts as an ended line too. */
function endsLine(pieces: readonly string[]): boolean {
  for (let i = pieces.length - 1; i >= 0; i--) {
    const piece = pieces[i] ?? '';
    if (piece !== '') return piece.endsWith('\n');
  }
  return true;
}
