import type { Edit } from '../../edit';
import { lineEnd, linesBefore, pushLine, splitLines, type Region, regionsOf } from './lines';
import { jsdiff } from './load';

/** Unchanged lines shown around a change, as git does. */
const CONTEXT = 3;
/** Where a region's sides differ by more lines than this, no one reads what they share: it is shown as replaced whole. */
const MAX_EDIT_LENGTH = 400;

/** One as jsdiff has it: the lines with their signs. */
export interface Hunk {
  oldStart: number;
  oldLines: number;
  newStart: number;
  newLines: number;
  lines: string[];
}

/**
 * The hunks of a unified diff between `text` and the text that `edits` make of it, for jsdiff's `formatPatch`. Takes time for the
 * changed lines only: the edits say where to look.
 * @param edits in any order, not overlapping
 */
export function hunksOf(text: string, edits: readonly Edit[]): Hunk[] {
  const hunks: Hunk[] = [];
  const builder = new HunkBuilder(text, hunks);
  for (const region of regionsOf(text, edits)) diffRegion(text, region, builder);
  builder.finish();
  return hunks;
}

function diffRegion(text: string, region: Region, builder: HunkBuilder): void {
  const before = text.slice(region.start, region.end);
  if (before === region.text) return;
  const oldLines = splitLines(before);
  const newLines = splitLines(region.text);
  const parts = haveLineInCommon(oldLines, newLines)
    ? jsdiff().diffArrays(oldLines, newLines, { maxEditLength: MAX_EDIT_LENGTH })
    : undefined;
  if (parts === undefined) {
    if (oldLines.length > 0) builder.remove(region.start, region.end, oldLines);
    if (newLines.length > 0) builder.add(region.end, newLines);
    return;
  }
  let at = region.start;
  for (const part of parts) {
    if (part.added) builder.add(at, part.value);
    else {
      const end = part.value.reduce((sum, line) => sum + line.length, at);
      if (part.removed) builder.remove(at, end, part.value);
      at = end;
    }
  }
}

/** Most often the two sides of a region have no line in common, and no diff is needed. */
function haveLineInCommon(a: readonly string[], b: readonly string[]): boolean {
  if (a.length * b.length <= 64) return a.some((line) => b.includes(line));
  const lines = new Set(a);
  return b.some((line) => lines.has(line));
}

/** Collects changes in the order of the old text and puts the context between them; owns the line numbers. */
class HunkBuilder {
  #current: Hunk | undefined;
  /** The old text is taken over, as context, removed or skipped, up to this offset, which is the start of old line `#line`. */
  #at = 0;
  #line = 1;
  /** Lines added less lines removed so far: new line number less old line number. */
  #shift = 0;
  /** Added lines of the change at `#at`, kept back so that a change's removed lines stand before its added ones. */
  #added: string[] = [];

  constructor(
    private readonly text: string,
    private readonly hunks: Hunk[],
  ) {}

  add(at: number, lines: readonly string[]): void {
    this.#moveTo(at);
    // Not by spreading: a call takes no 200,000 arguments.
    for (const line of lines) this.#added.push(line);
  }

  remove(at: number, end: number, lines: readonly string[]): void {
    const hunk = this.#moveTo(at);
    for (const line of lines) pushLine(hunk.lines, '-', line);
    hunk.oldLines += lines.length;
    this.#at = end;
    this.#line += lines.length;
    this.#shift -= lines.length;
  }

  finish(): void {
    this.#endHunk();
  }

  /** Takes over the unchanged lines up to `at`, in the open hunk where it is near, else in a new one. */
  #moveTo(at: number): Hunk {
    if (this.#current !== undefined) {
      if (at === this.#at) return this.#current;
      if (at <= this.#ahead(2 * CONTEXT)) {
        this.#line += this.#context(this.#current, this.#at, at);
        this.#at = at;
        return this.#current;
      }
      this.#endHunk();
    }
    const text = this.text;
    for (let lf = text.indexOf('\n', this.#at); lf >= 0 && lf < at; lf = text.indexOf('\n', lf + 1))
      this.#line++;
    this.#at = at;
    const hunk: Hunk = { oldStart: 0, oldLines: 0, newStart: 0, newLines: 0, lines: [] };
    this.#current = hunk;
    const leading = this.#context(hunk, linesBefore(text, at, CONTEXT), at);
    hunk.oldStart = this.#line - leading;
    hunk.newStart = hunk.oldStart + this.#shift;
    return hunk;
  }

  #endHunk(): void {
    if (this.#current === undefined) return;
    this.#context(this.#current, this.#at, this.#ahead(CONTEXT));
    this.hunks.push(this.#current);
    this.#current = undefined;
  }

  /**
   * Puts the lines that wait to be added, and then the unchanged ones `[from, to)`, into a hunk.
   * @returns how many are unchanged
   */
  #context(hunk: Hunk, from: number, to: number): number {
    for (const line of this.#added) pushLine(hunk.lines, '+', line);
    hunk.newLines += this.#added.length;
    this.#shift += this.#added.length;
    this.#added = [];
    let count = 0;
    for (let at = from; at < to; count++) {
      const end = lineEnd(this.text, at);
      pushLine(hunk.lines, ' ', this.text.slice(at, end));
      at = end;
    }
    hunk.oldLines += count;
    hunk.newLines += count;
    return count;
  }

  /** The offset `count` lines after `#at`. */
  #ahead(count: number): number {
    let at = this.#at;
    for (let i = 0; i < count && at < this.text.length; i++) at = lineEnd(this.text, at);
    return at;
  }
}
