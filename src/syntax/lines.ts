import { BACKSLASH, CR, isSpace } from './chars';
import type { Span } from './span';

/**
 * Which server's reading of line ends applies. 2.2 keeps a line that ends in two backslashes for itself and drops one of
 * them; 2.4 joins it with the next (2.2 server/util.c, 2.4 server/util.c: ap_cfg_getline).
 */
export type Grammar = '2.2' | '2.4';

/** One logical line: the physical lines `[start, end)`, line ends included, that httpd reads as one. */
export interface Line extends Span {
  /** The text without white space around it, `[from, to)`; equal on a blank line. */
  readonly from: number;
  readonly to: number;
  /** Bytes inside `[from, to)` that httpd deletes (continuations), as flat pairs of offsets; undefined when there are none. */
  readonly cuts: readonly number[] | undefined;
  /** 2.2 forgets a last line whose continuation runs into the end of the file. */
  readonly forgotten: boolean;
}

/** Reads the logical line at `start`. The one place that knows line ends, continuations and NUL. */
export function readLine(text: string, start: number, grammar: Grammar, hasNul: boolean): Line {
  let cuts: number[] | undefined;
  let physical = start;
  for (;;) {
    const lf = text.indexOf('\n', physical);
    const end = lf < 0 ? text.length : lf + 1;
    let stop = lf < 0 ? end : lf;
    if (lf > physical && text.charCodeAt(lf - 1) === CR) stop--;
    const nul = hasNul ? text.slice(physical, stop).indexOf('\0') : -1;
    if (nul >= 0) return trim(text, start, end, physical + nul, cuts, false);
    if (lf >= 0 && stop > physical && text.charCodeAt(stop - 1) === BACKSLASH) {
      const doubled = grammar === '2.2' && stop - 2 >= physical && text.charCodeAt(stop - 2) === BACKSLASH;
      if (!doubled) {
        (cuts ??= []).push(stop - 1, end);
        if (end < text.length) {
          physical = end;
          continue;
        }
        return trim(text, start, end, stop - 1, cuts, grammar === '2.2');
      }
      (cuts ??= []).push(stop - 1, stop);
    }
    return trim(text, start, end, stop, cuts, false);
  }
}

function trim(
  text: string,
  start: number,
  end: number,
  stop: number,
  cuts: number[] | undefined,
  forgotten: boolean,
): Line {
  let from = start;
  let to = stop;
  if (cuts === undefined) {
    while (from < to && isSpace(text.charCodeAt(from))) from++;
    while (to > from && isSpace(text.charCodeAt(to - 1))) to--;
    return { start, end, from, to, cuts, forgotten };
  }
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
  return { start, end, from, to, cuts: inner.length > 0 ? inner : undefined, forgotten };
}
