import * as fs from 'node:fs';

/** What a write needs to know about a file; times in nanoseconds. */
export interface Stat {
  readonly kind: 'file' | 'directory' | 'link' | 'other';
  readonly dev: bigint;
  readonly ino: bigint;
  readonly mode: number;
  readonly links: number;
  readonly uid: number;
  readonly gid: number;
  readonly size: number;
  readonly atime: bigint;
  readonly mtime: bigint;
  readonly ctime: bigint;
}

export type Path = string | Buffer;

/**
 * Every operation on the file system that writing makes, so that a test can let any of them fail, or be the last. Each throws the
 * system's error. Only `sync` waits aside: the disk then takes many at once.
 */
export interface FileOps {
  open(path: Path, flags: number, mode?: number): number;
  close(fd: number): void;
  /** From `position` on. @returns the number of bytes, 0 at the end */
  read(fd: number, into: Buffer, position: number): number;
  /** @returns the number of bytes written, which may be fewer than given */
  write(fd: number, bytes: Uint8Array, position: number): number;
  chmod(fd: number, mode: number): void;
  chown(fd: number, uid: number, gid: number): void;
  /** Seconds since 1970. */
  times(fd: number, atime: number, mtime: number): void;
  stat(fd: number): Stat;
  lstat(path: Path): Stat;
  list(path: Path): string[];
  link(path: Path, second: Path): void;
  rename(from: Path, to: Path): void;
  unlink(path: Path): void;
  mkdir(path: Path, mode: number): void;
  rmdir(path: Path): void;
  real(path: Path): string;
  /** What a symbolic link says. */
  follow(path: Path): string;
  sync(fd: number): Promise<void>;
}

export const realOps: FileOps = {
  open: (path, flags, mode) => fs.openSync(path, flags, mode),
  close: (fd) => fs.closeSync(fd),
  read: (fd, into, position) => fs.readSync(fd, into, 0, into.length, position),
  write: (fd, bytes, position) => fs.writeSync(fd, bytes, 0, bytes.length, position),
  chmod: (fd, mode) => fs.fchmodSync(fd, mode),
  chown: (fd, uid, gid) => fs.fchownSync(fd, uid, gid),
  times: (fd, atime, mtime) => fs.futimesSync(fd, atime, mtime),
  stat: (fd) => statOf(fs.fstatSync(fd, { bigint: true })),
  lstat: (path) => statOf(fs.lstatSync(path, { bigint: true })),
  list: (path) => fs.readdirSync(path, { encoding: 'latin1' }),
  link: (path, second) => fs.linkSync(path, second),
  rename: (from, to) => fs.renameSync(from, to),
  unlink: (path) => fs.unlinkSync(path),
  mkdir: (path, mode) => {
    fs.mkdirSync(path, mode);
  },
  rmdir: (path) => fs.rmdirSync(path),
  real: (path) => fs.realpathSync.native(path, 'latin1'),
  follow: (path) => fs.readlinkSync(path, 'latin1'),
  sync: async (fd) =>
    new Promise((resolve, reject) => {
      fs.fsync(fd, (error) => (error === null ? resolve() : reject(error)));
    }),
};

function statOf(stat: fs.BigIntStats): Stat {
  return {
    kind: stat.isFile()
      ? 'file'
      : stat.isDirectory()
        ? 'directory'
        : stat.isSymbolicLink()
          ? 'link'
          : 'other',
    dev: stat.dev,
    ino: stat.ino,
    mode: Number(stat.mode) & 0o7777,
    links: Number(stat.nlink),
    uid: Number(stat.uid),
    gid: Number(stat.gid),
    size: Number(stat.size),
    atime: stat.atimeNs,
    mtime: stat.mtimeNs,
    ctime: stat.ctimeNs,
  };
}

const { O_CREAT, O_EXCL, O_RDONLY, O_RDWR, O_WRONLY } = fs.constants;
// Windows has none of these.
const NOFOLLOW = fs.constants.O_NOFOLLOW | 0;
const NONBLOCK = fs.constants.O_NONBLOCK | 0;

/** Flags of `open`; none of them follows a link in the last part of a path. */
export const READ = O_RDONLY | NOFOLLOW | NONBLOCK;
export const CHANGE = O_RDWR | NOFOLLOW | NONBLOCK;
export const CREATE = O_WRONLY | O_CREAT | O_EXCL | NOFOLLOW;
export const DIRECTORY = O_RDONLY | fs.constants.O_DIRECTORY | NOFOLLOW;

/** A path as the system takes it: file names are bytes, not text. */
export function raw(path: string): Path {
  return /^[\0-\x7f]*$/.test(path) ? path : Buffer.from(path, 'latin1');
}

/** All of an open file, which has some `size` bytes. */
export function readWhole(ops: FileOps, fd: number, size: number): Buffer {
  // One more byte than there should be, so that a single read also finds the end.
  let buffer = Buffer.allocUnsafe(size + 1);
  let length = 0;
  for (;;) {
    const bytesRead = ops.read(fd, buffer.subarray(length), length);
    length += bytesRead;
    if (bytesRead === 0) return buffer.subarray(0, length);
    if (length === buffer.length) buffer = Buffer.concat([buffer, Buffer.allocUnsafe(buffer.length)]);
    else if (length === size) return buffer.subarray(0, length);
  }
}

export function writeWhole(ops: FileOps, fd: number, bytes: Uint8Array, position = 0): void {
  for (let at = 0; at < bytes.length;) at += ops.write(fd, bytes.subarray(at), position + at);
}

/** What stands at a path, undefined if nothing does. @throws the system's error if that cannot be told */
export function lstatIfAny(ops: FileOps, path: Path): Stat | undefined {
  try {
    return ops.lstat(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/** Removes a file; that it is not there (any more) is fine. */
export function unlinkIfAny(ops: FileOps, path: Path): void {
  try {
    ops.unlink(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
}
