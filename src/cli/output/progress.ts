import type { Io } from '../io';

/** A run is large from this number of files, or milliseconds, on. */
const FILES = 500;
const QUIET_MS = 300;
const REDRAW_MS = 100;

/** Work shorter than this needs no rate. */
const RATED_MS = 1000;

export interface Progress {
  /** To be called after every file. */
  readonly onFile: (filesRead: number) => void;
  /** Called for each rule that is asked: once for the configuration, then for its result. */
  readonly onRule: (done: number, total: number) => void;
  /** Called for each file that is written; `what` is a verb. */
  readonly onWrite: (done: number, total: number, verb: string) => void;
  /** Called as logs are read. @param share of their bytes, from 0 to 1; undefined where nobody knows how many there are */
  readonly onLog: (requests: number, share: number | undefined) => void;
  /** Called for each request that both servers were asked. */
  readonly onCompare: (done: number, total: number) => void;
  /** Leaves no trace on the screen. */
  end(): void;
}

/**
 * A line on a terminal's stderr that says how far a run is, how fast, and how long it will take as far as that is known; only
 * once a run turns out to be large.
 */
export function showProgress(io: Io): Progress {
  const begin = io.now();
  let drawn: number | undefined;
  /** What is being counted, since when, and how far it is. */
  let phase = { name: '', begin, done: 0 };
  let isAsked = false;
  function draw(name: string, done: number, isLarge: boolean, text: string, total?: number): void {
    if (!io.stderr.isTTY) return;
    const now = io.now();
    // A second attempt at a write counts from the beginning.
    if (phase.name !== name || done < phase.done) phase = { name, begin: now, done };
    phase.done = done;
    const due = drawn === undefined ? isLarge || now - begin > QUIET_MS : now - drawn > REDRAW_MS;
    if (!due) return;
    drawn = now;
    io.stderr.write(`\r\x1b[K${text}${rateText(done, total, now - phase.begin)}`);
  }
  return {
    onFile: (filesRead) => draw('read', filesRead, filesRead > FILES, `${filesRead} files read`),
    onRule(done, total) {
      const name = isAsked ? 'checking the result' : 'asking';
      if (done === total) isAsked = true;
      draw(name, done, false, `${name}: ${done} of ${total} rules`);
    },
    onWrite: (done, total, verb) =>
      draw(verb, done, done > FILES, `${done} of ${total} files ${verb}`, total),
    onLog(requests, share) {
      const text = `${requests} requests of the log asked`;
      const shown = share === undefined ? text : `${barText(share)} ${text}`;
      const total = share === undefined || share === 0 ? undefined : requests / share;
      draw('log', requests, false, shown, total);
    },
    onCompare: (done, total) => draw('compare', done, false, `${done} of ${total} requests compared`, total),
    end() {
      if (drawn !== undefined) io.stderr.write('\r\x1b[K');
      drawn = undefined;
    },
  };
}

const BAR = 20;

/** For instance `[########            ]  40%`. */
function barText(share: number): string {
  const filled = Math.round(share * BAR);
  return `[${'#'.repeat(filled)}${' '.repeat(BAR - filled)}] ${String(Math.floor(share * 100)).padStart(3)}%`;
}

/** For instance `, 480 a second, 12 s left`; empty while too little is known. */
function rateText(done: number, total: number | undefined, ms: number): string {
  if (ms < RATED_MS || done === 0) return '';
  const rate = (done * 1000) / ms;
  const left = total === undefined ? '' : `, ${Math.ceil((total - done) / rate)} s left`;
  return `, ${rate < 10 ? rate.toFixed(1) : Math.round(rate)} a second${left}`;
}
