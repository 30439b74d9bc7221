import { createHash } from 'node:crypto';
import { AttributeCheck } from './attributecheck';
import { codeOf, reasonOf, WriteError } from './error';
import type { Entry, Journal } from './journal';
import { CHANGE, CREATE, lstatIfAny, readWhole, type Stat, unlinkIfAny, writeWhole } from './ops';
import { breathe, names, type Setting } from './setting';
import { Syncing } from './syncing';

/** One file that is to be replaced. */
export interface Item {
  /** Real path, byte string. */
  readonly path: string;
  /** How to call it. */
  readonly name: string;
  /** Whether these bytes are the ones that are to be replaced. */
  expects(bytes: Buffer): boolean;
  /** The bytes that shall stand there. */
  text(): Buffer;
  /** The times it shall have then; without, that of the writing. */
  readonly times?: Pick<Entry, 'atime' | 'mtime'>;
  /** Path of a copy to leave of the file as it was. */
  readonly backup?: string;
}

interface Step {
  readonly item: Item;
  readonly index: number;
  readonly stat: Stat;
  readonly entry: Entry;
  inPlace: boolean;
  /** Whether the original has a second name for the time being. */
  kept: boolean;
}

export function hashOf(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex');
}

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
          if (item.backup !== undefined) this.#checkBackup(item, item.backup);
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
      if (step.item.backup !== undefined) await this.#copyAside(step, step.item.backup);
      if (step.stat.links > 1) step.inPlace = true;
      else await this.#makeTemp(step);
      if (step.inPlace) return;
      this.#keep(step);
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

  #checkBackup({ name }: Item, backup: string): void {
    const { ops, directories } = this.#setting;
    if (lstatIfAny(ops, directories.reach(backup)) === undefined) return;
    throw new WriteError(
      backup,
      `${name}: there is a file ${backup.slice(backup.lastIndexOf('/') + 1)} already`,
    );
  }

  async #makeTemp(step: Step): Promise<void> {
    const { ops } = this.#setting;
    const { temp } = this.#names(step);
    const fd = this.#create(temp, step.item.text());
    try {
      step.inPlace = !this.#dress(fd, step);
      if (!step.inPlace && step.item.times !== undefined) setTimes(this.#setting, fd, step.item.times);
    } catch (error) {
      ops.close(fd);
      throw error;
    }
    if (!step.inPlace) {
      await this.#syncing.add(fd, (error) => this.#trouble(step.item.name, error));
      return;
    }
    ops.close(fd);
    unlinkIfAny(ops, this.#setting.directories.reach(temp));
  }

  #create(path: string, bytes: Buffer): number {
    const { ops, directories } = this.#setting;
    const fd = ops.open(directories.reach(path), CREATE, 0o600);
    try {
      writeWhole(ops, fd, bytes);
      return fd;
    } catch (error) {
      ops.close(fd);
      throw error;
    }
  }

  /** @returns false where the new file cannot have the owner that the old one has */
  #dress(fd: number, { stat }: Step): boolean {
    const { ops } = this.#setting;
    const own = ops.stat(fd);
    if (own.uid !== stat.uid || own.gid !== stat.gid) {
      try {
        ops.chown(fd, stat.uid, stat.gid);
      } catch (error) {
        if (codeOf(error) !== 'EPERM') throw error;
        return false;
      }
    }
    // After the owner: changing that clears set-id bits.
    ops.chmod(fd, stat.mode);
    return true;
  }

  /** Gives the file a second name, under which it outlives its replacement until that is final. */
  #keep(step: Step): void {
    const { ops, directories } = this.#setting;
    const kept = directories.reach(this.#names(step).kept);
    try {
      ops.link(directories.reach(step.item.path), kept);
    } catch (error) {
      if (!isLinkless(error)) throw error;
      // The journal has the bytes.
      return;
    }
    if (!isSame(ops.lstat(kept), step.stat)) throw changed(step.item);
    step.kept = true;
  }

  async #copyAside(step: Step, backup: string): Promise<void> {
    const { ops, directories } = this.#setting;
    const { copy } = this.#names(step);
    const fd = this.#create(copy, this.#journal.read(step.entry.at, step.entry.size));
    this.#dress(fd, step);
    setTimes(this.#setting, fd, step.entry);
    await this.#syncing.add(fd, (error) => this.#trouble(step.item.name, error));
    try {
      // Not by rename: that would replace a file that has come up meanwhile.
      ops.link(directories.reach(copy), directories.reach(backup));
    } catch (error) {
      if (!isLinkless(error)) throw error;
      ops.rename(directories.reach(copy), directories.reach(backup));
      return;
    }
    ops.unlink(directories.reach(copy));
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

function changed({ path, name }: Item, since: 'read' | 'written' = 'read'): WriteError {
  return new WriteError(path, `${name}: changed since it was ${since}`);
}

/** A file system without links, or a rule against them. */
function isLinkless(error: unknown): boolean {
  return ['EPERM', 'EACCES', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK'].includes(codeOf(error) ?? '');
}

function isSame(now: Stat, before: Stat): boolean {
  const { kind, dev, ino, size, mtime } = before;
  return now.kind === kind && now.ino === ino && now.dev === dev && now.size === size && now.mtime === mtime;
}

/** In one go: as long as the file is no longer than a page, no reader sees half of it. */
export function overwrite({ ops }: Setting, fd: number, bytes: Buffer): void {
  writeWhole(ops, fd, bytes);
  ops.truncate(fd, bytes.length);
}

/** As exactly as node can: see {@link Attributes}. */
export function setTimes(
  { ops }: Setting,
  fd: number,
  { atime, mtime }: Pick<Entry, 'atime' | 'mtime'>,
): void {
  const seconds = (nanoseconds: string): number => Number(nanoseconds) / 1e9;
  ops.times(fd, seconds(atime), seconds(mtime));
}
