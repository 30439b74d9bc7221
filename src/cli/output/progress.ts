import type { Io } from '../io';

/** A run is large from this number of files, or milliseconds, on. */
const FILES = 500;
const QUIET_MS = 300;
const REDRAW_MS = 100;

export interface Progress {
  /** To be called after every file. */
  readonly onFile: (filesRead: number) => void;
  /** The same for files that are written; `what` is a verb. */
  readonly onWrite: (done: number, total: number, verb: string) => void;
  /** Leaves no trace on the screen. */
  end(): void;
}

/** A line on a terminal's stderr that says how many files are read or written; only once a run turns out to be large. */
export function showProgress(io: Io): Progress {
  const begin = io.now();
  let drawn: number | undefined;
  function draw(files: number, text: () => string): void {
    if (!io.stderr.isTTY) return;
    const now = io.now();
    const due = drawn === undefined ? files > FILES || now - begin > QUIET_MS : now - drawn > REDRAW_MS;
    if (!due) return;
    drawn = now;
    io.stderr.write(`\r\x1b[K${text()}`);
  }
  return {
    onFile: (filesRead) => draw(filesRead, () => `${filesRead} files read`),
    onWrite: (done, total, verb) => draw(done, () => `${done} of ${total} files ${verb}`),
    end() {
      if (drawn !== undefined) io.stderr.write('\r\x1b[K');
      drawn = undefined;
    },
  };
}
