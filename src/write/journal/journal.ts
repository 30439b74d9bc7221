import { type IndexChange, isIndexChange } from './index-change';
import {
  CHANGE,
  CREATE,
  DIRECTORY,
  type FileOps,
  lstatIfAny,
  raw,
  READ,
  readWhole,
  untrustedReason,
  writeWhole,
} from '../system';
import { codeOf, WriteError } from '../error';
import type { StateDirectory } from './place';

/** Bytes gathered before they are written. */
const CHUNK = 1 << 20;

/** Bytes of a journal that one text can hold, and of which one is begun: with the line that says that all is ready. */
const MAX_READ = 2 ** 29 - 24;
const MAX_JOURNAL = 500_000_000;

const TOO_LARGE = 'its file journal is larger than 512 MB';

const TOO_MANY_FILES =
  'the journal of so many files would be larger than 500 MB, and undo could not read it: write some of the paths at a time';

/** What a journal begins with. */
export interface Header {
  readonly version: 1;
  readonly kind: 'write' | 'undo';
  /** Also in the names of the temporary files. */
  readonly id: string;
  /** ISO 8601. */
  readonly started: string;
  /** More than of any journal that was kept when it began: a clock may be set back. Older ones have none. */
  readonly order?: number;
  /** Absolute, byte string. */
  readonly cwd: string;
  readonly paths: readonly string[];
  readonly files: number;
  /** The id of the write that an undo takes back. */
  readonly undoes?: string;
}

/** One file as it was, and what becomes of it. */
export interface JournalEntry {
  /** Real path, byte string. */
  readonly path: string;
  readonly mode: number;
  readonly uid: number;
  readonly gid: number;
  /** Nanoseconds, in decimal digits. */
  readonly atime: string;
  readonly mtime: string;
  /** Where the bytes of the file stand in the store. */
  readonly at: number;
  readonly size: number;
  /** SHA-256 of the bytes as they were, and as they shall be; hexadecimal. */
  readonly old: string;
  readonly new: string;
  /** The copy left beside it. */
  readonly backup?: string;
}

export interface Contents {
  readonly header: Header;
  readonly entries: readonly JournalEntry[];
  /** What changes in the index of git with the files. */
  readonly index?: IndexChange | undefined;
  /** Whether all was ready, so that files may have been replaced. */
  readonly ready: boolean;
}

/** A journal that cannot be read: cut, overwritten, or made by another version. Trying again does not help. */
export class DamagedJournalError extends Error {
  /** Entries of the lines that can be read. */
  readonly entries: readonly JournalEntry[];

  constructor(message: string, entries: readonly JournalEntry[] = []) {
    super(message);
    this.entries = entries;
  }
}

type JournalLine =
  { readonly entry: JournalEntry } | { readonly index: IndexChange } | { readonly ready: true };

/**
 * A journal on the disk: a directory with the file `journal`, a header and lines that are only ever added, and the file `store`,
 * the bytes of the files one after another.
 */
export class Journal {
  directory: string;
  readonly header: Header;
  readonly #ops: FileOps;
  readonly #journal: Appender;
  readonly #store: Appender;

  /** Begins a new one. */
  constructor(ops: FileOps, directory: string, header: Header) {
    this.#ops = ops;
    this.directory = directory;
    this.header = header;
    ops.mkdir(raw(directory), 0o700);
    this.#journal = new Appender(ops, `${directory}/journal`);
    try {
      this.#store = new Appender(ops, `${directory}/store`);
    } catch (error) {
      closeQuietly(ops, this.#journal.fd);
      throw error;
    }
    this.#journal.add(Buffer.from(`${JSON.stringify(header)}\n`, 'latin1'));
  }

  /** @throws WriteError where the journal could not be read again with it */
  line(line: JournalLine): void {
    const bytes = Buffer.from(`${JSON.stringify(line)}\n`, 'latin1');
    if (!('ready' in line) && this.#journal.size + bytes.length > MAX_JOURNAL)
      throw new WriteError('', TOO_MANY_FILES);
    this.#journal.add(bytes);
  }

  /** @returns where the bytes stand */
  store(bytes: Buffer): number {
    return this.#store.add(bytes);
  }

  read(at: number, size: number): Buffer {
    this.#store.flush();
    return readAt(this.#ops, this.#store.fd, at, size);
  }

  /** Until all that was added is safe on the disk. The store comes first: no line may speak of bytes that are not there. */
  async sync(): Promise<void> {
    this.#store.flush();
    await this.#ops.sync(this.#store.fd);
    this.#journal.flush();
    await this.#ops.sync(this.#journal.fd);
  }

  /** Moves it: from one state to the next, at once. */
  async move(to: string): Promise<void> {
    const from = this.directory;
    this.#ops.rename(raw(from), raw(to));
    this.directory = to;
    await syncParents(this.#ops, from, to);
  }

  /** What had to be safe has been synced: a failure means nothing any more. */
  close(): void {
    closeQuietly(this.#ops, this.#journal.fd);
    closeQuietly(this.#ops, this.#store.fd);
  }
}

class Appender {
  readonly fd: number;
  readonly #ops: FileOps;
  #size = 0;
  #waiting: Buffer[] = [];
  #waitingSize = 0;

  constructor(ops: FileOps, path: string) {
    this.#ops = ops;
    this.fd = ops.open(raw(path), (CREATE & ~3) | (CHANGE & 3), 0o600);
  }

  get size(): number {
    return this.#size + this.#waitingSize;
  }

  /** @returns the position of the bytes */
  add(bytes: Buffer): number {
    const at = this.size;
    this.#waiting.push(bytes);
    this.#waitingSize += bytes.length;
    if (this.#waitingSize >= CHUNK) this.flush();
    return at;
  }

  flush(): void {
    if (this.#waitingSize === 0) return;
    writeWhole(this.#ops, this.fd, Buffer.concat(this.#waiting), this.#size);
    this.#size += this.#waitingSize;
    this.#waiting = [];
    this.#waitingSize = 0;
  }
}

function closeQuietly(ops: FileOps, fd: number): void {
  try {
    ops.close(fd);
  } catch {
    // As good as closed.
  }
}

/** Renames a directory of state and makes that last. @returns the new path */
export async function moveDirectory(ops: FileOps, from: string, to: string): Promise<string> {
  renameDirectory(ops, from, to);
  await syncParents(ops, from, to);
  return to;
}

export function renameDirectory(ops: FileOps, from: string, to: string): string {
  ops.rename(raw(from), raw(to));
  return to;
}

/** The journals in a directory of state; none where it is not there. */
export function listNames(ops: FileOps, directory: string): string[] {
  return lstatIfAny(ops, raw(directory)) === undefined ? [] : ops.list(raw(directory)).sort();
}

/** Makes a rename last. */
export async function syncParents(ops: FileOps, from: string, to: string): Promise<void> {
  for (const path of [to, from]) {
    const fd = ops.open(raw(path.slice(0, path.lastIndexOf('/'))), DIRECTORY);
    try {
      await ops.sync(fd);
    } finally {
      ops.close(fd);
    }
  }
}

/** A finished or interrupted journal, for reading. */
export interface OpenJournal extends Contents {
  readonly directory: string;
  read(at: number, size: number): Buffer;
  close(): void;
}

/**
 * @param name of its directory, in that of all state
 * @throws the system's error, or DamagedJournalError
 */
export function openJournal(ops: FileOps, place: StateDirectory, name: string): OpenJournal {
  const { users } = place;
  const directory = `${place.at}/${name}`;
  const contents = readContents(ops, directory, users);
  const store = openPart(ops, directory, 'store', users);
  return {
    ...contents,
    directory,
    read: (at, size) => readAt(ops, store, at, size),
    close: () => closeQuietly(ops, store),
  };
}

/** Real paths of the files that a journal is about. @throws the system's error, or DamagedJournalError */
export function filesInJournal(ops: FileOps, { at, users }: StateDirectory, name: string): readonly string[] {
  return readContents(ops, `${at}/${name}`, users).entries.map(({ path }) => path);
}

function readContents(ops: FileOps, directory: string, users: StateDirectory['users']): Contents {
  const fd = openPart(ops, directory, 'journal', users);
  let lines: string[];
  try {
    const { size } = ops.stat(fd);
    if (size > MAX_READ) throw new DamagedJournalError(TOO_LARGE);
    lines = readWhole(ops, fd, size).toString('latin1').split('\n');
  } finally {
    ops.close(fd);
  }
  // What is behind the last line end was being written when the process ended.
  lines.pop();
  const entries: JournalEntry[] = [];
  let ready = false;
  let index: IndexChange | undefined;
  for (const text of lines.slice(1)) {
    const line = parseLine(text) as Partial<Record<'entry' | 'index' | 'ready', unknown>> | undefined;
    if (isEntry(line?.entry)) entries.push(line.entry);
    else if (isIndexChange(line?.index)) index = line.index;
    else if (line?.ready === true) ready = true;
    else throw new DamagedJournalError('its file journal is damaged', entries);
  }
  return { header: parseHeader(lines[0] ?? '', entries), entries, index, ready };
}

/** Opens one of the two files of a journal. Nobody but its user can have put it there. */
function openPart(
  ops: FileOps,
  directory: string,
  part: 'journal' | 'store',
  users: StateDirectory['users'],
): number {
  const damaged = (what: string): Error => new DamagedJournalError(`its file ${part} ${what}`);
  let fd: number;
  try {
    if (ops.lstat(raw(directory)).kind === 'link')
      throw new DamagedJournalError('its directory is a symbolic link');
    fd = ops.open(raw(`${directory}/${part}`), READ);
  } catch (error) {
    const code = codeOf(error) ?? '';
    if (code === 'ENOENT' || code === 'ENOTDIR') throw damaged('is gone');
    // A link; a socket.
    if (code === 'ELOOP' || code === 'ENXIO') throw damaged('is no regular file');
    throw error;
  }
  const reason = untrustedReason(ops.stat(fd), users);
  if (reason === undefined) return fd;
  ops.close(fd);
  throw damaged(reason);
}

function parseLine(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}

function parseHeader(text: string, entries: readonly JournalEntry[] = []): Header {
  const header = parseLine(text) as Partial<Header> | undefined;
  if (header?.version !== undefined && header.version !== 1)
    throw new DamagedJournalError('another version of httpd-codemod has made it', entries);
  const { id, started, order = 0, cwd, paths, files } = header ?? {};
  const isWhole =
    [id, started, cwd].every((value) => typeof value === 'string') &&
    typeof files === 'number' &&
    Number.isSafeInteger(order) &&
    Array.isArray(paths) &&
    paths.every((path) => typeof path === 'string');
  if (!isWhole) throw new DamagedJournalError('its header is damaged', entries);
  return header as Header;
}

function isEntry(value: unknown): value is JournalEntry {
  if (typeof value !== 'object' || value === null) return false;
  const { path, old, new: hash, atime, mtime, mode, uid, gid, at, size } = value as Partial<JournalEntry>;
  return (
    [path, old, hash, atime, mtime].every((text) => typeof text === 'string') &&
    [mode, uid, gid, at, size].every((number) => Number.isSafeInteger(number))
  );
}

/** The header alone, and the bytes that the journal takes on the disk. @throws the system's error, or DamagedJournalError */
export function readHeader(
  ops: FileOps,
  { at, users }: StateDirectory,
  name: string,
): { readonly header: Header; readonly bytes: number } {
  const fd = openPart(ops, `${at}/${name}`, 'journal', users);
  try {
    const { size } = ops.stat(fd);
    if (size > MAX_READ) throw new DamagedJournalError(TOO_LARGE);
    const header = parseHeader(firstLine(ops, fd));
    const store = lstatIfAny(ops, raw(`${at}/${name}/store`));
    if (store === undefined) throw new DamagedJournalError('its file store is gone');
    return { header, bytes: size + store.size };
  } finally {
    ops.close(fd);
  }
}

/** A header holds all paths that were given. @returns nothing where the line has no end */
function firstLine(ops: FileOps, fd: number): string {
  const buffer = Buffer.alloc(CHUNK);
  for (let text = ''; ;) {
    const length = ops.read(fd, buffer, text.length);
    const end = buffer.subarray(0, length).indexOf('\n');
    if (length === 0) return '';
    text += buffer.toString('latin1', 0, end < 0 ? length : end);
    if (end >= 0) return text;
  }
}

function readAt(ops: FileOps, fd: number, at: number, size: number): Buffer {
  const bytes = Buffer.allocUnsafe(size);
  for (let length = 0; length < size;) {
    const bytesRead = ops.read(fd, bytes.subarray(length), at + length);
    if (bytesRead === 0) throw new DamagedJournalError('its file store is cut short');
    length += bytesRead;
  }
  return bytes;
}

/** Removes a directory of state; half of it may be gone already. */
export function removeDirectory(ops: FileOps, path: string): void {
  if (ops.lstat(raw(path)).kind !== 'directory') {
    // Whatever a link leads to is no state.
    ops.unlink(raw(path));
    return;
  }
  for (const name of ops.list(raw(path))) ops.unlink(raw(`${path}/${name}`));
  ops.rmdir(raw(path));
}
