import { closeSync, constants, createReadStream, openSync, readdirSync, statSync } from 'node:fs';
import { basename, dirname, resolve } from 'node:path';
import { type Gunzip, createGunzip } from 'node:zlib';
import { compilePathPattern } from '../config';
import { isOfKernel } from '../config/source/disk';
import type { LogFile, LogSink } from './types';

/** How the reading of logs goes on. */
export interface LogReading {
  /** The working directory: a byte string. */
  readonly cwd: string;
  /** Called often. @param share of all bytes that are read, from 0 to 1; undefined where nobody knows how many there are */
  readonly onProgress: (requests: number, share: number | undefined) => void;
  /** Whether somebody has asked to stop. */
  readonly isStopped: () => boolean;
}

const PIECE = 1 << 18;

/**
 * Reads logs into what counts them: each file, what a pattern matches, `-` for standard input. What is packed by gzip is
 * unpacked as it is read. What cannot be read is a problem of that log; the others are read all the same.
 * @param paths byte strings
 * @returns true where it was stopped before the end
 */
export async function readLogs(
  paths: readonly string[],
  sink: LogSink,
  { cwd, onProgress, isStopped }: LogReading,
): Promise<boolean> {
  const files = paths.flatMap((path) => expanded(path, cwd));
  const total = files.includes('-') ? undefined : files.reduce((sum, path) => sum + sizeOf(path, cwd), 0);
  let done = 0;
  for (const path of files) {
    if (isStopped()) return true;
    const log = sink.open(path);
    const type = path === '-' ? undefined : typeOf(path, cwd);
    const problem =
      type === 'device' || type === 'kernel'
        ? NO_FILE[type]
        : await readInto(
            log,
            path === '-' ? undefined : fullPath(path, cwd),
            (bytes) => {
              done += bytes;
              onProgress(
                sink.requests,
                total === undefined || total === 0 ? undefined : Math.min(1, done / total),
              );
              return isStopped();
            },
            type === 'pipe' ? isStopped : undefined,
          );
    log.end(problem);
  }
  return isStopped();
}

/** Why it is not opened: whoever owns the directory of a log may have put a link there. */
const NO_FILE = {
  device: 'is a device, and no file',
  kernel: 'is what the kernel makes as it is read, and no file',
} as const;

/** Names are byte strings; the file system takes bytes. */
const fileName = (path: string): Buffer => Buffer.from(path, 'latin1');

function fullPath(path: string, cwd: string): string {
  return resolve(cwd, path);
}

function sizeOf(path: string, cwd: string): number {
  try {
    return statSync(fileName(fullPath(path, cwd))).size;
  } catch {
    return 0;
  }
}

/** What is no plain file: a pipe with a name, or a device or what the kernel makes, whose bytes may never end. */
function typeOf(path: string, cwd: string): 'pipe' | 'device' | 'kernel' | undefined {
  try {
    const found = statSync(fileName(fullPath(path, cwd)));
    if (found.isFIFO()) return 'pipe';
    if (found.isFile() && isOfKernel(fullPath(path, cwd), found.dev)) return 'kernel';
    return found.isCharacterDevice() || found.isBlockDevice() ? 'device' : undefined;
  } catch {
    return undefined;
  }
}

/** The files that a pattern in the last part of a path matches, in the order of their names; the path itself for any other. */
function expanded(path: string, cwd: string): readonly string[] {
  const name = basename(path);
  if (!/[*?[]/.test(name) || sizeOf(path, cwd) > 0) return [path];
  const matches = compilePathPattern(name);
  try {
    const names = readdirSync(fileName(fullPath(dirname(path), cwd)), 'latin1');
    const found = names.filter((entry) => matches(entry)).sort();
    return found.length === 0
      ? [path]
      : found.map((entry) => (path.includes('/') ? `${dirname(path)}/${entry}` : entry));
  } catch {
    return [path];
  }
}

/**
 * Hands a file over in pieces.
 * @param onBytes called with the number of bytes that were read; true stops the reading
 * @param isStopped where the file is a pipe: whether somebody has asked to stop while nobody writes into it
 * @returns why it was not read to its end
 */
function readInto(
  log: LogFile,
  path: string | undefined,
  onBytes: (bytes: number) => boolean,
  isStopped?: () => boolean,
): Promise<string | undefined> {
  return new Promise((done) => {
    const source = createReadStream(path === undefined ? '' : fileName(path), {
      highWaterMark: PIECE,
      ...(path === undefined && { fd: 0, autoClose: false }),
    });
    let unpacking: Gunzip | undefined;
    let isFirst = true;
    let hasWaited = false;
    const waiting =
      path === undefined || isStopped === undefined
        ? undefined
        : waitForWriter(path, isStopped, () => (hasWaited = true));
    source.on('open', () => clearInterval(waiting));
    const finish = (problem?: string): void => {
      clearInterval(waiting);
      source.destroy();
      unpacking?.destroy();
      done(problem);
    };
    source.on('error', (error: NodeJS.ErrnoException) =>
      finish(`cannot be read (${error.code ?? error.message})`),
    );
    source.on('data', (piece) => {
      const bytes = typeof piece === 'string' ? Buffer.from(piece, 'latin1') : piece;
      if (isFirst) {
        isFirst = false;
        const other = otherPacking(bytes);
        if (other !== undefined)
          return finish(`is packed by another program: ${other} FILE | httpd-codemod --log - ...`);
        if (bytes[0] === 0x1f && bytes[1] === 0x8b)
          unpacking = unpackerInto(log, finish, () => source.resume());
      }
      if (onBytes(bytes.length)) return finish('the reading was stopped');
      if (unpacking === undefined) log.add(bytes.toString('latin1'));
      else if (!unpacking.write(bytes)) source.pause();
    });
    source.on('end', () => {
      if (unpacking !== undefined) unpacking.end();
      else finish(hasWaited ? 'is a pipe into which nobody writes' : undefined);
    });
  });
}

/** How long a pipe may be open to nobody. */
const LONGEST_WAIT = 10_000;
const STEP = 100;

/**
 * Who opens a pipe is held until somebody opens it to write, and so is the whole program when it ends: after a while it is
 * opened to write here, so that the reading ends.
 */
function waitForWriter(path: string, isStopped: () => boolean, onGivenUp: () => void): NodeJS.Timeout {
  let left = LONGEST_WAIT / STEP;
  return setInterval(() => {
    if (left-- > 0 && !isStopped()) return;
    onGivenUp();
    try {
      closeSync(openSync(fileName(path), constants.O_WRONLY | constants.O_NONBLOCK));
    } catch {
      // It has not been opened to read yet: the next time.
    }
  }, STEP);
}

function unpackerInto(log: LogFile, finish: (problem?: string) => void, goOn: () => void): Gunzip {
  const unpacking = createGunzip({ chunkSize: PIECE });
  let isWhole = false;
  unpacking.on('data', (bytes: Buffer) => log.add(bytes.toString('latin1')));
  unpacking.on('drain', goOn);
  unpacking.on('error', (error: NodeJS.ErrnoException) =>
    finish(error.code === 'Z_BUF_ERROR' ? CUT_OFF : `is damaged (${error.code ?? error.message})`),
  );
  unpacking.on('end', () => {
    isWhole = true;
    finish();
  });
  unpacking.on('close', () => {
    if (!isWhole) finish(CUT_OFF);
  });
  return unpacking;
}

const CUT_OFF = 'ends in the middle: the packed file was cut off';

/** The command that unpacks what begins so; undefined for what is read as it stands. */
function otherPacking(bytes: Buffer): string | undefined {
  const start = bytes.toString('latin1', 0, 6);
  if (start.startsWith('BZh')) return 'bzcat';
  if (start.startsWith('\xfd7zXZ')) return 'xzcat';
  return start.startsWith('\x28\xb5\x2f\xfd') ? 'zstdcat' : undefined;
}
