import type { Span } from './span';

/** The text of a logical line as httpd reads it, with the way back to byte offsets. */
export class LogicalText {
  readonly text: string;
  private readonly from: number;
  private readonly cuts: readonly number[] | undefined;

  constructor(source: string, from: number, to: number, cuts: readonly number[] | undefined) {
    this.from = from;
    this.cuts = cuts;
    if (cuts === undefined) {
      this.text = source.slice(from, to);
      return;
    }
    let text = '';
    let at = from;
    for (let i = 0; i < cuts.length; i += 2) {
      const cut = cuts[i] ?? to;
      if (cut >= to) break;
      if (cut >= at) {
        text += source.slice(at, cut);
        at = cuts[i + 1] ?? to;
      }
    }
    this.text = text + source.slice(at, to);
  }

  /** The byte offset of the character at `index`; an `end` index belongs to the character before it. */
  offset(index: number): number {
    let offset = this.from + index;
    const cuts = this.cuts;
    if (cuts !== undefined) {
      for (let i = 0; i < cuts.length; i += 2) {
        const start = cuts[i] ?? 0;
        if (start > offset) break;
        if (start >= this.from) offset += (cuts[i + 1] ?? 0) - start;
      }
    }
    return offset;
  }

  span(start: number, end: number): Span {
    return { start: this.offset(start), end: end > start ? this.offset(end - 1) + 1 : this.offset(start) };
  }
}
