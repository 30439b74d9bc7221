import { Change } from '@codemirror/merge';

/** Lines of a text, from `from` to before `to`. */
interface LineRange {
  readonly from: number;
  readonly to: number;
}
/** Lines of the old text in whose place others of the new one stand. */
interface Replaced {
  readonly a: LineRange;
  readonly b: LineRange;
}

/** Pairs of lines that are compared one by one at most; where there are more, and none is alone of its kind, all count as changed. */
const MOST_PAIRS = 250_000;

/**
 * What differs between two configurations: whole lines, and in those that stand for each other the words. Lines that both texts
 * have once hold the comparison together (“patience”), so that a text of a megabyte takes no longer than its lines.
 */
export function differences(a: string, b: string): readonly Change[] {
  const [old, now] = [new Lines(a), new Lines(b)];
  const found: Replaced[] = [];
  const whole = (lines: Lines): LineRange => ({ from: 0, to: lines.texts.length });
  compare(old.texts, now.texts, { a: whole(old), b: whole(now) }, found);
  return found.flatMap((replaced) => changesOf(old, now, replaced));
}

/** A text by its lines. */
class Lines {
  readonly texts: readonly string[];
  readonly #starts: number[] = [];
  readonly #length: number;

  constructor(text: string) {
    this.texts = text.split('\n');
    this.#length = text.length;
    let at = 0;
    for (const line of this.texts) {
      this.#starts.push(at);
      at += line.length + 1;
    }
  }

  startOf(line: number): number {
    return this.#starts[line] ?? this.#length;
  }

  /** Where a line ends, before its line end. */
  endOf(line: number): number {
    return this.#starts[line]! + this.texts[line]!.length;
  }
}

function compare(
  old: readonly string[],
  now: readonly string[],
  { a, b }: Replaced,
  found: Replaced[],
): void {
  let [fromA, fromB, toA, toB] = [a.from, b.from, a.to, b.to];
  while (fromA < toA && fromB < toB && old[fromA] === now[fromB]) {
    fromA++;
    fromB++;
  }
  while (fromA < toA && fromB < toB && old[toA - 1] === now[toB - 1]) {
    toA--;
    toB--;
  }
  if (fromA === toA && fromB === toB) return;
  const rest: Replaced = { a: { from: fromA, to: toA }, b: { from: fromB, to: toB } };
  const anchors = fromA === toA || fromB === toB ? [] : anchorsIn(old, now, rest);
  if (anchors.length === 0) {
    found.push(rest);
    return;
  }
  for (const [atA, atB] of [...anchors, [toA, toB] as const]) {
    compare(old, now, { a: { from: fromA, to: atA }, b: { from: fromB, to: atB } }, found);
    [fromA, fromB] = [atA, atB];
  }
}

type Pair = readonly [a: number, b: number];

/** Equal lines, in order in both texts; none where nothing holds them together. */
function anchorsIn(old: readonly string[], now: readonly string[], { a, b }: Replaced): readonly Pair[] {
  const inOld = onceIn(old, a);
  const inNow = onceIn(now, b);
  const pairs: Pair[] = [];
  for (const [text, at] of inOld) {
    const there = inNow.get(text);
    if (at !== undefined && there !== undefined) pairs.push([at, there]);
  }
  if (pairs.length > 0) return increasing(pairs.sort(([x], [y]) => x - y));
  return (a.to - a.from) * (b.to - b.from) <= MOST_PAIRS ? commonLines(old, now, { a, b }) : [];
}

/** The lines of a part, by their text; undefined for those that are there more than once. A blank line holds nothing together. */
function onceIn(lines: readonly string[], { from, to }: LineRange): ReadonlyMap<string, number | undefined> {
  const found = new Map<string, number | undefined>();
  for (let at = from; at < to; at++) {
    const text = lines[at]!;
    if (text.trim() !== '') found.set(text, found.has(text) ? undefined : at);
  }
  return found;
}

/** The longest part of the pairs in which the second number grows, too. */
function increasing(pairs: readonly Pair[]): readonly Pair[] {
  const tails: number[] = [];
  const before: number[] = [];
  for (const [i, [, b]] of pairs.entries()) {
    let [low, high] = [0, tails.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (pairs[tails[middle]!]![1] < b) low = middle + 1;
      else high = middle;
    }
    before[i] = tails[low - 1] ?? -1;
    tails[low] = i;
  }
  const longest: Pair[] = [];
  for (let i = tails.at(-1) ?? -1; i >= 0; i = before[i]!) longest.push(pairs[i]!);
  return longest.reverse();
}

/** The longest common lines of two short parts. */
function commonLines(old: readonly string[], now: readonly string[], { a, b }: Replaced): readonly Pair[] {
  const width = b.to - b.from + 1;
  const lengths = new Uint32Array((a.to - a.from + 1) * width);
  for (let i = a.to - a.from - 1; i >= 0; i--)
    for (let j = width - 2; j >= 0; j--)
      lengths[i * width + j] =
        old[a.from + i] === now[b.from + j]
          ? lengths[(i + 1) * width + j + 1]! + 1
          : Math.max(lengths[(i + 1) * width + j]!, lengths[i * width + j + 1]!);
  const pairs: Pair[] = [];
  let [i, j] = [0, 0];
  while (a.from + i < a.to && b.from + j < b.to)
    if (old[a.from + i] === now[b.from + j]) pairs.push([a.from + i++, b.from + j++]);
    else if (lengths[(i + 1) * width + j]! >= lengths[i * width + j + 1]!) i++;
    else j++;
  return pairs;
}

function changesOf(old: Lines, now: Lines, { a, b }: Replaced): readonly Change[] {
  if (a.from === a.to || b.from === b.to) return [wholeLines(old, now, { a, b })];
  const isPaired = a.to - a.from === b.to - b.from;
  if (!isPaired) {
    const indentation = commonIndentation(old.texts[a.from]!, now.texts[b.from]!);
    return [
      new Change(
        old.startOf(a.from) + indentation,
        old.endOf(a.to - 1),
        now.startOf(b.from) + indentation,
        now.endOf(b.to - 1),
      ),
    ];
  }
  return Array.from({ length: a.to - a.from }, (_, i) => wordsChanged(old, now, a.from + i, b.from + i));
}

/** Lines that are only in one of the texts. The last one has no line end: there, that of the line before goes with it. */
function wholeLines(old: Lines, now: Lines, { a, b }: Replaced): Change {
  const isAtEnd = a.to === old.texts.length && b.to === now.texts.length && a.from > 0 && b.from > 0;
  return isAtEnd
    ? new Change(old.endOf(a.from - 1), old.startOf(a.to), now.endOf(b.from - 1), now.startOf(b.to))
    : new Change(old.startOf(a.from), old.startOf(a.to), now.startOf(b.from), now.startOf(b.to));
}

/** What a line and the one in its place do not begin and end with both, by words. */
function wordsChanged(old: Lines, now: Lines, lineA: number, lineB: number): Change {
  const split = (text: string): readonly string[] => text.match(/[ \t]+|[^ \t]+/g) ?? [];
  const [wordsA, wordsB] = [split(old.texts[lineA]!), split(now.texts[lineB]!)];
  const most = Math.min(wordsA.length, wordsB.length);
  let first = 0;
  while (first < most && wordsA[first] === wordsB[first]) first++;
  let last = 0;
  while (last < most - first && wordsA.at(-1 - last) === wordsB.at(-1 - last)) last++;
  const lengthOf = (words: readonly string[]): number => words.reduce((sum, word) => sum + word.length, 0);
  const start = lengthOf(wordsA.slice(0, first));
  const end = lengthOf(wordsA.slice(wordsA.length - last));
  return new Change(
    old.startOf(lineA) + start,
    old.endOf(lineA) - end,
    now.startOf(lineB) + start,
    now.endOf(lineB) - end,
  );
}

function commonIndentation(a: string, b: string): number {
  let at = 0;
  while (at < a.length && a[at] === b[at] && /[ \t]/.test(a[at]!)) at++;
  return at;
}
