import fs from 'node:fs';
import { join } from 'node:path';
import type { FileOps, Stat } from '../../src/write/system';

/** A user who is not the one that runs the tests. */
export const OTHER_USER = process.getuid?.() === 65534 ? 65533 : 65534;

const IS_ROOT = process.getuid?.() === 0;

/** Options for a process of that user; of this one, where only root can start it as another. */
export const AS_OTHER_USER: { readonly uid?: number; readonly gid?: number } = IS_ROOT
  ? { uid: OTHER_USER, gid: OTHER_USER }
  : {};

/** Gives another user what stands at a path and all below. Where that takes root, {@link seenBy} says that it was done. */
export function giveAway(path: string): void {
  given.push(path);
  if (!IS_ROOT) return;
  fs.lchownSync(path, OTHER_USER, OTHER_USER);
  if (fs.lstatSync(path).isDirectory()) for (const name of fs.readdirSync(path)) giveAway(join(path, name));
}

const given: string[] = [];

/**
 * Operations that see owners as {@link giveAway} has made them.
 * @param user who this process is to itself
 */
export function seenBy<T extends FileOps>(ops: T, user = process.getuid?.()): T {
  const seen = (stat: Stat, path: string): Stat => {
    const isGiven = given.some((top) => path === top || path.startsWith(`${top}/`));
    if (isGiven) return { ...stat, uid: OTHER_USER };
    return stat.uid === process.getuid?.() && user !== undefined ? { ...stat, uid: user } : stat;
  };
  const [stat, lstat] = [ops.stat.bind(ops), ops.lstat.bind(ops)];
  return Object.assign(ops, {
    stat: (fd: number) => seen(stat(fd), fs.readlinkSync(`/proc/self/fd/${fd}`)),
    lstat(path: Parameters<typeof lstat>[0]) {
      const text = String(path);
      const slash = text.lastIndexOf('/');
      const found = lstat(path);
      return seen(found, join(fs.realpathSync(text.slice(0, slash) || '/'), text.slice(slash + 1)));
    },
  });
}
