import { getSystemErrorMap } from 'node:util';
import { constants, ftruncateSync, statSync } from 'node:fs';
import { writeAll } from './descriptor';
import type { Host } from './journal';
import {
  Directories,
  type FileOps,
  raw,
  READ,
  readWhole,
  realOps,
  type Stat,
  trustedPath,
  UntrustedError,
  untrustedReason,
} from './system';

/** Whose files a run believes: root's, its user's, and where sudo runs it, those of whoever called that. */
function believed({ uid, env }: Pick<Host, 'uid' | 'env'>): readonly number[] | undefined {
  if (uid === undefined) return undefined;
  const caller = env['SUDO_UID'] ?? '';
  return uid === 0 && /^\d+$/.test(caller) ? [uid, Number(caller)] : [0, uid];
}

/**
 * Reads a file that has its run do things, such as a plan: nobody but those whom the run believes can have written it or put it
 * there. It is opened once, and what is open is what is checked and read.
 * @param path absolute, a byte string
 * @returns bytes as latin1
 * @throws Error with a line for a person, a byte string
 */
export function readPrivate(path: string, host: Pick<Host, 'uid' | 'env'>, ops: FileOps = realOps): string {
  const users = believed(host);
  try {
    const fd = ops.open(raw(trustedPath(ops, path, { users, wholeWay: true })), READ);
    try {
      const stat = ops.stat(fd);
      const reason = untrustedReason(stat, users);
      if (reason !== undefined) throw new UntrustedError(reason);
      return readWhole(ops, fd, stat.size).toString('latin1');
    } finally {
      ops.close(fd);
    }
  } catch (error) {
    if (error instanceof UntrustedError)
      throw new Error(`${error.message}: not used, as somebody else could have written it`, { cause: error });
    const { errno, message } = error as NodeJS.ErrnoException;
    throw new Error(getSystemErrorMap().get(errno ?? 0)?.[1] ?? message, { cause: error });
  }
}

/**
 * Writes a file that is no configuration, but may hold what stands in one: a new one is for its user alone, one that is there
 * keeps its owner and its mode.
 * @param path absolute, a byte string
 * @throws the system's error; UntrustedError where others have a say in what would be written
 */
export function writePrivate(
  path: string,
  bytes: Uint8Array,
  host: Pick<Host, 'uid' | 'env'>,
  ops: FileOps = realOps,
): void {
  const fd = openOutput(path, believed(host), ops);
  try {
    writeAll(fd, bytes);
  } finally {
    ops.close(fd);
  }
}

const { O_CREAT, O_EXCL, O_NOCTTY, O_WRONLY } = constants;
const NOFOLLOW = constants.O_NOFOLLOW | 0;
const NONBLOCK = constants.O_NONBLOCK | 0;

function openOutput(path: string, users: readonly number[] | undefined, ops: FileOps): number {
  const real = trustedPath(ops, path, { users, wholeWay: false });
  const found = statSync(raw(path), { bigint: true, throwIfNoEntry: false });
  // A pipe, as /dev/stdout may be, has no path of its own.
  if (found?.isFile() === false) return openFound(ops, raw(path), O_WRONLY | O_NOCTTY, found);
  const directories = new Directories(ops);
  try {
    if (found === undefined)
      return ops.open(directories.reach(real), O_WRONLY | O_CREAT | O_EXCL | NOFOLLOW, 0o600);
    const above = ops.lstat(directories.reach(`${real.slice(0, real.lastIndexOf('/'))}/.`));
    const fd = openFound(ops, directories.reach(real), O_WRONLY | NOFOLLOW | NONBLOCK, found, (stat) => {
      if (stat.links > 1)
        throw new UntrustedError('it has other names (hard links), whose text would change, too');
      // Where everybody may put files, somebody has put this one there to read what comes into it.
      if (users?.includes(stat.uid) === false && stat.uid !== above.uid && (above.mode & 0o022) !== 0)
        throw new UntrustedError(`it belongs to another user (${stat.uid})`);
    });
    ftruncateSync(fd);
    return fd;
  } finally {
    directories.close();
  }
}

/** @throws what `check` throws of the file that is open; UntrustedError where it is another one than was found */
function openFound(
  ops: FileOps,
  path: string | Buffer,
  flags: number,
  { dev, ino }: Pick<Stat, 'dev' | 'ino'>,
  check?: (stat: Stat) => void,
): number {
  const fd = ops.open(path, flags);
  try {
    const stat = ops.stat(fd);
    if (stat.dev !== dev || stat.ino !== ino) throw new UntrustedError('it has just been replaced');
    check?.(stat);
    return fd;
  } catch (error) {
    ops.close(fd);
    throw error;
  }
}
