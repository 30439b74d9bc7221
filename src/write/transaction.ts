import { AttributeCheck } from './attributecheck';
import { codeOf, reasonOf, WriteError } from './error';
import { changed, hashOf, isSame, type Item, type Step } from './item';
import type { Entry, Journal } from './journal';
import { checkBackup, copyAside, keep, makeTemp, overwrite, setTimes } from './newfile';
import { CHANGE, readWhole, type Stat, unlinkIfAny } from './ops';
import { breathe, names, type Setting } from './setting';
import { Syncing } from './syncing';

/** Replaces files, in the order of its methods. What it has done is taken back by another: see {@link takeBack}. */
export class Transaction {
  readonly #setting: Setting;
  readonly #journal: Journal;
  readonly #id: string;
  readonly #items: readonly Item[];
  readonly #steps: Step[] = [];
  readonly #syncing: Syncing;
  /** Files with several names, by device and inode. */
  readonly #linked = new Map<string, Item>();

  constructor(setting: Setting, journal: Journal, items: readonly Item[]) {
    this.#setting = setting;
    this.#journal = journal;
    this.#id = journal.header.id;
    this.#items = items;
    this.#syncing = new Syncing(setting.ops);
  }

  /** Reads each file again, compares, and keeps its bytes and all that is known of it in the journal. Touches nothing. */
  async survey(): Promise<void> {
    await this.#each(
      this.#items,
      'checked',
      ({ name }) => name,
      (item) => {
        const { ops, directories } = this.#setting;
        const fd = ops.open(directories.reach(item.path), CHANGE);
        try {
          const stat = ops.stat(fd);
          if (stat.kind !== 'file') throw Object.assign(new Error(), { code: 'ENXIO' });
          const bytes = readWhole(ops, fd, stat.size);
          if (!item.expects(bytes))
            throw changed(item, this.#journal.header.kind === 'undo' ? 'written' : 'read');
          if (stat.links > 1 && this.#isOther(item, stat)) return;
          if (item.backup !== undefined) checkBackup(this.#setting, item.name, item.backup);
          this.#steps.push(this.#step(item, stat, bytes));
        } finally {
          ops.close(fd);
        }
      },
    );
    await this.#journal.sync();
  }

  /** Writes the new files beside the old ones, until all that can fail for want of space or rights has been done. */
  async prepare(): Promise<void> {
    const attributes = new AttributeCheck<Step>(this.#setting);
    await this.#each(this.#steps, 'prepared', nameOf, async (step) => {
      const { item, entry } = step;
      if (item.backup !== undefined) {
        const old = this.#journal.read(entry.at, entry.size);
        await this.#sync(item, copyAside(this.#setting, this.#id, step, old));
      }
      const fd = step.stat.links > 1 ? undefined : makeTemp(this.#setting, this.#id, step);
      step.inPlace = fd === undefined;
      if (fd === undefined) return;
      await this.#sync(item, fd);
      keep(this.#setting, this.#id, step);
      const { temp } = this.#names(step);
      if (attributes.add({ step, path: step.item.path, temp, times: step.item.times }))
        this.#overwrite(await attributes.settle());
    });
    this.#overwrite(await attributes.settle());
    await this.#syncing.drain();
    for (const { inPlace, item, index } of this.#steps) {
      if (!inPlace) continue;
      const bytes = item.text();
      this.#journal.line({ inPlace: [index, { at: this.#journal.store(bytes), size: bytes.length }] });
    }
    this.#journal.line({ ready: true });
    await this.#journal.sync();
  }

  /** Puts the new files in the place of the old ones. */
  async commit(): Promise<void> {
    const { ops, directories } = this.#setting;
    await this.#each(this.#steps, 'written', nameOf, async (step) => {
      if (step.inPlace) {
        await this.#rewrite(step);
        return;
      }
      const target = directories.reach(step.item.path);
      if (!isSame(ops.lstat(target), step.stat)) throw changed(step.item);
      ops.rename(directories.reach(this.#names(step).temp), target);
    });
    // An edit that went into the old file until the last moment would be lost.
    for (const { kept, index, item, stat } of this.#steps) {
      if (kept && !isSame(ops.lstat(directories.reach(names(item.path, this.#id, index).kept)), stat))
        throw changed(item);
    }
    await this.#syncDirectories();
    this.#stopIfAsked();
  }

  /** To be called before anything is taken back: until then descriptors are in use. */
  async settle(): Promise<void> {
    await this.#syncing.settle();
  }

  #step(item: Item, stat: Stat, bytes: Buffer): Step {
    const entry: Entry = {
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
    return { item, index: this.#steps.length, stat, entry, inPlace: false, kept: false };
  }

  /** Whether the file comes by another name already. */
  #isOther(item: Item, stat: Stat): boolean {
    const key = `${stat.dev}:${stat.ino}`;
    const other = this.#linked.get(key);
    if (other === undefined) {
      this.#checkLinks(item, stat);
      this.#linked.set(key, item);
      return false;
    }
    if (other.text().equals(item.text())) return true;
    throw new Error(`it is the same file as ${other.name}, but would need another text`);
  }

  /** Root may be led to write anywhere by a second name that someone gave to a file that is not theirs. */
  #checkLinks({ path }: Item, stat: Stat): void {
    const { ops, directories, host } = this.#setting;
    if (host.uid !== 0) return;
    const directory = ops.lstat(directories.reach(`${path.slice(0, path.lastIndexOf('/'))}/.`));
    const foreign = directory.uid !== 0 && directory.uid !== stat.uid;
    if (foreign || (directory.mode & 0o022) !== 0)
      throw new Error('it has hard links, and not only its owner could have made this one');
  }

  async #sync(item: Item, fd: number): Promise<void> {
    await this.#syncing.add(fd, (error) => this.#trouble(item.name, error));
  }

  /** Steps whose attributes a new file cannot have. */
  #overwrite(steps: readonly Step[]): void {
    const { ops, directories } = this.#setting;
    for (const step of steps) {
      const { temp, kept } = this.#names(step);
      unlinkIfAny(ops, directories.reach(temp));
      unlinkIfAny(ops, directories.reach(kept));
      step.inPlace = true;
      step.kept = false;
    }
  }

  /** Overwrites the file itself: its links, its owner and whatever else belongs to it stay. */
  async #rewrite({ item, stat }: Step): Promise<void> {
    const { ops, directories } = this.#setting;
    const fd = ops.open(directories.reach(item.path), CHANGE);
    try {
      if (!isSame(ops.stat(fd), stat) || !item.expects(readWhole(ops, fd, stat.size))) throw changed(item);
      overwrite(this.#setting, fd, item.text());
      if (item.times !== undefined) {
        setTimes(this.#setting, fd, item.times);
        this.#setting.attributes.times([{ fd, mtime: item.times.mtime }]);
      }
      await ops.sync(fd);
    } finally {
      ops.close(fd);
    }
  }

  async #syncDirectories(): Promise<void> {
    const { directories } = this.#setting;
    const seen = new Set<string>();
    for (const { item } of this.#steps) {
      const directory = item.path.slice(0, item.path.lastIndexOf('/'));
      if (seen.has(directory)) continue;
      seen.add(directory);
      const fd = directories.openDirectoryOf(item.path);
      if (fd === undefined) continue;
      await this.#syncing.add(fd, (error) =>
        // Some file systems refuse it; the renames stand all the same.
        codeOf(error) === 'EINVAL' ? undefined : this.#trouble(item.name, error),
      );
    }
    await this.#syncing.drain();
  }

  async #each<T>(
    list: readonly T[],
    what: string,
    called: (one: T) => string,
    action: (one: T, index: number) => void | Promise<void>,
  ): Promise<void> {
    const { watch } = this.#setting;
    for (const [index, one] of list.entries()) {
      try {
        const done = action(one, index);
        if (done !== undefined) await done;
      } catch (error) {
        throw this.#trouble(called(one), error);
      }
      watch.progress(index + 1, list.length, what);
      await breathe();
      this.#stopIfAsked();
    }
  }

  #stopIfAsked(): void {
    if (this.#setting.watch.interrupted()) throw new WriteError('', 'interrupted');
  }

  #trouble(name: string, error: unknown): WriteError {
    return error instanceof WriteError
      ? error
      : new WriteError(name, `${name}: cannot write: ${reasonOf(error)}`, error);
  }

  #names({ item, index }: Step): ReturnType<typeof names> {
    return names(item.path, this.#id, index);
  }
}

const nameOf = ({ item }: Step): string => item.name;
