import { checkFile, type FileId, forItem, type Item, writeErrorFor } from './item';
import { type NewFile, setTimes } from './new-file';
import { CHANGE, READ } from '../system';
import type { WriteContext } from './setting';

/** How many files are compared at a time, since each comparison starts a process. */
const AT_ONCE = 400;

/** How many pairs of open files a process is handed. */
const COPIED_AT_ONCE = 100;

/** How many files get their times to the nanosecond: each starts a process, too. */
const EXACT_TIMES = 1000;

/**
 * Gives new files what node cannot see of the old ones (access control list, security label, extended attributes), and only then
 * the mode of the old ones: a mode alone may let in whom an access control list keeps out.
 */
export class AttributeCheck {
  #files: NewFile[] = [];
  #timed = 0;

  /** @param sync takes over a descriptor whose file is complete */
  constructor(
    private readonly setting: WriteContext,
    private readonly sync: (item: Item, fd: number) => Promise<void>,
  ) {}

  /** @returns whether {@link finish} is due */
  add(file: NewFile): boolean {
    this.#files.push(file);
    return this.#files.length >= AT_ONCE;
  }

  /** @throws WriteError where a new file cannot have what the old one has */
  async finish(): Promise<void> {
    const files = this.#files;
    this.#files = [];
    if (files.length === 0) return;
    this.#copyAttributes(files);
    const opened: number[] = [];
    try {
      for (const { path, id, step } of files) opened.push(this.#open(path, CHANGE, id, step.item));
      this.#setModeAndTimes(files, opened);
      for (const { step, place } of files) {
        await this.sync(step.item, opened.shift()!);
        forItem(step.item, () => place?.());
      }
    } finally {
      for (const fd of opened) this.setting.ops.close(fd);
    }
  }

  #setModeAndTimes(files: readonly NewFile[], opened: readonly number[]): void {
    const { ops, attributes } = this.setting;
    const exact: { fd: number; mtime: string }[] = [];
    for (const [index, { step, times }] of files.entries()) {
      const fd = opened[index]!;
      forItem(step.item, () => {
        ops.chmod(fd, step.stat.mode);
        if (times !== undefined) setTimes(this.setting, fd, times);
      });
      // Node can set whole microseconds.
      if (times !== undefined && !times.mtime.endsWith('000') && this.#timed++ < EXACT_TIMES)
        exact.push({ fd, mtime: times.mtime });
    }
    if (exact.length > 0) attributes.times(exact);
  }

  #copyAttributes(files: readonly NewFile[]): void {
    const { attributes } = this.setting;
    const pairs = (of: readonly NewFile[]): [string, string][] =>
      of.map(({ step, path }) => [step.item.path, path]);
    const ask = (of: readonly NewFile[], question: 'differing' | 'lost'): readonly NewFile[] => {
      try {
        return attributes[question](pairs(of)).flatMap((index) => of[index] ?? []);
      } catch (error) {
        // One that is gone by now must not be taken for the trouble of another.
        const half = of.length >> 1;
        if (half > 0) return [...ask(of.slice(0, half), question), ...ask(of.slice(half), question)];
        const reason = `cannot tell what attributes it has: ${(error as Error).message}`;
        throw writeErrorFor(of[0]!.step.item, new Error(reason, { cause: error }));
      }
    };
    const differing = ask(files, 'differing');
    if (differing.length === 0) return;
    for (let at = 0; at < differing.length; at += COPIED_AT_ONCE)
      this.#copy(differing.slice(at, at + COPIED_AT_ONCE));
    const [lost] = ask(differing, 'lost');
    if (lost !== undefined) throw lostError(lost.step.item);
  }

  #copy(files: readonly NewFile[]): void {
    const { ops, attributes } = this.setting;
    const opened: { from: number; to: number }[] = [];
    try {
      for (const { step, path, id } of files) {
        const from = this.#open(step.item.path, READ, step.stat, step.item);
        opened.push({ from, to: -1 });
        opened[opened.length - 1]!.to = this.#open(path, CHANGE, id, step.item);
      }
      const [failed] = attributes.copy(opened);
      if (failed !== undefined) throw lostError(files[failed]!.step.item);
      for (const [index, { times }] of files.entries())
        if (times === undefined) ops.times(opened[index]!.to, Date.now() / 1000, Date.now() / 1000);
    } finally {
      for (const fd of opened.flatMap(({ from, to }) => [from, to])) if (fd >= 0) ops.close(fd);
    }
  }

  /** @throws WriteError where another file has been put there: its attributes are not ours to change */
  #open(path: string, flags: number, file: FileId | undefined, item: Item): number {
    const { ops, directories } = this.setting;
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

function lostError(item: Item): Error {
  const lost = 'its access control list, security label or extended attributes';
  return writeErrorFor(
    item,
    new Error(`a new file could not have ${lost} (getfattr or GNU cp has to be there)`),
  );
}
