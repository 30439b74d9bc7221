import type { FileOps } from './ops';

/** How many syncs wait for the disk at a time: it takes them together. */
const AT_ONCE = 32;

/** Syncs descriptors side by side and closes each. */
export class Syncing {
  readonly #ops: FileOps;
  readonly #running = new Set<Promise<void>>();
  #failure: { readonly error: unknown } | undefined;

  constructor(ops: FileOps) {
    this.#ops = ops;
  }

  /**
   * Takes over the descriptor; waits while too many others are under way.
   * @param failed makes of an error what {@link drain} or the next call throws; undefined for one that does not matter
   */
  async add(fd: number, failed: (error: unknown) => unknown): Promise<void> {
    const one = this.#one(fd, failed);
    this.#running.add(one);
    void one.then(() => this.#running.delete(one));
    if (this.#running.size >= AT_ONCE) await Promise.race(this.#running);
    this.#throw();
  }

  /** Until all are safe on the disk. */
  async drain(): Promise<void> {
    await this.settle();
    this.#throw();
  }

  /** Until none is under way, failed or not. */
  async settle(): Promise<void> {
    await Promise.all(this.#running);
  }

  async #one(fd: number, failed: (error: unknown) => unknown): Promise<void> {
    try {
      try {
        await this.#ops.sync(fd);
      } finally {
        this.#ops.close(fd);
      }
    } catch (error) {
      const failure = failed(error);
      if (failure !== undefined) this.#failure ??= { error: failure };
    }
  }

  #throw(): void {
    if (this.#failure === undefined) return;
    const { error } = this.#failure;
    this.#failure = undefined;
    throw error;
  }
}
