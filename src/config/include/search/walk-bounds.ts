import type { FileSource } from '../../types';

/** How many directories nobody has given a run still looks into: each user has as many, so that none takes another's. */
export class DirectoryBounds {
  readonly #source: FileSource;
  readonly #most: number;
  readonly #used = new Map<number | undefined, number>();

  /** @param most directories of one user */
  constructor(source: FileSource, most: number) {
    this.#source = source;
    this.#most = most;
  }

  /** For a walk below a directory: they are its owner's, whoever owns what lies below. @param top its real path */
  leftFor(top: string): number {
    return this.#most - (this.#used.get(this.#ownerOf(top)) ?? 0);
  }

  /** Counts directories that were looked into below a directory. */
  use(top: string, directories: number): void {
    const owner = this.#ownerOf(top);
    this.#used.set(owner, (this.#used.get(owner) ?? 0) + directories);
  }

  #ownerOf(top: string): number | undefined {
    return this.#source.owners?.(top).at(-1);
  }
}
