import { WriteError } from './error';
import { hashOf, type Item } from './item';
import {
  type JournalEntry,
  type Header,
  listNames,
  renameDirectory,
  openJournal,
  readHeader,
  removeDirectory,
} from './journal';
import { type FileOps, READ, readWhole } from './ops';
import type { WriteContext } from './setting';

export interface UndoOptions {
  /** The write to take back; the last one if undefined. */
  readonly id: string | undefined;
  /** Leave files that have changed since, instead of taking back nothing. */
  readonly keepChanged: boolean;
}

export interface UndoResult {
  readonly files: number;
  /** When the write began, ISO 8601. */
  readonly started: string;
  /** Paths of the files left. */
  readonly left: readonly string[];
}

interface UndoItems {
  readonly header: Header;
  readonly items: readonly Item[];
  readonly left: readonly string[];
  close(): void;
}

/**
 * What taking a write back means: its files, which must be as the write has left them, get their old bytes and times.
 * @throws WriteError where there is nothing to take back
 */
export function undoItems(setting: WriteContext, place: string, { id, keepChanged }: UndoOptions): UndoItems {
  const written = listWrites(setting.ops, place).filter(({ interrupted }) => !interrupted);
  const last = id === undefined ? written[0] : written.find((write) => write.id === id);
  if (last === undefined)
    throw new WriteError(
      place,
      id === undefined ? 'no write to take back' : `no write is called ${id} (see undo --list)`,
    );
  const journal = openJournal(setting.ops, `${place}/writes/${last.id}`);
  const left = keepChanged ? journal.entries.filter((entry) => isChanged(setting, entry)) : [];
  const items = journal.entries
    .filter((entry) => !left.includes(entry))
    .map(({ path, new: hash, at, size, atime, mtime }): Item => {
      return {
        path,
        name: path,
        expects: (bytes) => hashOf(bytes) === hash,
        text: () => journal.read(at, size),
        times: { atime, mtime },
      };
    });
  return { header: journal.header, items, left: left.map(({ path }) => path), close: () => journal.close() };
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
  readonly files: number;
  /** On the disk, in the journal. */
  readonly bytes: number;
  readonly cwd: string;
  readonly paths: readonly string[];
  /** It did not come to its end. */
  readonly interrupted: boolean;
}

/** The latest first. */
export function listWrites(ops: FileOps, place: string): StoredWrite[] {
  const of = (state: string): StoredWrite[] =>
    listNames(ops, `${place}/${state}`).map((id) => {
      const { header, bytes } = readHeader(ops, `${place}/${state}/${id}`);
      const { started, files, cwd, paths } = header;
      return { id, started, files, bytes, cwd, paths, interrupted: state !== 'writes' };
    });
  const all = [...of('pending'), ...of('done'), ...of('writes')];
  return all.sort((a, b) => (a.started < b.started ? 1 : a.started > b.started ? -1 : a.id < b.id ? 1 : -1));
}

/**
 * Forgets writes: `all`, or those beyond what is kept.
 * @returns how many
 */
export function pruneWrites(ops: FileOps, place: string, scope: 'all' | 'bounds'): number {
  let [count, bytes, pruned] = [0, 0, 0];
  for (const stored of listWrites(ops, place)) {
    if (stored.interrupted) continue;
    count++;
    bytes += stored.bytes;
    if (scope === 'bounds' && (count === 1 || (count <= MAX_WRITES && bytes <= MAX_BYTES))) continue;
    removeDirectory(ops, renameDirectory(ops, `${place}/writes/${stored.id}`, `${place}/new/${stored.id}`));
    pruned++;
  }
  return pruned;
}
