import {
  type Dirent,
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readFileSync,
  readSync,
  readdirSync,
  readlinkSync,
  realpathSync,
  statSync,
} from 'node:fs';
import { type DirectoryEntry, type FileSource, SourceError } from '../types';
import { checkSize } from './file-size';

const reasons: Readonly<Record<string, string>> = {
  EACCES: 'permission denied',
  EISDIR: 'is a directory',
  EAGAIN: 'not a regular file',
  ESPIPE: 'not a regular file',
  ELOOP: 'too many levels of symbolic links',
  EMFILE: 'too many open files',
  ENAMETOOLONG: 'name too long',
  ENOENT: 'no such file or directory',
  ENOTDIR: 'not a directory',
  EPERM: 'operation not permitted',
};

/** O_NONBLOCK: opening a pipe without a writer must not hang the run. */
const READING = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0);

const TYPED = { encoding: 'latin1', withFileTypes: true } as const;

/** The real file system. */
export const disk: FileSource = {
  isMachine: true,

  read(path) {
    try {
      const file = openSync(native(path), READING);
      try {
        return readSmall(file) ?? readLarge(path, file);
      } finally {
        closeSync(file);
      }
    } catch (error) {
      throw asSourceError(path, error);
    }
  },

  list(path) {
    try {
      return listTyped(path);
    } catch (error) {
      throw asSourceError(path, error);
    }
  },

  kind(path) {
    try {
      const stat = statSync(native(path), { throwIfNoEntry: false });
      if (stat === undefined) return undefined;
      return stat.isFile() ? 'file' : stat.isDirectory() ? 'directory' : 'other';
    } catch {
      return undefined;
    }
  },

  real(path) {
    try {
      return realpathSync.native(native(path), 'latin1');
    } catch (error) {
      throw asSourceError(path, error);
    }
  },

  owners(path) {
    const link = lstatSync(native(path), { throwIfNoEntry: false });
    const file = statSync(native(path), { throwIfNoEntry: false });
    return [link, file].flatMap((stat) => stat?.uid ?? []);
  },

  inode(path) {
    const stat = statSync(native(path), { throwIfNoEntry: false });
    return stat === undefined || stat.nlink < 2 ? undefined : `${stat.dev}:${stat.ino}`;
  },

  names(path) {
    return statSync(native(path), { throwIfNoEntry: false })?.nlink ?? 1;
  },

  size(path) {
    try {
      return statSync(native(path)).size;
    } catch {
      // Whoever reads it is told why it cannot be read.
      return 0;
    }
  },

  device(path) {
    return statSync(native(path), { throwIfNoEntry: false })?.dev;
  },

  memory() {
    const { getHeapStatistics } = require('node:v8') as typeof import('node:v8');
    return getHeapStatistics().heap_size_limit;
  },

  planted(path, by) {
    try {
      const linkMakers = linkOwners(path);
      if (by !== undefined) linkMakers.push(statSync(native(by)).uid);
      // Links made by root are trusted.
      const others = linkMakers.filter((uid) => uid !== 0);
      if (others.length === 0) return false;
      const owner = statSync(native(path)).uid;
      return others.some((uid) => uid !== owner && uid !== ownUser());
    } catch {
      // It is gone: writing it will fail.
      return false;
    }
  },
};

function listTyped(path: string): DirectoryEntry[] {
  try {
    return readdirSync(native(path), TYPED).map(entry);
  } catch (error) {
    // On file systems that do not report types, node looks for the name in UTF-8 and fails on any other.
    if (codeOf(error) === 'EACCES' || codeOf(error) === 'ENOTDIR') throw error;
    const names = readdirSync(native(path), { encoding: 'latin1' });
    return names.map((name) => entry(Object.assign(lstatSync(native(`${path}/${name}`)), { name })));
  }
}

/** Symbolic links in one path: as many as Linux follows before it says ELOOP. */
const MAX_LINKS = 40;

/** The owners of all symbolic links that are followed along a path. */
function linkOwners(path: string): number[] {
  const owners: number[] = [];
  let at = '';
  const rest = path.split('/').slice(1);
  while (rest.length > 0) {
    const part = rest.shift() ?? '';
    if (part === '' || part === '.') continue;
    if (part === '..') {
      at = at.slice(0, Math.max(0, at.lastIndexOf('/')));
      continue;
    }
    const stat = lstatSync(native(`${at}/${part}`));
    if (!stat.isSymbolicLink()) {
      at += `/${part}`;
      continue;
    }
    owners.push(stat.uid);
    if (owners.length > MAX_LINKS) break;
    const target = readlinkSync(native(`${at}/${part}`), 'latin1');
    if (target.startsWith('/')) at = '';
    rest.unshift(...target.split('/'));
  }
  return owners;
}

let ownUid: number | undefined;

function ownUser(): number {
  const { userInfo } = require('node:os') as typeof import('node:os');
  return (ownUid ??= userInfo().uid);
}

let readBuffer: Buffer | undefined;

/** Reads a file that fits into one buffer. A read of 0 bytes is the end of the file, a short read may not be. */
function readSmall(file: number): string | undefined {
  const buffer = (readBuffer ??= Buffer.allocUnsafe(64 * 1024));
  let length = 0;
  while (length < buffer.length) {
    const bytesRead = readSync(file, buffer, length, buffer.length - length, length);
    if (bytesRead === 0) return buffer.toString('latin1', 0, length);
    length += bytesRead;
  }
  return undefined;
}

function readLarge(path: string, file: number): string {
  const stat = fstatSync(file);
  if (!stat.isFile()) throw new SourceError(path, 'EINVAL', 'not a regular file');
  checkSize(path, stat.size);
  return readFileSync(file, 'latin1');
}

/** Node encodes strings as UTF-8, so only ASCII names are unchanged. */
function native(path: string): string | Buffer {
  return /^[\0-\x7f]*$/.test(path) ? path : Buffer.from(path, 'latin1');
}

type TypedEntry = Pick<Dirent, 'name' | 'isFile' | 'isDirectory' | 'isSymbolicLink'>;

function entry(found: TypedEntry): DirectoryEntry {
  const { name } = found;
  if (found.isFile()) return { name, kind: 'file' };
  return { name, kind: found.isDirectory() ? 'directory' : found.isSymbolicLink() ? 'link' : 'other' };
}

function codeOf(error: unknown): string {
  return (error as NodeJS.ErrnoException).code ?? 'EIO';
}

function asSourceError(path: string, error: unknown): SourceError {
  if (error instanceof SourceError) return error;
  const code = codeOf(error);
  return new SourceError(path, code, reasons[code] ?? `cannot be read (${code})`);
}
