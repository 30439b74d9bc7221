/** A file that cannot be replaced, for a reason of its own: without it, the others may be. */
export interface RefusedFile {
  /** Real path, byte string. */
  readonly path: string;
  /** One line for a person. */
  readonly reason: string;
}

/** Nothing was written, or (as the message then says) not all could be taken back. The message is one line, a byte string. */
export class WriteError extends Error {
  readonly path: string;
  /** The files that stood against it; empty where it was something else. */
  readonly refused: readonly RefusedFile[];

  constructor(path: string, message: string, cause?: unknown, refused: readonly RefusedFile[] = []) {
    super(message, { cause });
    this.path = path;
    this.refused = refused;
  }
}

/** Errors that are no trouble of one file: the next file would meet them, too. */
const OF_THE_SYSTEM: ReadonlySet<string> = new Set(['EIO', 'EMFILE', 'ENFILE', 'ENOMEM', 'ENOSPC']);

/** @param reason as it is told of the file alone */
export function refusedFile(path: string, reason: string, error?: unknown): readonly RefusedFile[] {
  return OF_THE_SYSTEM.has(codeOf(error) ?? '') ? [] : [{ path, reason }];
}

const reasons: Readonly<Record<string, string>> = {
  __proto__: null!,
  EACCES: 'permission denied',
  EDQUOT: 'disk quota exceeded',
  EIO: 'input/output error',
  EISDIR: 'it is a directory now',
  ELOOP: 'it has become a symbolic link since it was read',
  EMFILE: 'too many open files',
  ENAMETOOLONG: 'its name, or that of the copy beside it, would be too long',
  ENOENT: 'it is gone, or its directory is',
  ENOSPC: 'no space left on device',
  ENOTDIR: 'a directory on the way to it has become something else since it was read',
  ENXIO: 'it is no regular file any more',
  EPERM: 'operation not permitted (is it immutable?)',
  EROFS: 'read-only file system',
  ETXTBSY: 'it is in use',
};

export function codeOf(error: unknown): string | undefined {
  return (error as NodeJS.ErrnoException | undefined)?.code;
}

/** Whether a file cannot have a second name: the file system has no hard links, or a rule is against them. */
export function cannotLink(error: unknown): boolean {
  return ['EPERM', 'EACCES', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK'].includes(codeOf(error) ?? '');
}

/** The file, or a directory on the way to it, is no longer there, or is something else now. */
export function isGone(error: unknown): boolean {
  return ['ENOENT', 'ENOTDIR', 'EISDIR', 'ELOOP', 'ENXIO'].includes(codeOf(error) ?? '');
}

/** Why an operation failed, for a person. */
export function reasonOf(error: unknown): string {
  const code = codeOf(error);
  if (code === undefined) return (error as Error).message;
  const { syscall } = error as NodeJS.ErrnoException;
  return reasons[code] ?? `${syscall ?? 'write'} failed: ${code}`;
}
