import type { FileSource } from '../../types';

/** A larger file has never been a configuration, and its tree would take gigabytes. */
const MAX_LINES = 1_000_000;

/** Bytes of memory that a run may take where its source does not know. */
const MEMORY = 2 * 1024 * 1024 * 1024;
/** Bytes of memory that one byte of configuration may take: of its text, of what is known of it, and of the result. */
const MEMORY_A_BYTE = 16;
/** A line takes room of its own, and a section may hold lines that decide access: as if they had so many bytes more. */
const BYTES_A_LINE = 32;
const BYTES_A_SECTION = 1280;
/** A line longer than this holds very many words; each of its bytes takes room as if it were so many. */
const LONG_LINE = 8191;
const BYTES_A_LONG_BYTE = 3;

/** Files that have no more bytes together than this part of the memory need no look, even if they hold nothing but sections. */
const PART_OF_FEW = 1024;

export function hasTooManyLines(text: string): boolean {
  return text.length > MAX_LINES && countOf('\n', text, MAX_LINES) > MAX_LINES;
}

export const TOO_MANY_LINES = 'more than a million lines: not read';
export const TOO_MUCH =
  'not read: all that was found is more than one run can hold, and this is one of the largest files of a user who has many; run httpd-codemod on its directory alone';

/** A file, and what it costs. */
interface Cost {
  readonly path: string;
  readonly cost: number;
}

interface Sized {
  readonly path: string;
  readonly size: number;
}

/** Keeps what a run finds below directories to what the memory holds, so that one user's files do not end it for all. */
export class FoundLimit {
  readonly #source: FileSource;
  readonly #few: number;
  #left: number;
  #unmeasured = 0;

  constructor(source: FileSource) {
    const memory = source.memory?.() ?? MEMORY;
    this.#source = source;
    this.#few = memory / PART_OF_FEW;
    this.#left = memory / MEMORY_A_BYTE;
  }

  /**
   * The files that do not fit into the limit any more: of the users who have most, the largest. Whoever has few files keeps them
   * in the run, whatever others have.
   */
  tooMany(paths: readonly string[]): ReadonlySet<string> {
    const source = this.#source;
    if (source.stat === undefined) return new Set();
    const sizes = paths.map((path) => ({ path, size: source.stat?.(path)?.size ?? 0 }));
    const all = sizes.reduce((sum, { size }) => sum + size, 0);
    if (this.#unmeasured + all <= this.#few) {
      this.#unmeasured += all;
      return new Set();
    }
    // The texts alone are more than there is room for: what is only measured must not stay in memory.
    if (all > this.#left) return this.#share(this.#byOwner(sizes).map((files) => this.#measured(files)));
    const costs = sizes.map(({ path }): Cost => ({ path, cost: costOf(source, path) }));
    const total = sumOf(costs);
    if (total > this.#left) return this.#share(this.#byOwner(costs));
    this.#left -= total;
    return new Set();
  }

  #byOwner<T extends { readonly path: string }>(all: readonly T[]): T[][] {
    const byOwner = new Map<number | undefined, T[]>();
    for (const file of all) {
      const [owner] = this.#source.owners?.(file.path) ?? [];
      const list = byOwner.get(owner);
      if (list === undefined) byOwner.set(owner, [file]);
      else list.push(file);
    }
    return [...byOwner.values()];
  }

  /** What a user's files cost. Of each no more is read than there is room for: what is larger than all that has no room. */
  #measured(files: readonly Sized[]): readonly Cost[] {
    const source = this.#source;
    let read = 0;
    return [...files]
      .sort((a, b) => a.size - b.size)
      .map(({ path, size }): Cost => {
        read += size;
        if (read > this.#left) return { path, cost: this.#left + size };
        const cost = source.once?.(`cost ${path}`, (fresh) => costOf(fresh, path)) ?? costOf(source, path);
        return { path, cost };
      });
  }

  /** Gives each user as much as any other may have, and what one does not need to the others. */
  #share(byOwner: readonly (readonly Cost[])[]): ReadonlySet<string> {
    const owners = byOwner.map((files) => ({ files: [...files], total: sumOf(files) }));
    owners.sort((a, b) => a.total - b.total);
    const left = new Set<string>();
    for (const [i, { files }] of owners.entries()) {
      let share = this.#left / (owners.length - i);
      for (const { path, cost } of files.sort((a, b) => a.cost - b.cost)) {
        if (cost > share) left.add(path);
        else {
          share -= cost;
          this.#left -= cost;
        }
      }
    }
    return left;
  }
}

const sumOf = (costs: readonly Cost[]): number => costs.reduce((sum, { cost }) => sum + cost, 0);

function costOf(source: FileSource, path: string): number {
  try {
    const text = source.read(path);
    const sections = countOf('<', text, Infinity) - countOf('</', text, Infinity);
    const { lines, long } = linesIn(text);
    return text.length + BYTES_A_LINE * lines + BYTES_A_SECTION * sections + (BYTES_A_LONG_BYTE - 1) * long;
  } catch {
    // It is not read, and why is said where it is asked for.
    return 0;
  }
}

/** How many lines end in a text, and how many bytes its long ones have together. */
function linesIn(text: string): { readonly lines: number; readonly long: number } {
  let [lines, long, start] = [0, 0, 0];
  const addLong = (end: number): void => {
    if (end - start > LONG_LINE) long += end - start;
  };
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', start)) {
    addLong(at);
    lines++;
    start = at + 1;
  }
  addLong(text.length);
  return { lines, long };
}

/** How often a piece stands in a text; more than `most` need not be counted. */
function countOf(piece: string, text: string, most: number): number {
  let count = 0;
  for (let at = text.indexOf(piece); at >= 0 && count <= most; at = text.indexOf(piece, at + 1)) count++;
  return count;
}
