import type { EditorPosition, EditorRange } from './types';

/**
 * Where the bytes of a text stand in an editor. The protocol ends a line at CR, LF or both, where httpd knows LF alone; a
 * character counts as its UTF-16 units, where the text has the bytes of its UTF-8.
 */
export class EditorLines {
  readonly #text: string;
  readonly #starts: readonly number[];

  /** @param text a byte string */
  constructor(text: string) {
    this.#text = text;
    const starts = [0];
    for (const { index, 0: end } of text.matchAll(/\r\n|\n|\r/g)) starts.push(index + end.length);
    this.#starts = starts;
  }

  positionAt(offset: number): EditorPosition {
    const starts = this.#starts;
    let [low, high] = [0, starts.length];
    while (low + 1 < high) {
      const middle = (low + high) >> 1;
      if (starts[middle]! <= offset) low = middle;
      else high = middle;
    }
    return { line: low, character: unitsOf(this.#text.slice(starts[low], offset)) };
  }

  rangeOf(start: number, end: number): EditorRange {
    return { start: this.positionAt(start), end: this.positionAt(end) };
  }

  /** The bytes of a line without its end: `[start, end)`. A line that is not there is an empty one at the end. */
  lineAt(line: number): { readonly start: number; readonly end: number } {
    const start = this.#starts[line] ?? this.#text.length;
    let end = this.#starts[line + 1] ?? this.#text.length;
    while (end > start && /[\r\n]/.test(this.#text.charAt(end - 1))) end--;
    return { start, end };
  }
}

/** UTF-16 units of bytes that are, as a whole or up to a character that is cut, UTF-8. */
function unitsOf(bytes: string): number {
  if (!/[\x80-\xff]/.test(bytes)) return bytes.length;
  let units = 0;
  for (let at = 0; at < bytes.length; at++) {
    const code = bytes.charCodeAt(at);
    // A byte that goes on with a character counts with the one that began it; four bytes are a surrogate pair.
    if ((code & 0xc0) !== 0x80) units += code >= 0xf0 ? 2 : 1;
  }
  return units;
}
