import { WriteError } from './error';
import { type Entry, type Header, openJournal } from './journal';
import { READ, readWhole } from './ops';
import type { Setting } from './setting';
import { listWrites } from './stored';
import { hashOf, type Item } from './item';

export interface UndoOptions {
  /** The write to take back; the last one if undefined. */
  readonly id: string | undefined;
  /** Leave files that have changed since, instead of taking back nothing. */
  readonly keepChanged: boolean;
}

export interface Undone {
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
export function undoItems(setting: Setting, place: string, { id, keepChanged }: UndoOptions): UndoItems {
  const written = listWrites(setting.ops, place).filter(({ interrupted }) => !interrupted);
  const last = id === undefined ? written[0] : written.find((one) => one.id === id);
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

function isChanged({ ops, directories }: Setting, entry: Entry): boolean {
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
