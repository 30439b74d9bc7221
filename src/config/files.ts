import { parse } from '../syntax';
import { below, basename, dirname, join, resolvePath } from './paths';
import { syntaxProblems } from './syntaxproblems';
import type { ConfigFile, FileSource, Problem, Role } from './types';

/** A file while the tree is built: what it is for is known only at the end. */
export interface LoadedFile extends ConfigFile {
  role: Role;
  readonly directories: string[];
}

/** Reads and parses each real file once, whatever leads to it. */
export class Files {
  readonly source: FileSource;
  readonly #cwd: string;
  readonly #onProgress: ((filesRead: number) => void) | undefined;
  readonly #loaded = new Map<string, LoadedFile>();
  readonly #realDirectories = new Map<string, string>();

  constructor(source: FileSource, cwd: string, onProgress: ((filesRead: number) => void) | undefined) {
    this.source = source;
    this.#cwd = resolvePath('/', cwd);
    this.#onProgress = onProgress;
  }

  /**
   * The real path of a file. A `direct` one is known to be no link, so that only its directory is asked for, once.
   * @throws SourceError
   */
  real(path: string, direct: boolean): string {
    if (!direct) return this.source.real(path);
    const directory = dirname(path);
    let real = this.#realDirectories.get(directory);
    if (real === undefined) this.#realDirectories.set(directory, (real = this.source.real(directory)));
    return join(real, basename(path));
  }

  /** @throws SourceError */
  load(real: string): LoadedFile {
    let file = this.#loaded.get(real);
    if (file === undefined) {
      const document = parse(this.source.read(real));
      file = { path: real, name: this.nameOf(real), role: 'included', document, directories: [] };
      this.#loaded.set(real, file);
      this.#onProgress?.(this.#loaded.size);
    }
    return file;
  }

  /** Relative to the working directory for what lies below it. */
  nameOf(path: string): string {
    return below(path, this.#cwd) || path;
  }
}

/** All problems of `files`, file by file and from top to bottom. */
export function sortProblems(files: readonly ConfigFile[], includes: readonly Problem[]): Problem[] {
  const found = new Map<ConfigFile, Problem[]>();
  for (const problem of includes) {
    const ofFile = found.get(problem.file);
    if (ofFile === undefined) found.set(problem.file, [problem]);
    else ofFile.push(problem);
  }
  return files.flatMap((file) =>
    [...syntaxProblems(file), ...(found.get(file) ?? [])].sort((a, b) => a.at - b.at),
  );
}
