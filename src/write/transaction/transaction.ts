import { AttributeCheck } from './attribute-check';
import { codeOf, isGone, WriteError } from '../error';
import { changedError, forItem, hashOf, isSame, type Item, type WriteStep, writeErrorFor } from './item';
import type { JournalEntry, Journal } from '../journal';
import { backupPath, makeBackup, linkOriginal, linkTemp, makeTemp } from './new-file';
import { CHANGE, type FileOps, readWhole, type Stat } from '../system';
import { yieldToSignals, temporaryNames, type WriteContext } from './setting';

const LARGEST = 2 ** 30;

/** Replaces files, in the order of its methods. What it has done is taken back by another: see `rollBack`. */
export class Transaction {
  readonly #setting: WriteContext;
  readonly #journal: Journal;
  readonly #id: string;
  readonly #items: readonly Item[];
  readonly #steps: WriteStep[] = [];
  readonly #syncing: SyncQueue;
  /** Why files cannot be replaced, the first reason first: all are looked at before it is said. */
  readonly #refusals: WriteError[] = [];
  /** By file and new text, the first step of names that stay one file: those of a file with several that get the same text. */
  readonly #linked = new Map<string, WriteStep>();

  constructor(setting: WriteContext, journal: Journal, items: readonly Item[]) {
    this.#setting = setting;
    this.#journal = journal;
    this.#id = journal.header.id;
    this.#items = items;
    this.#syncing = new SyncQueue(setting.ops);
  }

  /** Reads each file again, compares, and keeps its bytes and all that is known of it in the journal. Touches nothing. */
  async survey(): Promise<void> {
    await this.#eachPossible(
      this.#items,
      'checked',
      (item) => item,
      (item) => {
        const { ops } = this.#setting;
        const isUndo = this.#journal.header.kind === 'undo';
        const fd = this.#open(item, isUndo);
        try {
          const stat = ops.stat(fd);
          if (stat.kind !== 'file' && isUndo) throw changedError(item, 'written');
          if (stat.kind !== 'file') throw Object.assign(new Error(), { code: 'ENXIO' });
          // No configuration is so large, and nothing that is can be read at once.
          if (stat.size > LARGEST) throw changedError(item, isUndo ? 'written' : 'read');
          const bytes = readWhole(ops, fd, stat.size);
          if (!item.expects(bytes)) throw changedError(item, isUndo ? 'written' : 'read');
          const backup = backupPath(this.#setting, this.#id, item);
          this.#steps.push(this.#step({ ...item, ...(backup !== undefined && { backup }) }, stat, bytes));
        } finally {
          ops.close(fd);
        }
      },
    );
    this.#throwRefusals();
    await this.#journal.sync();
  }

  /** @throws WriteError for a file that an undo finds gone, or something else in its place; else the system's error */
  #open(item: Item, isUndo: boolean): number {
    const { ops, directories } = this.#setting;
    try {
      return ops.open(directories.reach(item.path), CHANGE);
    } catch (error) {
      throw isUndo && isGone(error) ? changedError(item, 'written') : error;
    }
  }

  /** Writes the new files beside the old ones, until all that can fail for want of space or rights has been done. */
  async prepare(): Promise<void> {
    const attributes = new AttributeCheck(this.#setting, (item, fd) => this.#sync(item, fd));
    await this.#eachPossible(this.#steps, 'prepared', itemOf, async (step) => {
      const { item, entry } = step;
      let isBatchFull = false;
      if (item.backup !== undefined) {
        const old = this.#journal.read(entry.at, entry.size);
        attributes.add(makeBackup(this.#setting, this.#id, step, old));
      }
      if (!linkTemp(this.#setting, this.#id, step))
        isBatchFull = attributes.add(makeTemp(this.#setting, this.#id, step));
      linkOriginal(this.#setting, this.#id, step);
      if (isBatchFull) await attributes.finish();
    });
    this.#throwRefusals();
    await attributes.finish();
    await this.#syncing.drain();
    this.#journal.line({ ready: true });
    await this.#journal.sync();
  }

  /** Puts the new files in the place of the old ones. */
  async commit(): Promise<void> {
    const { ops, directories } = this.#setting;
    await this.#each(this.#steps, 'written', itemOf, (step) => {
      const target = directories.reach(step.item.path);
      if (!isSame(ops.lstat(target), step.stat)) throw changedError(step.item);
      ops.rename(directories.reach(this.#names(step).temp), target);
    });
    // An edit that went into the old file until the last moment would be lost.
    for (const { originalLinked, index, item, stat } of this.#steps) {
      if (!originalLinked) continue;
      const { kept } = temporaryNames(item.path, this.#id, index);
      if (!forItem(item, () => isSame(ops.lstat(directories.reach(kept)), stat))) throw changedError(item);
    }
    await this.#syncDirectories();
    this.#stopIfAsked();
  }

  /** To be called before anything is taken back: until then descriptors are in use. */
  async settle(): Promise<void> {
    await this.#syncing.settle();
  }

  #step(item: Item, stat: Stat, bytes: Buffer): WriteStep {
    const entry: JournalEntry = {
      path: item.path,
      mode: stat.mode,
      uid: stat.uid,
      gid: stat.gid,
      atime: String(stat.atime),
      mtime: String(stat.mtime),
      at: this.#journal.store(bytes),
      size: bytes.length,
      old: hashOf(bytes),
      new: hashOf(item.text()),
      ...(item.backup === undefined ? {} : { backup: item.backup }),
    };
    this.#journal.line({ entry });
    const step: WriteStep = {
      item,
      index: this.#steps.length,
      stat,
      entry,
      first: this.#linked.get(`${stat.dev}:${stat.ino}:${entry.new}`),
      newFile: undefined,
      originalLinked: false,
    };
    if (stat.links > 1 && step.first === undefined)
      this.#linked.set(`${stat.dev}:${stat.ino}:${entry.new}`, step);
    return step;
  }

  async #sync(item: Item, fd: number): Promise<void> {
    await this.#syncing.add(fd, (error) => writeErrorFor(item, error));
  }

  async #syncDirectories(): Promise<void> {
    const { directories } = this.#setting;
    const seen = new Set<string>();
    for (const { item } of this.#steps) {
      const directory = item.path.slice(0, item.path.lastIndexOf('/'));
      if (seen.has(directory)) continue;
      seen.add(directory);
      const fd = forItem(item, () => directories.openDirectoryOf(item.path));
      if (fd === undefined) continue;
      await this.#syncing.add(fd, (error) =>
        // Some file systems refuse it; the renames stand all the same.
        codeOf(error) === 'EINVAL' ? undefined : writeErrorFor(item, error),
      );
    }
    await this.#syncing.drain();
  }

  /** Like `#each`, but goes on behind what is the trouble of one file: `#throwRefusals` says all of them. */
  async #eachPossible<T>(
    list: readonly T[],
    verb: string,
    itemOf: (element: T) => Item,
    action: (element: T, index: number) => void | Promise<void>,
  ): Promise<void> {
    await this.#each(list, verb, itemOf, async (element, index) => {
      try {
        await action(element, index);
      } catch (error) {
        const failure = writeErrorFor(itemOf(element), error);
        if (failure.refused.length === 0) throw failure;
        this.#refusals.push(failure);
      }
    });
  }

  /** @throws WriteError with the message of the first */
  #throwRefusals(): void {
    const [first] = this.#refusals;
    if (first === undefined) return;
    const refused = this.#refusals.flatMap((error) => error.refused);
    throw new WriteError(first.path, first.message, first.cause, refused);
  }

  async #each<T>(
    list: readonly T[],
    verb: string,
    itemOf: (element: T) => Item,
    action: (element: T, index: number) => void | Promise<void>,
  ): Promise<void> {
    const { watch } = this.#setting;
    for (const [index, element] of list.entries()) {
      try {
        const done = action(element, index);
        if (done !== undefined) await done;
      } catch (error) {
        throw writeErrorFor(itemOf(element), error);
      }
      watch.progress(index + 1, list.length, verb);
      await yieldToSignals();
      this.#stopIfAsked();
    }
  }

  #stopIfAsked(): void {
    if (this.#setting.watch.interrupted()) throw new WriteError('', 'interrupted');
  }

  #names({ item, index }: WriteStep): ReturnType<typeof temporaryNames> {
    return temporaryNames(item.path, this.#id, index);
  }
}

const itemOf = ({ item }: WriteStep): Item => item;

/** How many syncs wait for the disk at a time: it takes them together. */
const AT_ONCE = 32;

/** Syncs descriptors side by side and closes each. */
class SyncQueue {
  readonly #running = new Set<Promise<void>>();
  #failure: { readonly error: unknown } | undefined;

  constructor(private readonly ops: FileOps) {}

  /**
   * Takes over the descriptor; waits while too many others are under way.
   * @param failed makes of an error what {@link drain} or the next call throws; undefined for one that does not matter
   */
  async add(fd: number, failed: (error: unknown) => unknown): Promise<void> {
    const element = this.#syncAndClose(fd, failed);
    this.#running.add(element);
    void element.then(() => this.#running.delete(element));
    if (this.#running.size >= AT_ONCE) await Promise.race(this.#running);
    this.#throw();
  }

  /** Until all are safe on the disk. */
  async drain(): Promise<void> {
    await this.settle();
    this.#throw();
  }

  /** Until none is under way, failed or not. */
  async settle(): Promise<void> {
    await Promise.all(this.#running);
  }

  async #syncAndClose(fd: number, failed: (error: unknown) => unknown): Promise<void> {
    try {
      try {
        await this.ops.sync(fd);
      } finally {
        this.ops.close(fd);
      }
    } catch (error) {
      const failure = failed(error);
      if (failure !== undefined) this.#failure ??= { error: failure };
    }
  }

  #throw(): void {
    if (this.#failure === undefined) return;
    const { error } = this.#failure;
    this.#failure = undefined;
    throw error;
  }
}
