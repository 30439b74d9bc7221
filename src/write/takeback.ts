import { CHANGE, CREATE, lstatIfAny, READ, readWhole, unlinkIfAny, writeWhole } from './ops';
import { codeOf, reasonOf, WriteError } from './error';
import { type Entry, type InPlace, moveDirectory, type OpenJournal, removeDirectory } from './journal';
import { breathe, names, type Setting } from './setting';
import { hashOf } from './item';
import { overwrite, setTimes } from './newfile';

/**
 * What must happen with a file: `leave` it, it is as it was; `swap` it for the original that still has its second name; write it
 * anew from the journal, as a new file or in its own place; or it has `changed` since, and is someone's work.
 */
type Verdict = 'leave' | 'swap' | 'anew' | 'overwrite' | 'changed';

export interface TakenBack {
  readonly restored: number;
  /** Names of files that were left because they have changed since. */
  readonly left: readonly string[];
}

export interface TakeBackOptions {
  /** Leave files that have changed since, instead of taking back nothing. */
  readonly keepChanged: boolean;
  /** The directory of all state: see `STATES` in recover.ts. */
  readonly place: string;
}

/**
 * Puts all files of an unfinished transaction back. Whatever happens meanwhile, it can be done again.
 * @throws WriteError: the journal stays where it is
 */
export async function takeBack(
  setting: Setting,
  journal: OpenJournal,
  { keepChanged, place }: TakeBackOptions,
): Promise<TakenBack> {
  const verdicts = journal.entries.map((entry, index) => judge(setting, journal, entry, index));
  const left = journal.entries.filter((_, index) => verdicts[index] === 'changed').map(({ path }) => path);
  if (left.length > 0 && !keepChanged) throw new WriteError(left[0] ?? '', changedText(left));
  let restored = 0;
  for (const [index, entry] of journal.entries.entries()) {
    const verdict = verdicts[index] ?? 'leave';
    if (verdict === 'leave' || verdict === 'changed') continue;
    try {
      await restore(setting, journal, index, verdict);
    } catch (error) {
      throw new WriteError(entry.path, `${entry.path}: cannot be put back: ${reasonOf(error)}`, error);
    }
    restored++;
    await breathe();
  }
  const { id } = journal.header;
  const directory = await moveDirectory(setting.ops, journal.directory, `${place}/back/${id}`);
  const stuck = cleanUp(setting, journal, false);
  // Else the next run tries again.
  if (stuck.length === 0)
    removeDirectory(setting.ops, await moveDirectory(setting.ops, directory, `${place}/new/${id}`));
  return { restored, left };
}

function changedText(paths: readonly string[]): string {
  const more = paths.length === 1 ? '' : ` (and ${paths.length - 1} more)`;
  return `${paths[0]}${more}: changed since it was written`;
}

function judge(setting: Setting, journal: OpenJournal, entry: Entry, index: number): Verdict {
  if (!journal.ready) return 'leave';
  const { ops, directories } = setting;
  const { temp, kept } = names(entry.path, journal.header.id, index);
  try {
    const inPlace = journal.inPlace.get(index);
    if (inPlace !== undefined) return judgeInPlace(setting, journal, entry, inPlace);
    // Its replacement still waits.
    if (lstatIfAny(ops, directories.reach(temp)) !== undefined) return 'leave';
    const target = lstatIfAny(ops, directories.reach(entry.path));
    const original = lstatIfAny(ops, directories.reach(kept));
    if (target === undefined) return 'changed';
    if (original?.ino === target.ino) return 'leave';
    const hash = hashOf(readFile(setting, entry.path));
    if (hash === entry.new) return original === undefined ? 'anew' : 'swap';
    return hash === entry.old ? 'leave' : 'changed';
  } catch (error) {
    if (isGone(error)) return 'changed';
    throw new WriteError(entry.path, `${entry.path}: cannot be put back: ${reasonOf(error)}`, error);
  }
}

/** The file, or a directory on the way to it, is no longer there, or is something else now. */
function isGone(error: unknown): boolean {
  return ['ENOENT', 'ENOTDIR', 'ELOOP', 'ENXIO'].includes(codeOf(error) ?? '');
}

function judgeInPlace(setting: Setting, journal: OpenJournal, entry: Entry, { at, size }: InPlace): Verdict {
  const now = readFile(setting, entry.path);
  const old = journal.read(entry.at, entry.size);
  if (now.equals(old)) return 'leave';
  return isMix(now, old, journal.read(at, size)) ? 'overwrite' : 'changed';
}

/** Whether the file may be what an interruption has left of overwriting one text with the other. */
function isMix(now: Buffer, a: Buffer, b: Buffer): boolean {
  if (now.length < Math.min(a.length, b.length) || now.length > Math.max(a.length, b.length)) return false;
  return now.every((byte, i) => byte === a[i] || byte === b[i]);
}

function readFile({ ops, directories }: Setting, path: string): Buffer {
  const fd = ops.open(directories.reach(path), READ);
  try {
    return readWhole(ops, fd, ops.stat(fd).size);
  } finally {
    ops.close(fd);
  }
}

async function restore(
  setting: Setting,
  journal: OpenJournal,
  index: number,
  how: 'swap' | 'anew' | 'overwrite',
): Promise<void> {
  const { ops, directories, attributes } = setting;
  const entry = journal.entries[index]!;
  const { kept, copy } = names(entry.path, journal.header.id, index);
  if (how === 'swap') {
    ops.rename(directories.reach(kept), directories.reach(entry.path));
    return;
  }
  const bytes = journal.read(entry.at, entry.size);
  if (how === 'anew') unlinkIfAny(ops, directories.reach(copy));
  const [path, flags] = how === 'anew' ? [copy, CREATE] : [entry.path, CHANGE];
  const fd = ops.open(directories.reach(path), flags, 0o600);
  try {
    if (how === 'anew') {
      writeWhole(ops, fd, bytes);
      ops.chown(fd, entry.uid, entry.gid);
      ops.chmod(fd, entry.mode);
    } else overwrite(setting, fd, bytes);
    setTimes(setting, fd, entry);
    attributes.times([{ fd, mtime: entry.mtime }]);
    await ops.sync(fd);
  } finally {
    ops.close(fd);
  }
  if (how === 'anew') ops.rename(directories.reach(copy), directories.reach(entry.path));
}

/**
 * Removes what a transaction has left beside the files, once it is decided what becomes of them. Nothing of it is worth a failure.
 * @param done whether the new files stay: the copies that were asked for do then, too
 * @returns the paths of files that cannot be removed
 */
export function cleanUp({ ops, directories }: Setting, journal: OpenJournal, done: boolean): string[] {
  const stuck: string[] = [];
  const attempt = (path: string, action: () => void): void => {
    try {
      action();
    } catch (error) {
      if (!isGone(error)) stuck.push(path);
    }
  };
  for (const [index, { path, backup, old }] of journal.entries.entries()) {
    const { temp, kept, copy } = names(path, journal.header.id, index);
    for (const name of done ? [kept] : [temp, kept, copy])
      attempt(name, () => ops.unlink(directories.reach(name)));
    if (backup !== undefined && !done) attempt(backup, () => removeCopy({ ops, directories }, backup, old));
  }
  return stuck;
}

/** Removes a copy that nobody has touched. */
export function removeCopy(
  { ops, directories }: Pick<Setting, 'ops' | 'directories'>,
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
