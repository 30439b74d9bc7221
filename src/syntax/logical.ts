import { firstWhere } from './search';
import type { Span } from './span';

/** Where something was cut out: an index into the text, and how many bytes are missing up to there. */
interface Joint {
  readonly index: number;
  readonly cut: number;
}

/** The text of a logical line as httpd reads it, with the way back to byte offsets. */
export class LogicalText {
  readonly text: string;
  private readonly from: number;
  private readonly cuts: readonly number[] | undefined;
  /** Made when first asked for: a line may be joined of a hundred thousand. */
  private joints: readonly Joint[] | undefined;

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
    if (this.cuts === undefined) return this.from + index;
    this.joints ??= jointsOf(this.cuts, this.from);
    const before = this.joints[firstWhere(this.joints, (joint) => joint.index > index) - 1];
    return this.from + index + (before?.cut ?? 0);
  }

  span(start: number, end: number): Span {
    return { start: this.offset(start), end: end > start ? this.offset(end - 1) + 1 : this.offset(start) };
  }
}

function jointsOf(cuts: readonly number[], from: number): readonly Joint[] {
  const joints: Joint[] = [];
  let cut = 0;
  for (let i = 0; i < cuts.length; i += 2) {
    const start = cuts[i] ?? 0;
    if (start < from) continue;
    const index = start - from - cut;
    cut += (cuts[i + 1] ?? 0) - start;
    joints.push({ index, cut });
  }
  return joints;
}
