import { type Edit, sortEdits } from './edit';

/** A part of a text: what stands in the original at `start`, or what an edit wrote. */
type Piece =
  | { readonly kind: 'kept'; readonly start: number; readonly end: number }
  | { readonly kind: 'written'; readonly text: string };

/**
 * The edits of a text that do what two lists of edits do one after the other.
 * @param first edits of the text
 * @param second edits of the text that the first ones make
 * @param length of the text
 */
export function composeEdits(first: readonly Edit[], second: readonly Edit[], length: number): Edit[] {
  return editsOf(edited(edited([{ kind: 'kept', start: 0, end: length }], first), second), length);
}

function edited(pieces: readonly Piece[], edits: readonly Edit[]): Piece[] {
  const result: Piece[] = [];
  const rest = [...pieces].reverse();
  let at = 0;
  /** Moves on to an offset, and hands over what lies before it. */
  const passTo = (end: number, keep: boolean): void => {
    while (at < end) {
      const piece = rest.pop();
      if (piece === undefined) return;
      const [head, tail] = split(piece, end - at);
      at += lengthOf(head);
      if (tail !== undefined) rest.push(tail);
      if (keep) result.push(head);
    }
  };
  for (const { start, end, text } of sortEdits(edits)) {
    passTo(start, true);
    if (text !== '') result.push({ kind: 'written', text });
    passTo(end, false);
  }
  return [...result, ...rest.reverse()];
}

function lengthOf(piece: Piece): number {
  return piece.kind === 'kept' ? piece.end - piece.start : piece.text.length;
}

function split(piece: Piece, length: number): [Piece, Piece | undefined] {
  if (lengthOf(piece) <= length) return [piece, undefined];
  if (piece.kind === 'written')
    return [
      { kind: 'written', text: piece.text.slice(0, length) },
      { kind: 'written', text: piece.text.slice(length) },
    ];
  const middle = piece.start + length;
  return [
    { ...piece, end: middle },
    { ...piece, start: middle },
  ];
}

/** What the pieces change of the text that the kept ones are parts of. */
function editsOf(pieces: readonly Piece[], length: number): Edit[] {
  const edits: Edit[] = [];
  let at = 0;
  let text = '';
  const add = (end: number): void => {
    if (text !== '' || end > at) edits.push({ start: at, end, text });
    text = '';
  };
  for (const piece of pieces) {
    if (piece.kind === 'written') text += piece.text;
    else {
      add(piece.start);
      at = piece.end;
    }
  }
  add(length);
  return edits;
}
