import { WriteError } from '../error';
import {
  type IndexChange,
  withoutFiles,
  type Contents,
  DamagedJournalError,
  type JournalEntry,
  type Header,
  type OpenJournal,
  listNames,
  renameDirectory,
  openJournal,
  readHeader,
  removeDirectory,
  type StateDirectory,
} from '../journal';
import { hashOf, type Item, type WriteContext } from '../transaction';
import { type FileOps, READ, readWhole } from '../system';

export interface UndoOptions {
  /** The write to take back. */
  readonly id: string;
  /** Leave files that have changed since, instead of taking back nothing. */
  readonly keepChanged: boolean;
  /** Why a file is left, too: it could not be written; undefined for one that is not. */
  readonly except?: (path: string) => string | undefined;
}

export interface UndoResult {
  readonly files: number;
  /** When the write began, ISO 8601. */
  readonly started: string;
  /** Paths of the files left. */
  readonly left: readonly string[];
  /** Lines about what stays in the index of git. */
  readonly indexLeft: readonly string[];
}

interface UndoItems {
  readonly header: Header;
  readonly items: readonly Item[];
  readonly left: readonly string[];
  /** What the write has changed in the index of git, of the files that are not left. */
  readonly index: IndexChange | undefined;
  close(): void;
}

/** What an undo would take back. */
export interface UndoableWrite extends StoredWrite {
  /** Real paths of its files, byte strings. */
  readonly written: readonly string[];
  /** Whether it has staged them, too. */
  readonly staged: boolean;
}

/**
 * The write that is meant.
 * @param named an id, or undefined for the last write that has touched one of the paths `below`, or a file below one of them
 * @param below absolute paths, byte strings
 * @returns undefined if there is none
 * @throws WriteError where the one that is named is damaged
 */
export function findUndoable(
  ops: FileOps,
  place: StateDirectory,
  named: string | undefined,
  below: readonly string[],
): UndoableWrite | undefined {
  const { writes, damaged } = listWrites(ops, place);
  const bad = damaged.find(({ id }) => id === named);
  if (bad !== undefined) throw new WriteError(place.path, `${damagedText(bad)}; nothing taken back`);
  for (const write of writes) {
    if (write.interrupted || (named !== undefined && write.id !== named)) continue;
    const { entries, index } = readJournal(ops, place, `writes/${write.id}`) ?? { entries: [] };
    const written = entries.map(({ path }) => path);
    if (named !== undefined || isTouched(written, below))
      return { ...write, written, staged: index !== undefined };
  }
  return undefined;
}

/** @returns undefined where the journal cannot be read */
function readJournal(ops: FileOps, place: StateDirectory, name: string): Contents | undefined {
  try {
    const journal = openJournal(ops, place, name);
    journal.close();
    return journal;
  } catch (error) {
    if (error instanceof DamagedJournalError) return undefined;
    throw error;
  }
}

/** Whether a file is one of the paths or below one of them; all are absolute. */
export function isTouched(files: readonly string[], below: readonly string[]): boolean {
  const isAtOrBelow = (path: string, root: string): boolean =>
    path === root || path.startsWith(root.endsWith('/') ? root : `${root}/`);
  return files.some((path) => below.some((root) => isAtOrBelow(path, root)));
}

/**
 * What taking a write back means: its files, which must be as the write has left them, get their old bytes and times.
 * @throws WriteError where it cannot be read
 */
export function undoItems(
  setting: WriteContext,
  place: StateDirectory,
  { id, keepChanged, except }: UndoOptions,
): UndoItems {
  let journal: OpenJournal;
  try {
    journal = openJournal(setting.ops, place, `writes/${id}`);
  } catch (error) {
    if (!(error instanceof DamagedJournalError)) throw error;
    throw new WriteError(
      place.path,
      `${damagedText({ id, reason: error.message })}; nothing taken back`,
      error,
    );
  }
  const left = journal.entries.filter(
    (entry) => except?.(entry.path) !== undefined || (keepChanged && isChanged(setting, entry)),
  );
  const isLeft = new Set(left);
  const leftPaths = left.map(({ path }) => path);
  const index = journal.index === undefined ? undefined : withoutFiles(journal.index, leftPaths);
  const items = journal.entries
    .filter((entry) => !isLeft.has(entry))
    .map(({ path, new: hash, at, size, atime, mtime }): Item => {
      return {
        path,
        name: path,
        expects: (bytes) => hashOf(bytes) === hash,
        text: () => journal.read(at, size),
        times: { atime, mtime },
      };
    });
  return { header: journal.header, items, left: leftPaths, index, close: () => journal.close() };
}

function isChanged({ ops, directories }: WriteContext, entry: JournalEntry): boolean {
  try {
    const fd = ops.open(directories.reach(entry.path), READ);
    try {
      return hashOf(readWhole(ops, fd, ops.stat(fd).size)) !== entry.new;
    } finally {
      ops.close(fd);
    }
  } catch {
    return true;
  }
}

/** How many writes are kept, */
const MAX_WRITES = 20;
/** and as many bytes of them; the last one is kept whatever its size. */
const MAX_BYTES = 512 * 1024 * 1024;

/** A write that can be taken back. */
export interface StoredWrite {
  readonly id: string;
  /** ISO 8601. */
  readonly started: string;
  /** The higher, the later. */
  readonly order: number;
  readonly files: number;
  /** On the disk, in the journal. */
  readonly bytes: number;
  readonly cwd: string;
  readonly paths: readonly string[];
  /** The write did not come to its end. */
  readonly interrupted: boolean;
}

/** A journal that cannot be read. */
export interface DamagedWrite {
  readonly id: string;
  readonly reason: string;
}

export interface WriteList {
  /** The latest first. */
  readonly writes: readonly StoredWrite[];
  readonly damaged: readonly DamagedWrite[];
}

export function listWrites(ops: FileOps, place: StateDirectory): WriteList {
  const writes: StoredWrite[] = [];
  const damaged: DamagedWrite[] = [];
  for (const state of ['pending', 'done', 'writes'])
    for (const id of listNames(ops, `${place.at}/${state}`))
      try {
        const { header, bytes } = readHeader(ops, place, `${state}/${id}`);
        const { started, order = 0, files, cwd, paths } = header;
        writes.push({ id, started, order, files, bytes, cwd, paths, interrupted: state !== 'writes' });
      } catch (error) {
        if (!(error instanceof DamagedJournalError)) throw error;
        damaged.push({ id, reason: error.message });
      }
  const byTime = (a: StoredWrite, b: StoredWrite): number =>
    a.started < b.started ? 1 : a.started > b.started ? -1 : a.id < b.id ? 1 : -1;
  writes.sort((a, b) => b.order - a.order || byTime(a, b));
  return { writes, damaged };
}

/** One line without an end. */
export function damagedText({ id, reason }: DamagedWrite): string {
  return `the journal ${id} cannot be read: ${reason} (httpd-codemod undo --repair puts it aside)`;
}

/**
 * Forgets writes: `all`, or those beyond what is kept.
 * @returns how many
 */
export function pruneWrites(ops: FileOps, place: StateDirectory, scope: 'all' | 'bounds'): number {
  let [count, bytes, pruned] = [0, 0, 0];
  for (const stored of listWrites(ops, place).writes) {
    if (stored.interrupted) continue;
    count++;
    bytes += stored.bytes;
    if (scope === 'bounds' && (count === 1 || (count <= MAX_WRITES && bytes <= MAX_BYTES))) continue;
    removeDirectory(
      ops,
      renameDirectory(ops, `${place.at}/writes/${stored.id}`, `${place.at}/new/${stored.id}`),
    );
    pruned++;
  }
  return pruned;
}
