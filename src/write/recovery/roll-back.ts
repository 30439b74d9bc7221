import { CREATE, lstatIfAny, READ, readWhole, type Stat, unlinkIfAny, writeWhole } from '../system';
import { isGone, reasonOf, WriteError } from '../error';
import {
  withoutFiles,
  type JournalEntry,
  moveDirectory,
  type OpenJournal,
  removeDirectory,
  type StateDirectory,
} from '../journal';
import { yieldToSignals, temporaryNames, type WriteContext, hashOf, isSame, setTimes } from '../transaction';

/**
 * What must happen with a file: `leave` it, it is as it was; `swap` it for the original that still has its second name; write it
 * `anew` from the journal; or it has `changed` since, and is someone's work.
 */
type RestoreAction = 'leave' | 'swap' | 'anew' | 'changed';

export interface RolledBack {
  readonly restored: number;
  /** Names of files that were left because they have changed since. */
  readonly left: readonly string[];
  /** Lines about an index that could not be taken back with them. */
  readonly indexLeft: readonly string[];
  /** Temporary files that could not be removed. */
  readonly notRemoved: readonly string[];
}

export interface RollBackOptions {
  /** Leave files that have changed since, instead of taking back nothing. */
  readonly keepChanged: boolean;
  /** The directory of all state: see `STATES` in recover.ts. */
  readonly place: StateDirectory;
}

/**
 * Puts all files of an unfinished transaction back. Whatever happens meanwhile, it can be done again.
 * @throws WriteError: the journal stays where it is
 */
export async function rollBack(
  setting: WriteContext,
  journal: OpenJournal,
  { keepChanged, place }: RollBackOptions,
): Promise<RolledBack> {
  const verdicts = journal.entries.map((entry, index) => actionFor(setting, journal, entry, index)[0]);
  const left = journal.entries.filter((_, index) => verdicts[index] === 'changed').map(({ path }) => path);
  if (left.length > 0 && !keepChanged) throw new WriteError(left[0] ?? '', changedText(left));
  let restored = 0;
  for (const [index, entry] of journal.entries.entries()) {
    if (verdicts[index] === 'leave' || verdicts[index] === 'changed') continue;
    // Another process may have changed it while the files before it were restored.
    const [verdict, seen] = actionFor(setting, journal, entry, index);
    if (verdict === 'leave') continue;
    if (verdict === 'changed') {
      if (!keepChanged) throw new WriteError(entry.path, changedText([entry.path]));
      left.push(entry.path);
      continue;
    }
    try {
      await restore(setting, journal, index, verdict, seen);
    } catch (error) {
      if (error instanceof WriteError) throw error;
      throw new WriteError(entry.path, `${entry.path}: cannot be put back: ${reasonOf(error)}`, error);
    }
    restored++;
    await yieldToSignals();
  }
  const indexLeft = takeBackIndex(setting, journal, left);
  const { id } = journal.header;
  const directory = await moveDirectory(setting.ops, journal.directory, `${place.at}/back/${id}`);
  const notRemoved = cleanUp(setting, journal, false);
  // Otherwise the next run tries again.
  if (notRemoved.length === 0)
    removeDirectory(setting.ops, await moveDirectory(setting.ops, directory, `${place.at}/new/${id}`));
  return { restored, left, indexLeft, notRemoved };
}

/**
 * What has been staged with the files that are put back. Where git refuses, that is said: it must not hold up what else is to be
 * settled.
 * @returns lines for the user
 */
function takeBackIndex(
  { indexes }: WriteContext,
  { index, ready }: OpenJournal,
  left: readonly string[],
): string[] {
  const change = ready && index !== undefined ? withoutFiles(index, left) : undefined;
  if (change === undefined) return [];
  try {
    // What somebody has staged since is theirs, and they know.
    return indexes.takeBack(change).flatMap(({ kind, text }) => (kind === 'failed' ? [text] : []));
  } catch (error) {
    return [indexes.failureText(change, reasonOf(error))];
  }
}

function changedText(paths: readonly string[]): string {
  const more = paths.length === 1 ? '' : ` (and ${paths.length - 1} more)`;
  return `${paths[0]}${more}: changed since it was written`;
}

/** @returns also the file that is there, if it was looked at */
function actionFor(
  setting: WriteContext,
  journal: OpenJournal,
  entry: JournalEntry,
  index: number,
): [RestoreAction, Stat?] {
  if (!journal.ready) return ['leave'];
  const { ops, directories } = setting;
  const { temp, kept } = temporaryNames(entry.path, journal.header.id, index);
  try {
    // Its replacement still waits.
    if (lstatIfAny(ops, directories.reach(temp)) !== undefined) return ['leave'];
    const target = lstatIfAny(ops, directories.reach(entry.path));
    const original = lstatIfAny(ops, directories.reach(kept));
    if (target === undefined) return ['changed'];
    if (original?.ino === target.ino) return ['leave'];
    const [bytes, stat] = readFile(setting, entry.path);
    const hash = hashOf(bytes);
    if (hash === entry.new) return [original === undefined ? 'anew' : 'swap', stat];
    return [hash === entry.old ? 'leave' : 'changed'];
  } catch (error) {
    if (isGone(error)) return ['changed'];
    throw new WriteError(entry.path, `${entry.path}: cannot be put back: ${reasonOf(error)}`, error);
  }
}

function readFile({ ops, directories }: WriteContext, path: string): [Buffer, Stat] {
  const fd = ops.open(directories.reach(path), READ);
  try {
    const stat = ops.stat(fd);
    return [readWhole(ops, fd, stat.size), stat];
  } finally {
    ops.close(fd);
  }
}

async function restore(
  setting: WriteContext,
  journal: OpenJournal,
  index: number,
  how: 'swap' | 'anew',
  seen: Stat | undefined,
): Promise<void> {
  const { ops, directories, attributes } = setting;
  const entry = journal.entries[index]!;
  const { kept, copy } = temporaryNames(entry.path, journal.header.id, index);
  const replaceBy = (name: string): void => {
    const target = directories.reach(entry.path);
    if (seen === undefined || !isSame(ops.lstat(target), seen))
      throw new WriteError(entry.path, changedText([entry.path]));
    ops.rename(directories.reach(name), target);
  };
  if (how === 'swap') {
    replaceBy(kept);
    return;
  }
  const bytes = journal.read(entry.at, entry.size);
  unlinkIfAny(ops, directories.reach(copy));
  const fd = ops.open(directories.reach(copy), CREATE, 0o600);
  try {
    writeWhole(ops, fd, bytes);
    ops.chown(fd, entry.uid, entry.gid);
    copyAttributes(setting, entry.path, copy, fd);
    // Last: a mode alone may let in whom an access control list keeps out.
    ops.chmod(fd, entry.mode);
    setTimes(setting, fd, entry);
    attributes.times([{ fd, mtime: entry.mtime }]);
    await ops.sync(fd);
  } finally {
    ops.close(fd);
  }
  replaceBy(copy);
}

/** The file that is there was given all that the original had. @throws Error where the copy cannot have it */
function copyAttributes(setting: WriteContext, path: string, copy: string, to: number): void {
  const { ops, directories, attributes } = setting;
  const pair = [[path, copy]] as const;
  if (attributes.differing(pair).length === 0) return;
  const from = ops.open(directories.reach(path), READ);
  try {
    if (attributes.copy([{ from, to }]).length > 0 || attributes.lost(pair).length > 0)
      throw new Error('its access control list, security label or extended attributes would be lost');
  } finally {
    ops.close(from);
  }
}

/**
 * Removes the temporary files of a transaction, once it is decided whether the new files stay. Errors are not fatal.
 * @param done whether the new files stay: the copies that were asked for do then, too
 * @returns the paths of files that cannot be removed
 */
export function cleanUp({ ops, directories }: WriteContext, journal: OpenJournal, done: boolean): string[] {
  const notRemoved: string[] = [];
  const attempt = (path: string, action: () => void): void => {
    try {
      action();
    } catch (error) {
      if (!isGone(error)) notRemoved.push(path);
    }
  };
  for (const [index, { path, backup, old }] of journal.entries.entries()) {
    const { temp, kept, copy } = temporaryNames(path, journal.header.id, index);
    for (const name of done ? [kept] : [temp, kept, copy])
      attempt(name, () => ops.unlink(directories.reach(name)));
    if (backup !== undefined && !done) attempt(backup, () => removeCopy({ ops, directories }, backup, old));
  }
  return notRemoved;
}

/** Removes a copy that nobody has touched. */
export function removeCopy(
  { ops, directories }: Pick<WriteContext, 'ops' | 'directories'>,
  path: string,
  hash: string,
): void {
  const at = directories.reach(path);
  const fd = ops.open(at, READ);
  try {
    if (hashOf(readWhole(ops, fd, ops.stat(fd).size)) !== hash) return;
  } finally {
    ops.close(fd);
  }
  ops.unlink(at);
}
