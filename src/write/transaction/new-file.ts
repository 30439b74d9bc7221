import { cannotLink, codeOf, refusedFile, WriteError } from '../error';
import { changedError, checkFile, type FileId, isSame, type Item, type WriteStep } from './item';
import type { JournalEntry } from '../journal';
import { CREATE, lstatIfAny, type Stat, writeWhole } from '../system';
import { temporaryNames, type WriteContext } from './setting';

/** A new file, which nobody but its owner can read yet. */
export interface NewFile {
  /** The step for the file whose place the new file takes, or whose copy it is. */
  readonly step: WriteStep;
  readonly path: string;
  readonly id: FileId | undefined;
  /** The times that it shall have; undefined for the time of the write. */
  readonly times: Pick<JournalEntry, 'atime' | 'mtime'> | undefined;
  /** What is left to do with it when all else is done. */
  readonly place?: () => void;
}

/** Writes the file that shall take the place of a step's. */
export function makeTemp(setting: WriteContext, id: string, step: WriteStep): NewFile {
  const { item, index, stat } = step;
  const { temp } = temporaryNames(item.path, id, index);
  const fd = create(setting, temp, item.text());
  try {
    if (!copyOwner(setting, fd, stat)) throw new Error(ownerReason(stat, setting.ops.stat(fd)));
    const { dev, ino } = setting.ops.stat(fd);
    step.newFile = { dev, ino };
    return { step, path: temp, id: step.newFile, times: item.times };
  } finally {
    setting.ops.close(fd);
  }
}

/**
 * Links the new file of the first step to the temporary name of this step, so that it replaces both.
 * @returns false where there is no such file, or no way to link it
 */
export function linkTemp({ ops, directories }: WriteContext, id: string, step: WriteStep): boolean {
  const { first } = step;
  if (first?.newFile === undefined) return false;
  const from = temporaryNames(first.item.path, id, first.index).temp;
  const to = temporaryNames(step.item.path, id, step.index).temp;
  try {
    ops.link(directories.reach(from), directories.reach(to));
  } catch (error) {
    // EXDEV: another mount of the same file system.
    if (!cannotLink(error) && codeOf(error) !== 'EXDEV') throw error;
    return false;
  }
  // The owner of one directory must not choose what is put into the other.
  checkFile(ops.lstat(directories.reach(to)), first.newFile, step.item);
  step.newFile = first.newFile;
  return true;
}

/** Gives the file a second name, under which it outlives its replacement until that is final. */
export function linkOriginal({ ops, directories }: WriteContext, id: string, step: WriteStep): void {
  const kept = directories.reach(temporaryNames(step.item.path, id, step.index).kept);
  try {
    ops.link(directories.reach(step.item.path), kept);
  } catch (error) {
    if (!cannotLink(error) || step.stat.links > 1) throw error;
    // The journal has the bytes.
    return;
  }
  if (!isSame(ops.lstat(kept), step.stat)) throw changedError(step.item);
  step.originalLinked = true;
}

/**
 * The path of the copy to leave. What another user has put there must not keep a file from being written: in directories of
 * others it gets a name that nobody could have taken then.
 * @throws WriteError where there is a file already in a directory of one's own
 */
export function backupPath(
  { ops, directories, host }: WriteContext,
  id: string,
  { name, path, backup }: Item,
): string | undefined {
  if (backup === undefined || lstatIfAny(ops, directories.reach(backup)) === undefined) return backup;
  const { uid } = ops.lstat(directories.reach(`${path.slice(0, path.lastIndexOf('/'))}/.`));
  if (host.uid !== undefined && uid !== host.uid && uid !== 0) return `${backup}.${id}`;
  const what = `there is a file ${backup.slice(backup.lastIndexOf('/') + 1)} already`;
  throw new WriteError(backup, `${name}: ${what}`, undefined, refusedFile(path, what));
}

/**
 * Writes the copy to leave of a file as it is.
 * @param bytes what it holds
 */
export function makeBackup(setting: WriteContext, id: string, step: WriteStep, bytes: Buffer): NewFile {
  const { item, index, stat, entry } = step;
  const { copy } = temporaryNames(item.path, id, index);
  const fd = create(setting, copy, bytes);
  try {
    copyOwner(setting, fd, stat);
    const { dev, ino } = setting.ops.stat(fd);
    const place = (): void => moveBackup(setting, copy, item.backup ?? '');
    return { step, path: copy, id: { dev, ino }, times: entry, place };
  } finally {
    setting.ops.close(fd);
  }
}

function moveBackup({ ops, directories }: WriteContext, copy: string, backup: string): void {
  try {
    // Not by rename: that would replace a file that has come up meanwhile.
    ops.link(directories.reach(copy), directories.reach(backup));
  } catch (error) {
    if (!cannotLink(error)) throw error;
    ops.rename(directories.reach(copy), directories.reach(backup));
    return;
  }
  ops.unlink(directories.reach(copy));
}

function create({ ops, directories }: WriteContext, path: string, bytes: Buffer): number {
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
function copyOwner({ ops }: WriteContext, fd: number, original: WriteStep['stat']): boolean {
  const current = ops.stat(fd);
  if (current.uid !== original.uid || current.gid !== original.gid) {
    try {
      ops.chown(fd, original.uid, original.gid);
    } catch (error) {
      // EINVAL: an owner that this user namespace has no number for.
      if (!['EPERM', 'EINVAL'].includes(codeOf(error) ?? '')) throw error;
      return false;
    }
  }
  return true;
}

function ownerReason(old: Stat, current: Stat): string {
  const again = 'and a new file would not: run this as root';
  return old.uid === current.uid
    ? `it belongs to a group that is not yours (${old.gid}), ${again} or as a member`
    : `it belongs to another user (${old.uid}), ${again} or as its owner`;
}

/** To the microsecond, which is as exact as node can: see {@link Attributes}. */
export function setTimes(
  { ops }: WriteContext,
  fd: number,
  { atime, mtime }: Pick<JournalEntry, 'atime' | 'mtime'>,
): void {
  // A number holds a time to a quarter of a microsecond, and what is beyond whole ones is cut off.
  const seconds = (nanoseconds: string): number => (Number(nanoseconds.slice(0, -3)) + 0.5) / 1e6;
  ops.times(fd, seconds(atime), seconds(mtime));
}
