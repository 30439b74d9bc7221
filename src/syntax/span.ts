/** A half-open range of byte offsets, `[start, end)`, into the text of one file. */
export interface Span {
  readonly start: number;
  readonly end: number;
}
