import { readSync, writeSync } from 'node:fs';

const pause = new Int32Array(new SharedArrayBuffer(4));

/** Bytes asked for at a time. */
const CHUNK = 64 * 1024;

/**
 * Reads an open descriptor to its end. Unlike `process.stdin` it takes no directory for an empty file.
 * @throws the system's error
 */
export function readAll(fd: number): Buffer {
  const chunks: Buffer[] = [];
  for (;;) {
    const chunk = Buffer.allocUnsafe(CHUNK);
    const length = retryWhileBusy(() => readSync(fd, chunk));
    if (length === 0) return Buffer.concat(chunks);
    chunks.push(chunk.subarray(0, length));
  }
}

/**
 * Reads a line from a terminal.
 * @returns it without its end
 * @throws the system's error
 */
export function readLine(fd: number): string {
  let line = '';
  const byte = Buffer.alloc(1);
  while (retryWhileBusy(() => readSync(fd, byte)) > 0 && byte[0] !== 0x0a) line += byte.toString('latin1');
  return line;
}

/**
 * Writes all bytes to an open descriptor, and returns when they are written, unlike `process.stdout`.
 * @throws the system's error; `EPIPE` where no one reads any more
 */
export function writeAll(fd: number, bytes: Uint8Array): void {
  for (let at = 0; at < bytes.length;) at += retryWhileBusy(() => writeSync(fd, bytes, at));
}

/** Waits where the other end of a non-blocking pipe is not ready. */
function retryWhileBusy(action: () => number): number {
  for (;;) {
    try {
      return action();
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') throw error;
      Atomics.wait(pause, 0, 0, 5);
    }
  }
}
