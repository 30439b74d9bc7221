import { CHANGE, READ } from './ops';
import type { Entry } from './journal';
import type { Setting } from './setting';

/** So many files are asked about at a time: they are open then, and asking costs a process. */
const AT_ONCE = 400;

/** So many files get their times to the nanosecond: each takes a process, too. */
const EXACT_TIMES = 1000;

interface Pair<T> {
  readonly step: T;
  /** The file, and the one that shall take its place. */
  readonly path: string;
  readonly temp: string;
  readonly times: Pick<Entry, 'atime' | 'mtime'> | undefined;
}

/** Sees to it that a new file has what node cannot see of the old one: access control list, security label, extended attributes. */
export class AttributeCheck<T> {
  readonly #setting: Setting;
  #pairs: Pair<T>[] = [];
  #timed = 0;

  constructor(setting: Setting) {
    this.#setting = setting;
  }

  /** @returns whether it is time to settle */
  add(pair: Pair<T>): boolean {
    this.#pairs.push(pair);
    return this.#pairs.length >= AT_ONCE;
  }

  /** @returns the steps whose new file still differs: only the old file itself can keep what it has */
  async settle(): Promise<readonly T[]> {
    const pairs = this.#pairs;
    this.#pairs = [];
    const differing = this.#differing(pairs);
    for (const pair of differing) await this.#copy(pair);
    const lost = differing.length === 0 ? [] : this.#differing(differing);
    this.#setTimes(pairs.filter((pair) => !lost.includes(pair)));
    return lost.map(({ step }) => step);
  }

  #differing(pairs: readonly Pair<T>[]): readonly Pair<T>[] {
    if (pairs.length === 0) return [];
    const indexes = this.#setting.attributes.differing(pairs.map(({ path, temp }) => [path, temp]));
    return indexes.flatMap((index) => pairs[index] ?? []);
  }

  async #copy({ path, temp, times }: Pair<T>): Promise<void> {
    const { ops, directories, attributes } = this.#setting;
    const from = ops.open(directories.reach(path), READ);
    try {
      const to = ops.open(directories.reach(temp), CHANGE);
      try {
        attributes.copy(from, to);
        if (times === undefined) ops.times(to, Date.now() / 1000, Date.now() / 1000);
        await ops.sync(to);
      } finally {
        ops.close(to);
      }
    } finally {
      ops.close(from);
    }
  }

  #setTimes(pairs: readonly Pair<T>[]): void {
    const { ops, directories, attributes } = this.#setting;
    const files: { fd: number; mtime: string }[] = [];
    try {
      for (const { temp, times } of pairs) {
        // Whole microseconds are no trouble to node.
        if (times !== undefined && !times.mtime.endsWith('000') && this.#timed++ < EXACT_TIMES)
          files.push({ fd: ops.open(directories.reach(temp), CHANGE), mtime: times.mtime });
      }
      if (files.length > 0) attributes.times(files);
    } finally {
      for (const { fd } of files) ops.close(fd);
    }
  }
}
