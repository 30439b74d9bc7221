import { type FileOps, lstatIfAny, raw, type Stat } from './ops';

/** Somebody else could have chosen what stands there; the message says how, for a person: a byte string. */
export class UntrustedError extends Error {}

export interface Trust {
  /** Whose links are followed; undefined where the system has no users, so that all are. */
  readonly users: readonly number[] | undefined;
  /** Whether they alone may be able to rename something on the way; else only in directories in which a link stands. */
  readonly wholeWay: boolean;
  /** Whether directories that are missing are made, the last one too, for their owner alone. */
  readonly makes?: boolean;
}

/** Symbolic links in one path: as many as Linux follows. */
const MAX_LINKS = 40;

/**
 * Where a path leads, as the system finds it, if nobody else has a say in that. What it leads to need not be there.
 * @param path absolute, a byte string
 * @returns the same without a link, `.` or `..`
 * @throws UntrustedError; the system's error
 */
export function trustedPath(ops: FileOps, path: string, { users, wholeWay, makes = false }: Trust): string {
  const rest = path.split('/');
  const checked = new Set<string>();
  const check = (directory: string): void => {
    if (users === undefined || checked.has(directory)) return;
    const reason = replaceableReason(ops.lstat(raw(directory)), users);
    if (reason !== undefined) throw new UntrustedError(`${directory} ${reason}`);
    checked.add(directory);
  };
  let at = '';
  for (let links = 0; rest.length > 0;) {
    const part = rest.shift()!;
    if (part === '' || part === '.') continue;
    if (part === '..') {
      at = at.slice(0, Math.max(0, at.lastIndexOf('/')));
      continue;
    }
    if (wholeWay) check(at || '/');
    const next = `${at}/${part}`;
    const stat = lstatIfAny(ops, raw(next)) ?? (makes ? makeDirectory(ops, next) : undefined);
    if (stat?.kind !== 'link') {
      at = next;
      continue;
    }
    check(at || '/');
    if (users?.includes(stat.uid) === false)
      throw new UntrustedError(`${next} is a symbolic link of another user`);
    if (++links > MAX_LINKS) throw Object.assign(new Error('ELOOP'), { code: 'ELOOP' });
    const target = ops.follow(raw(next));
    if (target.startsWith('/')) at = '';
    rest.unshift(...target.split('/'));
  }
  return at || '/';
}

/** How somebody else could put something in the place of what stands in a directory; undefined where only these users can. */
function replaceableReason({ uid, gid, mode }: Stat, users: readonly number[]): string | undefined {
  if (!users.includes(uid)) return 'belongs to another user';
  // In a sticky directory everybody can rename only what is theirs.
  if ((mode & 0o1000) !== 0) return undefined;
  // Many systems give each user a group of the same number, with nobody else in it, and let it write all that the user makes.
  const isPrivateGroup = uid !== 0 && gid === uid;
  const others = isPrivateGroup ? 0o002 : 0o022;
  return (mode & others) === 0 ? undefined : 'could be changed by other users';
}

function makeDirectory(ops: FileOps, path: string): Stat {
  try {
    ops.mkdir(raw(path), 0o700);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  return ops.lstat(raw(path));
}

/** Why an open file's content may not come from these users alone; undefined where it does, or without users. */
export function untrustedReason(
  { kind, uid, mode }: Stat,
  users: readonly number[] | undefined,
): string | undefined {
  if (kind !== 'file') return 'is no regular file';
  if (users === undefined) return undefined;
  if (!users.includes(uid)) return `belongs to another user (${uid})`;
  return (mode & 0o022) === 0 ? undefined : 'may be written by other users';
}
