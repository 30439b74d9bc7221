import { hostname } from 'node:os';
import { cannotLink, codeOf } from '../error';
import {
  CREATE,
  type FileOps,
  raw,
  READ,
  readWhole,
  unlinkIfAny,
  untrustedReason,
  writeWhole,
} from '../system';
import type { Host, StateDirectory } from './place';

/** Milliseconds between two looks at a lock that is held. */
const LOOK_MS = 100;

/** A running process, with enough to tell it from a later one with the same number. */
interface LockHolder {
  readonly pid: number;
  readonly host: string;
  /** What the system tells of it where it can, else ''. */
  readonly boot: string;
  readonly space: string;
  readonly start: string;
}

/** Another process is writing. */
export class LockedError extends Error {}

export interface LockOptions {
  /** How long to wait for another process, in milliseconds. */
  readonly wait: number;
  /** Called once, when it must be waited for. */
  readonly onWait: (holder: string) => void;
}

/**
 * Takes the lock in a directory of its own, waiting a while for another process.
 *
 * The lock is the file with the highest number. Whoever finds its holder gone, or done, makes the next one, which can succeed for
 * one process only; no one ever takes the highest away. So a lock that a dead process has left needs no one to remove it.
 * @returns what releases it
 * @throws LockedError if the other process does not finish in time
 */
export async function acquireLock(
  ops: FileOps,
  state: StateDirectory,
  host: Host,
  { wait, onWait }: LockOptions,
): Promise<() => void> {
  const self = describe(ops, host);
  for (let waited = 0; ; waited += LOOK_MS) {
    const attempt = tryLock(ops, state, self, host);
    if (typeof attempt === 'function') return attempt;
    if (waited >= wait) throw new LockedError(`${attempt} is writing; try again when it is done`);
    if (waited === 0) onWait(attempt);
    await new Promise((resolve) => {
      setTimeout(resolve, LOOK_MS);
    });
  }
}

/** @returns what releases the lock, or who holds it */
function tryLock(ops: FileOps, state: StateDirectory, self: LockHolder, host: Host): (() => void) | string {
  const directory = `${state.at}/lock`;
  const pathOf = (name: number | string): string => `${directory}/${name}`;
  for (;;) {
    const last = Math.max(0, ...numbers(ops, directory));
    const shown = `${state.path}/lock/${last}`;
    const holder = last === 0 ? undefined : holderOf(ops, pathOf(last), shown, state.users);
    if (holder !== undefined && !isGone(ops, holder, self, host)) return nameOf(holder, self, shown);
    const newLock = pathOf(`new-${self.pid}-${self.space.replace(/\D/g, '')}`);
    if (!claim(ops, newLock, pathOf(last + 1), state.path, self)) continue;
    const all = numbers(ops, directory);
    if (Math.max(...all) > last + 1) {
      // It was taken and given back meanwhile, and the number taken away: this one counts for nothing.
      unlinkIfAny(ops, raw(pathOf(last + 1)));
      continue;
    }
    for (const number of all) if (number <= last) unlinkIfAny(ops, raw(pathOf(number)));
    return () => {
      create(ops, newLock, '');
      ops.rename(raw(newLock), raw(pathOf(last + 1)));
    };
  }
}

function numbers(ops: FileOps, directory: string): number[] {
  return ops
    .list(raw(directory))
    .filter((name) => /^\d+$/.test(name))
    .map(Number);
}

/**
 * Makes the lock file, complete from its first moment.
 * @param shown the directory of journals, as people are told
 * @returns false where another process was first
 * @throws the system's error; Error where the directory takes no hard links
 */
function claim(ops: FileOps, newLock: string, path: string, shown: string, self: LockHolder): boolean {
  create(ops, newLock, JSON.stringify(self));
  try {
    ops.link(raw(newLock), raw(path));
    return true;
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false;
    if (!cannotLink(error)) throw error;
    throw new Error(
      `the file system of ${shown} has no hard links, which the lock needs: set XDG_STATE_HOME to a directory on another`,
      { cause: error },
    );
  } finally {
    unlinkIfAny(ops, raw(newLock));
  }
}

function create(ops: FileOps, path: string, text: string): void {
  // Left by a process of the same number that was killed in between.
  unlinkIfAny(ops, raw(path));
  const fd = ops.open(raw(path), CREATE, 0o600);
  try {
    writeWhole(ops, fd, Buffer.from(text));
  } finally {
    ops.close(fd);
  }
}

/**
 * Undefined for a lock that was given back, or that a power cut has emptied.
 * @throws the system's error; Error for a lock of somebody else, who could keep every run from writing
 */
function holderOf(
  ops: FileOps,
  path: string,
  shown: string,
  users: StateDirectory['users'],
): LockHolder | undefined {
  let fd: number;
  try {
    fd = ops.open(raw(path), READ);
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw error;
  }
  try {
    const reason = untrustedReason(ops.stat(fd), users);
    if (reason !== undefined) throw new Error(`the lock ${shown} ${reason}: remove it`);
    return holderIn(readWhole(ops, fd, 1024).toString('latin1'));
  } finally {
    ops.close(fd);
  }
}

function holderIn(text: string): LockHolder | undefined {
  try {
    return JSON.parse(text) as LockHolder;
  } catch {
    return undefined;
  }
}

function isGone(ops: FileOps, holder: LockHolder, self: LockHolder, host: Host): boolean {
  if (holder.host !== self.host) return false;
  if (holder.boot !== self.boot) return true;
  if (holder.space !== self.space) return false;
  return !host.alive(holder.pid) || startOf(ops, holder.pid) !== holder.start;
}

function nameOf(holder: LockHolder, self: LockHolder, path: string): string {
  if (holder.host === self.host && holder.space === self.space)
    return `another httpd-codemod (process ${holder.pid})`;
  // From here it cannot be seen whether that one still runs.
  return `another httpd-codemod (process ${holder.pid} on ${holder.host}; if that is gone, remove ${path})`;
}

function describe(ops: FileOps, { pid }: Host): LockHolder {
  return {
    pid,
    host: hostname(),
    boot: readText(ops, '/proc/sys/kernel/random/boot_id').trim(),
    space: linkText(ops, '/proc/self/ns/pid'),
    start: startOf(ops, pid),
  };
}

/**
 * When a process began, in the kernel's clock ticks since boot (proc(5): field 22 of stat); '' where that is not known, and for
 * one that has ended and that nobody has asked for its status.
 */
function startOf(ops: FileOps, pid: number): string {
  const stat = readText(ops, `/proc/${pid}/stat`);
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return /^[ZX]$/.test(fields[0] ?? '') ? '' : (fields[19] ?? '');
}

/** The pid namespace: process numbers of two containers say nothing about each other. */
function linkText(ops: FileOps, path: string): string {
  try {
    return ops.follow(path);
  } catch {
    return '';
  }
}

/** '' for a file that is not there. */
function readText(ops: FileOps, path: string): string {
  try {
    const fd = ops.open(raw(path), READ);
    try {
      return readWhole(ops, fd, 1024).toString('latin1');
    } finally {
      ops.close(fd);
    }
  } catch {
    return '';
  }
}
