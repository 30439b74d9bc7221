import type { FileSource } from '../types';

/** A larger file has never been a configuration, and its tree would take gigabytes. */
const MAX_LINES = 1_000_000;

/**
 * Bytes of what is found below directories, with so many more for each line, as a line takes room of its own. It is what two
 * gigabytes hold.
 */
const MAX_FOUND = 128 * 1024 * 1024;
const BYTES_A_LINE = 32;

/** Bytes: files that have no more than this together need no look. */
const FEW = 4 * 1024 * 1024;

/** Whether a text has more lines than any configuration. */
export function hasTooManyLines(text: string): boolean {
  return text.length > MAX_LINES && countLines(text, MAX_LINES) > MAX_LINES;
}

export const TOO_MANY_LINES = 'more than a million lines: not read';
export const TOO_MUCH =
  'not read: all that was found below the directories given is more than one run can hold, and this is one of the largest files; run httpd-codemod on its directory alone';

/** Keeps what a run finds below directories to what the memory holds, so that one user's files do not end it for all. */
export class FoundLimit {
  #left = MAX_FOUND;

  /** The files that do not fit into the limit any more. The smallest are read first: what keeps the others out is large. */
  tooMany(source: FileSource, paths: readonly string[]): ReadonlySet<string> {
    const none = new Set<string>();
    if (source.size === undefined) return none;
    const files = paths.map((path) => ({ path, size: source.size?.(path) ?? 0 }));
    const all = files.reduce((sum, { size }) => sum + size, 0);
    // As if it were one letter a line.
    if (all <= FEW) {
      this.#left -= all;
      return none;
    }
    files.sort((a, b) => a.size - b.size);
    for (const [i, { path, size }] of files.entries()) {
      const cost = size > this.#left ? size : costOf(source, path);
      if (cost > this.#left) return new Set(files.slice(i).map((file) => file.path));
      this.#left -= cost;
    }
    return none;
  }
}

function costOf(source: FileSource, path: string): number {
  try {
    const text = source.read(path);
    return text.length + BYTES_A_LINE * countLines(text, Infinity);
  } catch {
    // It is not read, and why is said where it is asked for.
    return 0;
  }
}

function countLines(text: string, most: number): number {
  let count = 0;
  for (let at = text.indexOf('\n'); at >= 0 && count <= most; at = text.indexOf('\n', at + 1)) count++;
  return count;
}
