import { BACKSLASH, CR, isSpace } from './chars';
import type { Span } from './span';

/**
 * Which server's reading of line ends applies. 2.2 keeps a line that ends in two backslashes for itself and drops one of
 * them; 2.4 joins it with the next (2.2 server/util.c, 2.4 server/util.c: ap_cfg_getline).
 */
export type Grammar = '2.2' | '2.4';

export function sameLinesInBothVersions(text: string): boolean {
  return !/\\\r?\n/.test(text);
}

/** How many backslashes stand before a place. */
export function backslashesBefore(text: string, end: number): number {
  let start = end;
  while (start > 0 && text.charCodeAt(start - 1) === BACKSLASH) start--;
  return end - start;
}

/**
 * Where the line begins whose text 2.4 adds to one that ends in backslashes: the next, but for empty lines, each of which takes a
 * further backslash away (2.4 server/util.c: ap_cfg_getline_core).
 * @param textEnd the end of the text above, before its line end
 */
export function joinedLine(text: string, textEnd: number): number {
  let next = text.indexOf('\n', textEnd) + 1;
  for (let left = backslashesBefore(text, textEnd) - 1; left > 0; left--) {
    const end = next + (text.charCodeAt(next) === CR ? 1 : 0);
    if (text.charAt(end) !== '\n') break;
    next = end + 1;
  }
  return next;
}

/** One logical line: the physical lines `[start, end)`, line ends included, that httpd reads as one. */
export interface LogicalLine extends Span {
  /** The text without white space around it, `[from, to)`; equal on a blank line. */
  readonly from: number;
  readonly to: number;
  /** Bytes inside `[from, to)` that httpd deletes (continuations), as flat pairs of offsets; undefined when there are none. */
  readonly cuts: readonly number[] | undefined;
}

/**
 * Reads logical lines: the only place that knows line ends, continuations and NUL. The reader is itself the line that it read
 * last, so that no object is made for each line.
 */
export class LineReader implements LogicalLine {
  start = 0;
  end = 0;
  from = 0;
  to = 0;
  cuts: readonly number[] | undefined = undefined;
  /** 2.2 forgets a last line whose continuation runs into the end of the file. */
  forgotten = false;
  private readonly text: string;
  private readonly grammar: Grammar;
  private readonly hasNul: boolean;

  constructor(text: string, grammar: Grammar) {
    this.text = text;
    this.grammar = grammar;
    this.hasNul = text.includes('\0');
  }

  /** Reads the line that starts at `start`, which lies before the end of the text. */
  read(start: number): void {
    const { text } = this;
    const lf = text.indexOf('\n', start);
    let stop = lf < 0 ? text.length : lf;
    if (lf > start && text.charCodeAt(lf - 1) === CR) stop--;
    if (this.hasNul || (stop > start && text.charCodeAt(stop - 1) === BACKSLASH)) {
      this.readJoined(start);
      return;
    }
    let from = start;
    while (from < stop && isSpace(text.charCodeAt(from))) from++;
    while (stop > from && isSpace(text.charCodeAt(stop - 1))) stop--;
    this.start = start;
    this.end = lf < 0 ? text.length : lf + 1;
    this.from = from;
    this.to = stop;
    this.cuts = undefined;
    this.forgotten = false;
  }

  private readJoined(start: number): void {
    const { text, grammar } = this;
    const cuts: number[] = [];
    let physical = start;
    for (;;) {
      const lf = text.indexOf('\n', physical);
      const end = lf < 0 ? text.length : lf + 1;
      let stop = lf < 0 ? end : lf;
      if (lf > physical && text.charCodeAt(lf - 1) === CR) stop--;
      const nul = this.hasNul ? text.slice(physical, stop).indexOf('\0') : -1;
      if (nul >= 0) {
        this.finish(start, end, physical + nul, cuts, false);
        return;
      }
      if (lf >= 0 && stop > physical && text.charCodeAt(stop - 1) === BACKSLASH) {
        const doubled = grammar === '2.2' && stop - 2 >= physical && text.charCodeAt(stop - 2) === BACKSLASH;
        if (!doubled) {
          cuts.push(stop - 1, end);
          if (end < text.length) {
            physical = end;
            continue;
          }
          this.finish(start, end, stop - 1, cuts, grammar === '2.2');
          return;
        }
        cuts.push(stop - 1, stop);
      } else if (
        lf >= 0 &&
        stop === physical &&
        grammar === '2.4' &&
        this.joinsAgain(cuts, physical, start)
      ) {
        cuts.push(physical, end);
        if (end < text.length) {
          physical = end;
          continue;
        }
        this.finish(start, end, end, cuts, false);
        return;
      }
      this.finish(start, end, stop, cuts, false);
      return;
    }
  }

  /**
   * Whether an empty line joins the one above with the next: 2.4 looks for a backslash in all that it has put together so far,
   * and takes that one away, too (2.4 server/util.c: ap_cfg_getline_core). It is added to the cuts.
   */
  private joinsAgain(cuts: number[], physical: number, start: number): boolean {
    const last = keptBefore(cuts, physical);
    if (cuts.length === 0 || last < start || this.text.charCodeAt(last) !== BACKSLASH) return false;
    while (cuts.length > 0 && cuts.at(-2)! > last) cuts.length -= 2;
    cuts.push(last, physical);
    return true;
  }

  private finish(
    start: number,
    end: number,
    stop: number,
    cuts: readonly number[],
    forgotten: boolean,
  ): void {
    const { text } = this;
    let from = start;
    let to = stop;
    for (let i = 0; from < to;) {
      if (from === cuts[i]) from = cuts[i + 1] ?? to;
      else if (isSpace(text.charCodeAt(from))) from++;
      else break;
      while (i < cuts.length && (cuts[i] ?? 0) < from) i += 2;
    }
    for (let i = cuts.length - 2; to > from;) {
      if (i >= 0 && to === cuts[i + 1]) to = cuts[i] ?? from;
      else if (isSpace(text.charCodeAt(to - 1))) to--;
      else break;
      while (i >= 0 && (cuts[i + 1] ?? 0) > to) i -= 2;
    }
    if (from > to) from = to;
    const inner = cuts.filter((_, i) => (cuts[i & ~1] ?? 0) >= from && (cuts[i | 1] ?? 0) <= to);
    this.start = start;
    this.end = end;
    this.from = from;
    this.to = to;
    this.cuts = inner.length > 0 ? inner : undefined;
    this.forgotten = forgotten;
  }
}

/** The last place before `at` that no cut takes away; all cuts end by then. */
function keptBefore(cuts: readonly number[], at: number): number {
  let before = at;
  for (let i = cuts.length - 2; i >= 0 && cuts[i + 1] === before; i -= 2) before = cuts[i]!;
  return before - 1;
}
