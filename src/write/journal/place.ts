import { homedir, tmpdir } from 'node:os';
import { type FileOps, type Stat, lstatIfAny, raw } from '../system';

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
 * `/var/lib/httpd-codemod`, for others `~/.local/state/httpd-codemod` and, without a home, a place among the temporary files. Byte strings.
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

/** This place cannot be used, but the next one may. */
class UnusablePlaceError extends Error {}

const UNUSABLE = new Set(['EACCES', 'EPERM', 'EROFS', 'ENOENT', 'ENOTDIR', 'ELOOP', 'ENAMETOOLONG']);

/**
 * Makes and checks the directory in which journals are kept.
 * @returns its path
 * @throws Error saying why there is none
 */
export function openPlace(ops: FileOps, host: Host): string {
  return usablePlace(ops, host, true)!;
}

/**
 * The same without making it.
 * @returns undefined where there is none yet
 */
export function findPlace(ops: FileOps, host: Host): string | undefined {
  return usablePlace(ops, host, false);
}

function usablePlace(ops: FileOps, host: Host, makes: boolean): string | undefined {
  const reasons: string[] = [];
  for (const path of statePlaces(host)) {
    try {
      if (!path.startsWith('/')) throw new UnusablePlaceError('not an absolute path');
      if (makes) makeDirectory(ops, path);
      else if (lstatIfAny(ops, raw(path)) === undefined) continue;
      checkOwner(ops, path, host.uid);
      return path;
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      // A reason that passes must not lead to another place: what was begun here would not be found there.
      if (!(error instanceof UnusablePlaceError) && !UNUSABLE.has(code ?? '')) throw error;
      reasons.push(`${path}: ${error instanceof UnusablePlaceError ? error.message : code}`);
    }
  }
  if (!makes && reasons.length === 0) return undefined;
  throw new Error(
    `no place for a journal (${reasons.join('; ')}): set XDG_STATE_HOME to a directory of your own`,
  );
}

function makeDirectory(ops: FileOps, path: string): void {
  try {
    ops.mkdir(raw(path), 0o700);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST') return;
    if (code !== 'ENOENT' || path.lastIndexOf('/') <= 0) throw error;
    makeDirectory(ops, path.slice(0, path.lastIndexOf('/')));
    ops.mkdir(raw(path), 0o700);
  }
}

/**
 * What stands in a journal is written into files, by root into anybody's. So nobody else may be able to put one there: the directory
 * is the user's own and closed to others, and for root each directory on the way to it is root's.
 */
function checkOwner(ops: FileOps, path: string, uid: number | undefined): void {
  if (uid === undefined) return;
  const stat = ops.lstat(raw(path));
  if (stat.kind !== 'directory') throw new UnusablePlaceError('not a directory');
  if (stat.uid !== uid) throw new UnusablePlaceError('belongs to another user');
  if ((stat.mode & 0o077) !== 0) throw new UnusablePlaceError('open to other users (its mode must be 0700)');
  if (uid !== 0) return;
  let above = ops.real(raw(path));
  while (above !== '/') {
    above = above.slice(0, above.lastIndexOf('/')) || '/';
    if (!isRoots(ops.lstat(raw(above))))
      throw new UnusablePlaceError(`${above} could be changed by others than root`);
  }
}

function isRoots({ uid, mode }: Stat): boolean {
  const sticky = (mode & 0o1000) !== 0;
  return uid === 0 && ((mode & 0o022) === 0 || sticky);
}
