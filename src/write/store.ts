import { randomBytes } from 'node:crypto';
import { posix } from 'node:path';
import type { Plan } from '../engine/types';
import { codeOf, reasonOf, WriteError } from './error';
import {
  acquireLock,
  findPlace,
  type Header,
  type Host,
  type IndexChange,
  type UnrevertedEntry,
  type IndexOps,
  Journal,
  LockedError,
  openPlace,
  renameDirectory,
  reversed,
  type StateDirectory,
  statePlaces,
  syncParents,
} from './journal';
import {
  DAMAGED,
  findUndoable,
  finish,
  isTouched,
  listWrites,
  notRemovedText,
  pruneWrites,
  type PutAside,
  putAsideDamaged,
  recover,
  type Recovered,
  STATES,
  type UndoableWrite,
  undoItems,
  type UndoOptions,
  type UndoResult,
  type WriteList,
} from './recovery';
import {
  type Attributes,
  attributes as realAttributes,
  Directories,
  type FileOps,
  raw,
  realOps,
} from './system';
import { type Item, Transaction, type WriteContext, type WriteObserver } from './transaction';

/** Milliseconds to wait for another run. */
const WAIT_MS = 10_000;

export interface StoreOptions {
  readonly host: Host;
  readonly progress: WriteObserver['progress'];
  /** Absolute, byte string. */
  readonly cwd: string;
  /**
   * What an interrupted run has left is put in order, or not; `keep-changed` leaves the files that have changed since. `look` is
   * for what only looks: it makes no place for journals, and does without a lock where the disk takes nothing.
   */
  readonly recover: 'yes' | 'no' | 'keep-changed' | 'look';
  readonly indexes: IndexOps;
  /** A line for the user, while things go on. */
  readonly note: (line: string) => void;
  /** For tests. */
  readonly ops?: FileOps;
  readonly attributes?: Attributes;
  readonly wait?: number;
}

export interface WriteOptions {
  /** The paths given, for the list of writes. */
  readonly paths: readonly string[];
  /** What to add to a file's name for the copy to leave beside it. */
  readonly backup?: string;
}

/** A file that gets new bytes: all strings are byte strings. */
export interface FileReplacement {
  /** Real path. */
  readonly path: string;
  /** The name of the file in messages. */
  readonly name: string;
  /** What stands there now. */
  readonly before: string;
  readonly after: string;
}

/** A change of git's index that belongs to a write: both happen, or neither does. */
export interface JointChange {
  /** What the change does to the index, for whoever takes the write back; undefined for nothing. */
  readonly index: IndexChange | undefined;
  /** Done when all files are in place; where it throws, it must have changed nothing, and the files are put back. */
  apply(): void;
}

/**
 * Opens the place where journals are kept, for this process alone, and settles what an interrupted run has left.
 * @throws WriteError
 */
export async function openStore(options: StoreOptions): Promise<Store> {
  const { ops = realOps, host, indexes, attributes = realAttributes } = options;
  try {
    const place = options.recover === 'look' ? findPlace(ops, host) : openPlace(ops, host);
    const release = place === undefined ? () => undefined : await lockHeld(ops, place, options);
    const watch: WriteObserver = { interrupted: () => false, progress: options.progress };
    const directories = new Directories(ops);
    const setting: WriteContext = { ops, host, watch, attributes, indexes, directories };
    const store = new Store(setting, place ?? noPlace(host), options.cwd, release);
    try {
      if (options.recover === 'yes' || options.recover === 'keep-changed')
        await store.recover(options.recover === 'keep-changed', options.note);
      return store;
    } catch (error) {
      store.close();
      throw error;
    }
  } catch (error) {
    if (error instanceof WriteError) throw error;
    const unchangedText = error instanceof LockedError ? '' : 'cannot keep a journal: ';
    throw new WriteError('', `${unchangedText}${reasonOf(error)}; nothing written`, error);
  }
}

/** Codes of a disk that takes nothing: whoever only looks does without a lock then. */
const TAKES_NOTHING: ReadonlySet<string> = new Set(['ENOSPC', 'EDQUOT', 'EROFS']);

/** For whoever only looks, where there is nothing to see. */
function noPlace(host: Host): StateDirectory {
  const path = statePlaces(host)[0]!;
  return { path, at: path, users: host.uid === undefined ? undefined : [host.uid], close: () => undefined };
}

/** @returns what releases the lock and the place */
async function lockHeld(ops: FileOps, place: StateDirectory, options: StoreOptions): Promise<() => void> {
  try {
    const release = await lockPlace(ops, place, options);
    return () => {
      try {
        release();
      } finally {
        place.close();
      }
    };
  } catch (error) {
    place.close();
    throw error;
  }
}

/** @returns what releases the lock */
async function lockPlace(
  ops: FileOps,
  place: StateDirectory,
  { host, recover: recovers, wait = WAIT_MS, note }: StoreOptions,
): Promise<() => void> {
  try {
    for (const state of ['lock', DAMAGED, ...STATES]) makeDirectory(ops, place, state);
    const onWait = (holder: string): void => note(`waiting for ${holder}`);
    return await acquireLock(ops, place, host, { wait, onWait });
  } catch (error) {
    if (recovers === 'look' && TAKES_NOTHING.has(codeOf(error) ?? '')) return () => undefined;
    throw error;
  }
}

/** @throws Error where something else stands there, which could lead anywhere */
function makeDirectory(ops: FileOps, { at, path, users }: StateDirectory, name: string): void {
  try {
    ops.mkdir(raw(`${at}/${name}`), 0o700);
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error;
    const { kind, uid } = ops.lstat(raw(`${at}/${name}`));
    if (kind !== 'directory' || users?.includes(uid) === false)
      throw new Error(`${path}/${name} is no directory of yours`, { cause: error });
  }
}

/** With all links followed, as journals name files; of a path that is gone, what is written. */
function realPath(ops: FileOps, cwd: string, path: string): string {
  const absolute = posix.resolve(cwd, path);
  try {
    return ops.real(raw(absolute));
  } catch {
    return absolute;
  }
}

/** @throws WriteError with the message of what it throws */
function applyJoint(joint: JointChange | undefined): void {
  try {
    joint?.apply();
  } catch (error) {
    throw new WriteError('', (error as Error).message, error);
  }
}

/** The journals of this user, and what can be done with them. */
export class Store {
  /** What was settled when it was opened. */
  recovered: readonly Recovered[] = [];

  constructor(
    private readonly setting: WriteContext,
    private readonly place: StateDirectory,
    private readonly cwd: string,
    private readonly release: () => void,
  ) {}

  async recover(keepChanged: boolean, note: (line: string) => void): Promise<void> {
    this.recovered = await recover(this.setting, this.place, keepChanged);
    for (const { text, indexLeft = [] } of this.recovered)
      for (const line of [text, ...indexLeft]) note(line);
  }

  /**
   * Puts all files of the plan on disk, or none.
   * @throws WriteError
   */
  async write(plan: Plan, options: WriteOptions): Promise<void> {
    await this.replace(
      plan.map(({ file, text }) => ({
        path: file.path,
        name: file.name,
        before: file.document.text,
        after: text,
      })),
      options,
    );
  }

  /**
   * Replaces all of these files, or none. If a run is killed in between, the next one puts back the files and what `joint` has
   * changed.
   * @throws WriteError, and what `joint.apply` throws: nothing has changed then
   */
  async replace(
    files: readonly FileReplacement[],
    { paths, backup }: WriteOptions,
    joint?: JointChange,
  ): Promise<void> {
    const items = files.map(({ path, name, before, after }): Item => {
      return {
        path,
        name,
        expects: (bytes) => bytes.equals(Buffer.from(before, 'latin1')),
        text: () => Buffer.from(after, 'latin1'),
        ...(backup === undefined ? {} : { backup: path + backup }),
      };
    });
    await this.#transact({ kind: 'write', paths }, items, 'nothing written', joint);
    try {
      pruneWrites(this.setting.ops, this.place, 'bounds');
    } catch {
      // The next write tries again; this one is complete.
    }
  }

  /**
   * The write that an undo would take back: the one of that id, or the last that has touched one of the paths or a file below it.
   * @param paths byte strings, relative to the working directory
   * @returns undefined if there is none
   * @throws WriteError where the one of that id cannot be read
   */
  findUndoable(id: string | undefined, paths: readonly string[]): UndoableWrite | undefined {
    const { ops } = this.setting;
    return findUndoable(
      ops,
      this.place,
      id,
      paths.map((path) => realPath(ops, this.cwd, path)),
    );
  }

  /**
   * Whether an interrupted write was taken back, when the store was opened, that an undo would be about: see {@link
   * findUndoable}. It was the last one then.
   */
  hasTakenBack(id: string | undefined, paths: readonly string[]): boolean {
    const below = paths.map((path) => realPath(this.setting.ops, this.cwd, path));
    return this.recovered.some(
      (found) =>
        found.kind === 'write' &&
        found.result === 'taken back' &&
        (found.id === id || isTouched(found.files, below)),
    );
  }

  /**
   * Takes a write back, with what it has staged: both or neither.
   * @throws WriteError
   */
  async undo(options: UndoOptions): Promise<UndoResult> {
    const found = undoItems(this.setting, this.place, options);
    try {
      const { header, items, left, index } = found;
      if (items.length === 0) {
        const refused = left.flatMap((path) => {
          const why = options.except?.(path);
          return why === undefined ? [] : [`${path}: ${why}`];
        });
        const said = refused.length > 0 ? `${refused.join('; ')}; every other file` : 'every file';
        throw new WriteError('', `${said} has changed since it was written; nothing taken back`);
      }
      const indexLeft: UnrevertedEntry[] = [];
      const joint = index && {
        index: reversed(index),
        apply: () => void indexLeft.push(...this.setting.indexes.takeBack(index)),
      };
      await this.#transact(
        { kind: 'undo', paths: header.paths, undoes: header.id },
        items,
        'nothing taken back',
        joint,
      );
      const lines = indexLeft.map(({ text }) => text);
      return { files: items.length, started: header.started, left, indexLeft: lines };
    } finally {
      found.close();
    }
  }

  /** What can be taken back, and what cannot be read. */
  list(): WriteList {
    return listWrites(this.setting.ops, this.place);
  }

  /** Puts the journals aside that cannot be read. */
  repair(): Promise<PutAside[]> {
    return putAsideDamaged(this.setting.ops, this.place);
  }

  /** Forgets all writes: they can no longer be taken back. @returns how many */
  prune(): number {
    return pruneWrites(this.setting.ops, this.place, 'all');
  }

  close(): void {
    try {
      this.setting.directories.close();
      this.release();
    } catch {
      // A lock is also free once its process is gone.
    }
  }

  async #transact(
    description: Pick<Header, 'kind' | 'paths' | 'undoes'>,
    items: readonly Item[],
    unchangedText: string,
    joint?: JointChange,
  ): Promise<void> {
    const id = Date.now().toString(36) + randomBytes(4).toString('hex');
    const started = new Date().toISOString();
    const header: Header = { version: 1, id, started, cwd: this.cwd, files: items.length, ...description };
    const listening = this.setting.host.listen();
    try {
      await this.#replace(header, items, unchangedText, () => listening.received(), joint);
    } finally {
      listening.end();
    }
  }

  async #replace(
    header: Header,
    items: readonly Item[],
    unchangedText: string,
    interrupted: () => boolean,
    joint: JointChange | undefined,
  ): Promise<void> {
    const { id } = header;
    const setting = { ...this.setting, watch: { ...this.setting.watch, interrupted } };
    let journal: Journal | undefined;
    try {
      const order = (this.list().writes[0]?.order ?? 0) + 1;
      journal = new Journal(setting.ops, `${this.place.at}/new/${id}`, { ...header, order });
      if (joint?.index !== undefined) journal.line({ index: joint.index });
      const transaction = new Transaction(setting, journal, items);
      try {
        await transaction.survey();
        await journal.move(`${this.place.at}/pending/${id}`);
        await transaction.prepare();
        await transaction.commit();
        applyJoint(joint);
      } finally {
        await transaction.settle();
      }
    } catch (error) {
      await this.#giveUp(journal, error as Error, unchangedText);
    }
    journal?.close();
    const notRemoved = await this.#finish(id, unchangedText);
    if (notRemoved.length === 0) return;
    const doneText = header.kind === 'undo' ? 'all is taken back' : 'all is written';
    throw new WriteError('', `${doneText}, but ${notRemovedText(notRemoved)}`);
  }

  /**
   * From here on it is done: what fails now is left to the next run.
   * @returns the temporary files that could not be removed
   */
  async #finish(id: string, unchangedText: string): Promise<readonly string[]> {
    const { ops } = this.setting;
    const [pending, done] = [`${this.place.at}/pending/${id}`, `${this.place.at}/done/${id}`];
    try {
      renameDirectory(ops, pending, done);
    } catch (error) {
      await this.#giveUp(undefined, error as Error, unchangedText);
    }
    try {
      await syncParents(ops, pending, done);
      return (await finish(this.setting, this.place, id, false)).notRemoved;
    } catch {
      // Only the cleaning up.
      return [];
    }
  }

  async #giveUp(journal: Journal | undefined, error: Error, unchangedText: string): Promise<never> {
    const why = error instanceof WriteError ? error.message : `cannot keep a journal: ${reasonOf(error)}`;
    const path = error instanceof WriteError ? error.path : this.place.path;
    let left: readonly string[];
    let indexLeft: readonly string[];
    let notRemoved: readonly string[];
    try {
      journal?.close();
      // A file that somebody changed in the meantime is theirs; the others are put back all the same.
      const all = await recover(this.setting, this.place, true);
      left = all.flatMap((recovered) => recovered.left);
      indexLeft = all.flatMap((recovered) => recovered.indexLeft ?? []);
      notRemoved = all.flatMap((recovered) => recovered.notRemoved ?? []);
    } catch (second) {
      const secondReason = second instanceof WriteError ? second.message : reasonOf(second);
      throw new WriteError(
        path,
        `${why}; then ${secondReason}: httpd-codemod undo takes the rest back`,
        error,
      );
    }
    const changedText =
      left.length === 0 ? '' : `; changed meanwhile and left as they are now: ${left.join(', ')}`;
    const refused = error instanceof WriteError ? error.refused : [];
    const indexText = indexLeft.map((line) => `; ${line}`).join('');
    const restText = notRemoved.length === 0 ? '' : `; ${notRemovedText(notRemoved)}`;
    throw new WriteError(
      path,
      `${why}; ${unchangedText}${changedText}${indexText}${restText}`,
      error,
      refused,
    );
  }
}
