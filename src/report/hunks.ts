import type { StructuredPatchHunk } from 'diff';
import type { Edit } from '../edit';
import { linesBehind, pushLine, splitLines } from './lines';
import { type Region, regionsOf } from './regions';

/** Unchanged lines shown around a change, as git does. */
const CONTEXT = 3;
/** Where a region's sides differ by more lines than this, no one reads what they share: it is shown as replaced whole. */
const MAX_EDIT_LENGTH = 400;

/**
 * The hunks of a unified diff between `text` and the text that `edits` make of it, for jsdiff's `formatPatch`. Takes time for the
 * changed lines only: the edits say where to look.
 * @param edits in any order, not overlapping
 */
export function hunksOf(text: string, edits: readonly Edit[]): StructuredPatchHunk[] {
  const hunks: StructuredPatchHunk[] = [];
  const builder = new HunkBuilder(text, hunks);
  for (const region of regionsOf(text, edits)) diffRegion(text, region, builder);
  builder.finish();
  return hunks;
}

let loaded: typeof import('./jsdiff') | undefined;

export function jsdiff(): typeof import('./jsdiff') {
  return (loaded ??= require('./jsdiff') as typeof import('./jsdiff'));
}

function diffRegion(text: string, region: Region, builder: HunkBuilder): void {
  const before = text.slice(region.start, region.end);
  if (before === region.text) return;
  const oldLines = splitLines(before);
  const newLines = splitLines(region.text);
  const parts = (shareLine(oldLines, newLines)
    ? jsdiff().diffArrays(oldLines, newLines, { maxEditLength: MAX_EDIT_LENGTH })
    : undefined) ?? [
    { value: oldLines, removed: true, added: false },
    { value: newLines, removed: false, added: true },
  ];
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

/** Most often the two sides of a region have nothing in common: there is nothing to search for then. */
function shareLine(a: readonly string[], b: readonly string[]): boolean {
  if (a.length * b.length <= 64) return a.some((line) => b.includes(line));
  const lines = new Set(a);
  return b.some((line) => lines.has(line));
}

/** Collects changes in the order of the old text and puts the context between them; owns the line numbers. */
class HunkBuilder {
  readonly #text: string;
  readonly #hunks: StructuredPatchHunk[];
  #current: StructuredPatchHunk | undefined;
  /** The old text is taken over, as context, removed or skipped, up to this offset, which is the start of old line `#line`. */
  #at = 0;
  #line = 1;
  /** Lines added less lines removed so far: new line number less old line number. */
  #shift = 0;
  /** Added lines of the change at `#at`, kept back so that a change's removed lines stand before its added ones. */
  #added: readonly string[] = [];

  constructor(text: string, hunks: StructuredPatchHunk[]) {
    this.#text = text;
    this.#hunks = hunks;
  }

  add(at: number, lines: readonly string[]): void {
    this.#moveTo(at);
    // Not by spreading: a call takes no 200,000 arguments.
    this.#added = this.#added.length === 0 ? lines : this.#added.concat(lines);
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
    this.#endHunk(splitLines(this.#text.slice(this.#at, this.#ahead(CONTEXT))));
  }

  /** Takes over the unchanged lines up to `at`, in the open hunk where it is near, else in a new one. */
  #moveTo(at: number): StructuredPatchHunk {
    if (this.#current !== undefined) {
      if (at === this.#at) return this.#current;
      if (at <= this.#ahead(2 * CONTEXT)) {
        const lines = splitLines(this.#text.slice(this.#at, at));
        this.#context(this.#current, lines);
        this.#at = at;
        this.#line += lines.length;
        return this.#current;
      }
      this.#endHunk(splitLines(this.#text.slice(this.#at, this.#ahead(CONTEXT))));
    }
    for (
      let lf = this.#text.indexOf('\n', this.#at);
      lf >= 0 && lf < at;
      lf = this.#text.indexOf('\n', lf + 1)
    ) {
      this.#line++;
    }
    this.#at = at;
    const lead = splitLines(this.#text.slice(linesBehind(this.#text, at, CONTEXT), at));
    const oldStart = this.#line - lead.length;
    const hunk = { oldStart, oldLines: 0, newStart: oldStart + this.#shift, newLines: 0, lines: [] };
    this.#current = hunk;
    this.#context(hunk, lead);
    return hunk;
  }

  #endHunk(tail: readonly string[]): void {
    if (this.#current === undefined) return;
    this.#context(this.#current, tail);
    this.#hunks.push(this.#current);
    this.#current = undefined;
  }

  #context(hunk: StructuredPatchHunk, lines: readonly string[]): void {
    for (const line of this.#added) pushLine(hunk.lines, '+', line);
    hunk.newLines += this.#added.length;
    this.#shift += this.#added.length;
    this.#added = [];
    for (const line of lines) pushLine(hunk.lines, ' ', line);
    hunk.oldLines += lines.length;
    hunk.newLines += lines.length;
  }

  /** The offset `count` lines after `#at`. */
  #ahead(count: number): number {
    let at = this.#at;
    for (let i = 0; i < count; i++) {
      const lf = this.#text.indexOf('\n', at);
      if (lf < 0) return this.#text.length;
      at = lf + 1;
    }
    return at;
  }
}
