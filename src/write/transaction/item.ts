import { createHash } from 'node:crypto';
import { reasonOf, refusedFile, WriteError } from '../error';
import type { JournalEntry } from '../journal';
import type { Stat } from '../system';

/** One file that is to be replaced. */
export interface Item {
  /** Real path, byte string. */
  readonly path: string;
  /** The name of the item in messages. */
  readonly name: string;
  /** Whether these bytes are the ones that are to be replaced. */
  expects(bytes: Buffer): boolean;
  /** The bytes that shall stand there. */
  text(): Buffer;
  /** The times that it shall have; by default the time of the write. */
  readonly times?: Pick<JournalEntry, 'atime' | 'mtime'>;
  /** Path of a copy to leave of the file as it was. */
  readonly backup?: string;
}

export type FileId = Pick<Stat, 'dev' | 'ino'>;

/** An item on its way. */
export interface WriteStep {
  readonly item: Item;
  readonly index: number;
  readonly stat: Stat;
  readonly entry: JournalEntry;
  /** An earlier one whose file is this one by another name, and gets the same text: the new file gets both names, too. */
  readonly first: WriteStep | undefined;
  /** The new file, once there is one: its owner could have put another in its place. */
  newFile: FileId | undefined;
  /** Whether the original has a second name for the time being. */
  originalLinked: boolean;
}

export function hashOf(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex');
}

export function changedError({ path, name }: Item, since: 'read' | 'written' = 'read'): WriteError {
  const hint = since === 'read' ? '' : ' (--keep-changed leaves such files and takes back the others)';
  const what = `changed since it was ${since}`;
  return new WriteError(path, `${name}: ${what}${hint}`, undefined, refusedFile(path, what));
}

/** @throws WriteError where it is another file than the one that belongs to the item */
export function checkFile({ dev, ino }: FileId, expected: FileId | undefined, item: Item): void {
  if (expected?.dev !== dev || expected.ino !== ino) throw changedError(item);
}

export function writeErrorFor({ path, name }: Pick<Item, 'path' | 'name'>, error: unknown): WriteError {
  if (error instanceof WriteError) return error;
  const reason = reasonOf(error);
  return new WriteError(path, `${name}: cannot write: ${reason}`, error, refusedFile(path, reason, error));
}

/** @throws WriteError instead of what the action throws */
export function forItem<T>(item: Item, action: () => T): T {
  try {
    return action();
  } catch (error) {
    throw writeErrorFor(item, error);
  }
}

/** Whether it is the very file, and nobody has written to it. */
export function isSame(now: Stat, before: Stat): boolean {
  const { kind, dev, ino, size, mtime } = before;
  return now.kind === kind && now.ino === ino && now.dev === dev && now.size === size && now.mtime === mtime;
}
