import { dirname, serversBelow, SourceError } from '../../../config';
import type { FileSource } from '../../../config/types';
import { loadPaths, withProject } from '../../input';
import type { Io, Services } from '../../io';
import type { ConvertOptions } from '../../options';
import { Trouble, UsageError } from '../../trouble';

/**
 * Finds the options of the run that a file belongs to: its paths are those that the command line or the project file gives, or
 * the nearest server above the file, or that of this machine, whichever reads the file first; else the file alone.
 */
export class ServerFinder {
  readonly #found = new Map<string, ConvertOptions>();

  constructor(
    private readonly given: ConvertOptions,
    private readonly io: Io,
    private readonly transforms: Services['transforms'],
  ) {}

  forget(): void {
    this.#found.clear();
  }

  /**
   * @param path of the file itself, absolute
   * @throws Trouble, UsageError for a project file that cannot be used
   */
  optionsFor(path: string, source: FileSource): ConvertOptions {
    let options = this.#found.get(path);
    if (options === undefined) this.#found.set(path, (options = this.#find(path, source)));
    return options;
  }

  #find(path: string, source: FileSource): ConvertOptions {
    const tried = new Set<string>();
    for (const paths of this.#candidates(path, source)) {
      const options = this.#withProject(paths, path, source);
      const key = options.paths.join('\n');
      if (tried.has(key)) continue;
      tried.add(key);
      if (this.#reads(options, path, source)) return options;
    }
    return this.#withProject([path], path, source);
  }

  /** In the order in which they are asked; none stands for the paths of the project file. */
  *#candidates(path: string, source: FileSource): Generator<readonly string[]> {
    if (this.given.paths.length > 0) yield this.given.paths;
    else if (this.#hasProjectPaths(path, source)) yield [];
    for (let directory = dirname(path); ; directory = dirname(directory)) {
      yield* serversBelow(source, directory).map((found) => [found]);
      if (directory === '/') return;
    }
  }

  #hasProjectPaths(path: string, source: FileSource): boolean {
    try {
      return this.#withProject([], path, source).paths.length > 0;
    } catch (error) {
      // No path given at all.
      if (error instanceof UsageError) return false;
      throw error;
    }
  }

  #withProject(paths: readonly string[], path: string, source: FileSource): ConvertOptions {
    return withProject(
      { ...this.given, paths },
      source,
      { cwd: dirname(path), uid: this.io.uid },
      this.transforms,
    );
  }

  #reads(options: ConvertOptions, path: string, source: FileSource): boolean {
    try {
      const { tree } = loadPaths(source, options, this.io, () => undefined);
      // Findings may be about what is no configuration, too.
      return [...tree.files, tree.startNames?.file, tree.build].some((file) => file?.path === path);
    } catch (error) {
      if (error instanceof SourceError || error instanceof Trouble) return false;
      throw error;
    }
  }
}
