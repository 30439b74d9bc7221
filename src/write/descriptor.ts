import { fstatSync, writeSync } from 'node:fs';

const pause = new Int32Array(new SharedArrayBuffer(4));

/**
 * Writes all bytes to an open descriptor, waiting where the other end of a non-blocking pipe is slow. Loading `process.stdout`
 * instead costs a start-up 3 ms.
 * @throws the system's error; `EPIPE` where no one reads any more
 */
export function writeAll(fd: number, bytes: Uint8Array): void {
  for (let at = 0; at < bytes.length;) {
    try {
      at += writeSync(fd, bytes, at);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') throw error;
      Atomics.wait(pause, 0, 0, 5);
    }
  }
}

/** False for sure where the descriptor is no character device: then `node:tty` need not be loaded to ask. */
export function mayBeTerminal(fd: number): boolean {
  try {
    return fstatSync(fd).isCharacterDevice();
  } catch {
    return false;
  }
}
