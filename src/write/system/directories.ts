import { type FileOps, DIRECTORY, type Path, raw } from './ops';

/** Directories held open at a time. */
const MAX_OPEN = 200;

/** Linux: a descriptor that only names a directory; the right to search it is enough. Not among node's constants. */
const O_PATH = 0x20_0000;

/**
 * Directories by descriptor. On Linux each is opened from its parent's descriptor, part by part, and no part may be a symbolic
 * link: paths in a plan are real paths, so that one that is a link now has been planted since. What is then done in the directory
 * is done in that very directory, whatever its path leads to by then. Elsewhere paths are used as they are.
 */
export class Directories {
  readonly #open = new Map<string, number>();
  #byDescriptor: boolean | undefined;

  constructor(private readonly ops: FileOps) {}

  /** Whether the system has paths that lead to an open descriptor. */
  get isByDescriptor(): boolean {
    if (this.#byDescriptor === undefined) {
      try {
        this.#byDescriptor = this.ops.lstat('/proc/self/fd').kind === 'directory';
      } catch {
        this.#byDescriptor = false;
      }
    }
    return this.#byDescriptor;
  }

  /**
   * The path by which to reach a file in its directory, good until another file is asked for.
   * @throws ENOTDIR or ELOOP where a link stands in the way
   */
  reach(path: string): Path {
    const slash = path.lastIndexOf('/');
    if (!this.isByDescriptor) return raw(path);
    return raw(`/proc/self/fd/${this.#directory(path.slice(0, slash))}/${path.slice(slash + 1)}`);
  }

  /** A new descriptor of a file's directory, to sync it; undefined where it may not be opened. The caller closes it. */
  openDirectoryOf(path: string): number | undefined {
    try {
      return this.ops.open(this.reach(`${path.slice(0, path.lastIndexOf('/'))}/.`), DIRECTORY);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'EACCES') return undefined;
      throw error;
    }
  }

  close(): void {
    for (const fd of this.#open.values()) this.ops.close(fd);
    this.#open.clear();
  }

  /** @param path absolute, '' for the root */
  #directory(path: string): number {
    const known = this.#open.get(path);
    if (known !== undefined) {
      this.#open.delete(path);
      this.#open.set(path, known);
      return known;
    }
    const slash = path.lastIndexOf('/');
    const from =
      path === '' ? '/' : `/proc/self/fd/${this.#directory(path.slice(0, slash))}/${path.slice(slash + 1)}`;
    const fd = this.ops.open(raw(from), DIRECTORY | O_PATH);
    this.#open.set(path, fd);
    for (const [oldest, descriptor] of this.#open) {
      if (this.#open.size <= MAX_OPEN) break;
      this.#open.delete(oldest);
      this.ops.close(descriptor);
    }
    return fd;
  }
}
