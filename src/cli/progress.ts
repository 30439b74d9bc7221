import type { Io } from './io';

/** A run is large from here on: files, or milliseconds. */
const FILES = 500;
const QUIET_MS = 300;
const REDRAW_MS = 100;

export interface Progress {
  /** To be called after every file. */
  readonly onFile: (filesRead: number) => void;
  /** Leaves no trace on the screen. */
  end(): void;
}

/** A line on a terminal's stderr that says how many files are read; only once a run turns out to be large. */
export function showProgress(io: Io): Progress {
  const begin = io.now();
  let drawn: number | undefined;
  return {
    onFile(filesRead) {
      const now = io.now();
      const due = drawn === undefined ? filesRead > FILES || now - begin > QUIET_MS : now - drawn > REDRAW_MS;
      if (!due || !io.stderr.isTTY) return;
      drawn = now;
      io.stderr.write(`\r\x1b[K${filesRead} files read`);
    },
    end() {
      if (drawn !== undefined) io.stderr.write('\r\x1b[K');
    },
  };
}
