import {
  type Dirent,
  closeSync,
  constants,
  existsSync,
  fstatSync,
  lstatSync,
  openSync,
  readFileSync,
  readSync,
  readdirSync,
  readlinkSync,
  realpathSync,
  statSync,
  type Stats,
  statfsSync,
} from 'node:fs';
import { type DirectoryEntry, type FileSource, SourceError } from '../types';
import { checkSize } from './file-size';

const reasons: Readonly<Record<string, string>> = {
  __proto__: null!,
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
const NOT_THROUGH_LINK = constants.O_NOFOLLOW ?? 0;

const TYPED = { encoding: 'latin1', withFileTypes: true } as const;

/** The real file system. */
export const disk: FileSource = {
  isMachine: true,

  read(path) {
    try {
      const { file, size } = openToRead(path);
      try {
        return readSmall(file, size) ?? readLarge(path, file);
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
    const stat = statOf(statSync, path);
    if (stat === undefined) return undefined;
    return stat.isFile() ? 'file' : stat.isDirectory() ? 'directory' : 'other';
  },

  real(path) {
    try {
      return realpathSync.native(native(path), 'latin1');
    } catch (error) {
      throw asSourceError(path, error);
    }
  },

  owners(path) {
    return [statOf(lstatSync, path), statOf(statSync, path)].flatMap((stat) => stat?.uid ?? []);
  },

  stat(path) {
    const stat = statOf(statSync, path);
    // Whoever reads it is told why it cannot be read.
    return stat && { size: stat.size, inode: stat.nlink < 2 ? undefined : `${stat.dev}:${stat.ino}` };
  },

  names(path) {
    return statOf(statSync, path)?.nlink ?? 1;
  },

  device(path) {
    return statOf(statSync, path)?.dev;
  },

  memory() {
    const { getHeapStatistics } = require('node:v8') as typeof import('node:v8');
    return getHeapStatistics().heap_size_limit;
  },

  planted(path, by, target) {
    try {
      const { owners: linkMakers, end } = followed(path);
      if (!isSamePlace(end, target)) return true;
      if (by !== undefined) linkMakers.push(statSync(native(by)).uid);
      // Links made by root are trusted.
      const others = linkMakers.filter((uid) => uid !== 0);
      if (others.length === 0) return false;
      const owner = lstatSync(native(target)).uid;
      return others.some((uid) => uid !== owner && uid !== ownUser());
    } catch {
      // What is gone may have been a link that was there when it was followed.
      return true;
    }
  },
};

/** What is not there, or may be a link to itself by now, has none. */
function statOf(ask: typeof statSync, path: string): Stats | undefined {
  try {
    return ask(native(path), { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

/**
 * Opens a file that stands on a disk. To open a device may do something, and so may reading what the kernel makes as it
 * is read: a link may lead there. What is no link when it is looked at is not followed as one.
 */
function openToRead(path: string): { readonly file: number; readonly size: number } {
  const name = native(path);
  const found = lstatSync(name);
  const isLink = found.isSymbolicLink();
  const stat = isLink ? statSync(name) : found;
  if (stat.isDirectory()) throw new SourceError(path, 'EISDIR', reasons['EISDIR']!);
  if (!stat.isFile() || isOfKernel(path, stat.dev))
    throw new SourceError(path, 'EINVAL', 'not a regular file');
  const file = isLink ? openThroughLink(path, stat) : openSync(name, READING | NOT_THROUGH_LINK);
  return { file, size: stat.size };
}

/** Linux: what is opened with it is not read, nor does opening it do anything. */
const O_PATH = 0x20_0000;
const HELD = '/proc/self/fd';

/** Opens what a link led to when it was looked at: whoever made it may have made it lead to a device since. */
function openThroughLink(path: string, { dev, ino }: Stats): number {
  if (!existsSync(HELD)) return openSync(native(path), READING);
  const held = openSync(native(path), O_PATH);
  try {
    const stat = fstatSync(held);
    if (stat.dev !== dev || stat.ino !== ino)
      throw new SourceError(path, 'EINVAL', 'not a regular file since a moment ago');
    return openSync(`${HELD}/${held}`, READING);
  } finally {
    closeSync(held);
  }
}

/** File systems of Linux without a disk, such as proc and sysfs, by the number that statfs(2) has for each. */
const OF_KERNEL: ReadonlySet<number> = new Set([
  0x9fa0, 0x62656572, 0x64626720, 0x74726163, 0x73636673, 0x6e736673, 0x27e0eb, 0x63677270, 0xcafe4a11, 0x6165676c, 0xde5e81e4,
]); // prettier-ignore
const kernelDevices = new Map<number, boolean>();

/** Whether what has that device number stands on no disk: the kernel makes it as it is read. @param path where it was found */
export function isOfKernel(path: string, device: number): boolean {
  let known = kernelDevices.get(device);
  if (known === undefined) kernelDevices.set(device, (known = isKernelPlace(path)));
  return known;
}

function isKernelPlace(path: string): boolean {
  try {
    // From Node 18.15 on.
    if (typeof statfsSync === 'function') return OF_KERNEL.has(statfsSync(native(path)).type);
    return /^\/(?:proc|sys)\//.test(realpathSync.native(native(path), 'latin1'));
  } catch {
    return false;
  }
}

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

/** Where a path leads, and the owners of all symbolic links that are followed along it. */
function followed(path: string): { readonly owners: number[]; readonly end: string } {
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
  return { owners, end: at || '/' };
}

/** Whether two real paths are one. Where letters of either case are the same, the system may write them in another way. */
function isSamePlace(path: string, other: string): boolean {
  if (path === other) return true;
  const [stat, otherStat] = [lstatSync(native(path)), lstatSync(native(other))];
  return stat.dev === otherStat.dev && stat.ino === otherStat.ino && (stat.isDirectory() || stat.nlink === 1);
}

let ownUid: number | undefined;

function ownUser(): number {
  const { userInfo } = require('node:os') as typeof import('node:os');
  return (ownUid ??= userInfo().uid);
}

let readBuffer: Buffer | undefined;

/**
 * Reads a file that fits into one buffer. A short read may not be the end of a file; a read of 0 bytes is, and so is one of all
 * that was there when it was opened.
 */
function readSmall(file: number, size: number): string | undefined {
  const buffer = (readBuffer ??= Buffer.allocUnsafe(64 * 1024));
  let length = 0;
  while (length < buffer.length) {
    const bytesRead = readSync(file, buffer, length, buffer.length - length, length);
    length += bytesRead;
    if (bytesRead === 0 || length === size) return buffer.toString('latin1', 0, length);
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
