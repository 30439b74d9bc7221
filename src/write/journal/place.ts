import { homedir, tmpdir } from 'node:os';
import { DIRECTORY, Directories, type FileOps, trustedPath, UntrustedError } from '../system';

/** The process that writes. */
export interface Host {
  readonly pid: number;
  /** Effective user, undefined where the system has none. */
  readonly uid: number | undefined;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Whether a process of that number runs here. */
  alive(pid: number): boolean;
  /** From now on a signal to end does not end the process. */
  listen(): SignalListener;
}

export interface SignalListener {
  /** Whether a signal to end has come. */
  received(): boolean;
  end(): void;
}

const NAME = 'httpd-codemod';
const ROOTS_PLACE = `/var/lib/${NAME}`;

/**
 * Where journals may be kept, best first: `$XDG_STATE_HOME/httpd-codemod` and nowhere else where that is set; else for root
 * `/var/lib/httpd-codemod`, for others `~/.local/state/httpd-codemod` and, without a home, a place among the temporary files.
 * Byte strings.
 * @param uid, env of {@link Host}
 */
export function statePlaces({ uid, env }: Pick<Host, 'uid' | 'env'>): string[] {
  const bytes = (text: string): string => Buffer.from(text, 'utf8').toString('latin1');
  const given = env['XDG_STATE_HOME'];
  if (given !== undefined && given !== '') return [bytes(`${given.replace(/\/+$/, '')}/${NAME}`)];
  if (uid === 0) return [ROOTS_PLACE];
  const home = env['HOME']?.startsWith('/') === true ? env['HOME'] : homeDirectory();
  const inHome = home === undefined ? [] : [bytes(`${home}/.local/state/${NAME}`)];
  return [...inHome, bytes(`${tmpdir()}/${NAME}-${uid ?? 'user'}`)];
}

function homeDirectory(): string | undefined {
  try {
    return homedir();
  } catch {
    return undefined;
  }
}

const UNUSABLE = new Set(['EACCES', 'EPERM', 'EROFS', 'ENOENT', 'ENOTDIR', 'ELOOP', 'ENAMETOOLONG']);

/** The directory in which journals are kept: checked, and held open. */
export interface StateDirectory {
  /** What people are told. */
  readonly path: string;
  /** By which it is reached: this leads to what was checked, whatever stands at its path by then. */
  readonly at: string;
  /** Who may own what is in it: see {@link untrustedReason}. */
  readonly users: readonly number[] | undefined;
  close(): void;
}

/**
 * Makes and checks the directory in which journals are kept. All who read or write there get it here or by {@link findPlace}.
 * @throws Error saying why there is none
 */
export function openPlace(ops: FileOps, host: Pick<Host, 'uid' | 'env'>): StateDirectory {
  return usablePlace(ops, host, true)!;
}

/**
 * Finds the directory of journals, like {@link openPlace}, without making it.
 * @returns undefined where there is none yet
 */
export function findPlace(ops: FileOps, host: Pick<Host, 'uid' | 'env'>): StateDirectory | undefined {
  return usablePlace(ops, host, false);
}

function usablePlace(
  ops: FileOps,
  host: Pick<Host, 'uid' | 'env'>,
  makes: boolean,
): StateDirectory | undefined {
  const reasons: string[] = [];
  for (const path of statePlaces(host)) {
    try {
      if (!path.startsWith('/')) throw new UntrustedError('not an absolute path');
      return holdPlace(ops, path, host.uid, makes);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (!makes && code === 'ENOENT') continue;
      // A reason that passes must not lead to another place: what was begun here would not be found there.
      if (!(error instanceof UntrustedError) && !UNUSABLE.has(code ?? '')) throw error;
      reasons.push(`${path}: ${error instanceof UntrustedError ? error.message : code}`);
    }
  }
  if (!makes && reasons.length === 0) return undefined;
  throw new Error(
    `no place for a journal (${reasons.join('; ')}): set XDG_STATE_HOME to a directory of your own`,
  );
}

/**
 * What stands in a journal is written into files, by root into anybody's. So nobody else may be able to put one there: the
 * directory is the user's own and closed to others, no link of others leads to it, and for root each directory on the way is
 * root's. It is checked by its descriptor and used by that: a directory on the way that another user swaps meanwhile leads
 * nowhere else.
 * @throws UntrustedError; the system's error
 */
function holdPlace(ops: FileOps, given: string, uid: number | undefined, makes: boolean): StateDirectory {
  if (uid === undefined) {
    const path = trustedPath(ops, given, { users: undefined, wholeWay: false, makes });
    return { path, at: path, users: undefined, close: () => undefined };
  }
  const directories = new Directories(ops);
  try {
    const wholeWay = uid === 0 || !directories.isByDescriptor;
    const path = trustedPath(ops, given, { users: [0, uid], wholeWay, makes });
    const fd = ops.open(directories.reach(path), DIRECTORY);
    try {
      const { uid: owner, mode } = ops.stat(fd);
      if (owner !== uid) throw new UntrustedError('belongs to another user');
      if ((mode & 0o077) !== 0) throw new UntrustedError('open to other users (its mode must be 0700)');
      const at = directories.isByDescriptor ? `/proc/self/fd/${fd}` : path;
      return { path, at, users: [uid], close: () => ops.close(fd) };
    } catch (error) {
      ops.close(fd);
      throw error;
    }
  } finally {
    directories.close();
  }
}
