import { CHANGE, READ } from './ops';
import { checkFile, type FileId, type Item, type WriteStep, writeErrorFor } from './item';
import type { WriteContext } from './setting';

/** How many files are compared at a time, since each comparison starts a process. */
const AT_ONCE = 400;

/** How many files get their times to the nanosecond: each starts a process, too. */
const EXACT_TIMES = 1000;

interface Pair {
  readonly step: WriteStep;
  /** Of the file that shall take its place. */
  readonly temp: string;
}

/** Copies to a new file what node cannot see of the old one: access control list, security label, extended attributes. */
export class AttributeCheck {
  readonly #setting: WriteContext;
  #pairs: Pair[] = [];
  #timed = 0;

  constructor(setting: WriteContext) {
    this.#setting = setting;
  }

  /** @returns whether {@link finish} is due */
  add(pair: Pair): boolean {
    this.#pairs.push(pair);
    return this.#pairs.length >= AT_ONCE;
  }

  /** @returns the steps whose new file still differs: it cannot have what the old one has */
  async finish(): Promise<readonly WriteStep[]> {
    const pairs = this.#pairs;
    this.#pairs = [];
    const differing = this.#differing(pairs);
    for (const pair of differing) {
      try {
        await this.#copy(pair);
      } catch (error) {
        throw writeErrorFor(pair.step.item, error);
      }
    }
    const lost = differing.length === 0 ? [] : this.#differing(differing);
    this.#setTimes(pairs.filter((pair) => !lost.includes(pair)));
    return lost.map(({ step }) => step);
  }

  #differing(pairs: readonly Pair[]): readonly Pair[] {
    if (pairs.length === 0) return [];
    const indexes = this.#setting.attributes.differing(pairs.map(({ step, temp }) => [step.item.path, temp]));
    return indexes.flatMap((index) => pairs[index] ?? []);
  }

  async #copy({ step, temp }: Pair): Promise<void> {
    const { ops, attributes } = this.#setting;
    const from = this.#open(step.item.path, READ, step.stat, step.item);
    try {
      const to = this.#open(temp, CHANGE, step.newFile, step.item);
      try {
        attributes.copy(from, to);
        if (step.item.times === undefined) ops.times(to, Date.now() / 1000, Date.now() / 1000);
        await ops.sync(to);
      } finally {
        ops.close(to);
      }
    } finally {
      ops.close(from);
    }
  }

  #setTimes(pairs: readonly Pair[]): void {
    const { ops, attributes } = this.#setting;
    const files: { fd: number; mtime: string }[] = [];
    try {
      for (const { step, temp } of pairs) {
        const { times } = step.item;
        // Node can set whole microseconds.
        if (times !== undefined && !times.mtime.endsWith('000') && this.#timed++ < EXACT_TIMES)
          files.push({ fd: this.#open(temp, CHANGE, step.newFile, step.item), mtime: times.mtime });
      }
      if (files.length > 0) attributes.times(files);
    } finally {
      for (const { fd } of files) ops.close(fd);
    }
  }

  /** @throws WriteError where another file has been put there: its attributes are not ours to change */
  #open(path: string, flags: number, file: FileId | undefined, item: Item): number {
    const { ops, directories } = this.#setting;
    let fd: number | undefined;
    try {
      fd = ops.open(directories.reach(path), flags);
      checkFile(ops.stat(fd), file, item);
      return fd;
    } catch (error) {
      if (fd !== undefined) ops.close(fd);
      throw writeErrorFor(item, error);
    }
  }
}
