import { Worker } from 'node:worker_threads';

/**
 * How long a step may take that takes so long without a mistake; then the mutant is taken to run for ever. In milliseconds of
 * processor time, loading included.
 */
export const patience = (milliseconds: number): number => 20_000 + 20 * milliseconds;

/** Looks every half second, from a thread of its own, whether the process has used what it may, and ends it then. */
const WATCH = `
const { workerData } = require('node:worker_threads');
const limit = new Float64Array(workerData);
setInterval(() => {
  const { user, system } = process.cpuUsage();
  if (user + system > limit[0]) process.kill(process.pid, 'SIGKILL');
}, 500);
`;

/**
 * Ends its own process when that has used more processor time than it may: what runs for ever blocks every timer of its thread.
 * The time on the clock would tell less, for a machine may have other work to do.
 */
export class ProcessorLimit {
  readonly #limit: Float64Array;

  constructor() {
    const shared = new SharedArrayBuffer(Float64Array.BYTES_PER_ELEMENT);
    this.#limit = new Float64Array(shared);
    this.#limit[0] = Infinity;
    new Worker(WATCH, { eval: true, workerData: shared }).unref();
  }

  /** From now on, so many milliseconds of processor time. */
  allow(milliseconds: number): void {
    const { user, system } = process.cpuUsage();
    this.#limit[0] = user + system + 1000 * milliseconds;
  }
}
