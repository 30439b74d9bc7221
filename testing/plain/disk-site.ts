import type { FileSource } from '../../src/config';
import {
  type AccessFile,
  type Line,
  type ReadVersion,
  type JudgedSite,
  type TextFile,
  ReadError,
  Reader,
  globMatches,
  ALL_CLASSES,
} from '../../src/judge';

const NONE: ReadonlySet<string> = new Set();

/** How a server is started. */
export interface Start {
  readonly version: ReadVersion;
  /** Names given with -D. */
  readonly defines: ReadonlySet<string>;
  /** Compiled in, as in `authz_core`. */
  readonly statics: readonly string[];
}

/** A server as its files make it, each module and file known: what is not there is not. */
export class DiskSite implements JudgedSite {
  readonly version: ReadVersion;
  readonly lines: readonly Line[];
  readonly modules: ReadonlySet<string>;
  readonly #disk: FileSource;
  readonly #start: Start;

  /** @throws ReadError where httpd would not start */
  constructor(disk: FileSource, conf: string, start: Start) {
    this.#disk = disk;
    this.#start = start;
    this.version = start.version;
    const reader = new Reader({
      ...start,
      included: (line, root) => this.#included(line, root),
      assumes: () => false,
    });
    this.lines = reader.server(this.#file(conf));
    this.modules = reader.modules;
  }

  get override(): JudgedSite['override'] {
    // With no AllowOverride 2.2 allows all and 2.4 nothing, though it reads the file (core.c: create_core_dir_config).
    const classes = this.version === '2.2' ? ALL_CLASSES : NONE;
    return { classes, options: undefined, list: undefined, said: false, passes: NONE };
  }

  reached(wanted: string): string {
    const parts = wanted.replace(/(?<=.)\/$/, '').split('/');
    const last = parts.findIndex((_, i) => i > 0 && !this.isDirectory(parts.slice(0, i + 1).join('/')));
    return last < 0 ? parts.join('/') : parts.slice(0, last + 1).join('/');
  }

  isDirectory(path: string): boolean {
    return this.#disk.kind(path) === 'directory';
  }

  isLink(path: string): boolean {
    const cut = path.lastIndexOf('/');
    const name = path.slice(cut + 1);
    const directory = path.slice(0, cut) || '/';
    return (
      this.isDirectory(directory) &&
      this.#disk.list(directory).some((entry) => entry.name === name && entry.kind === 'link')
    );
  }

  /** The patterns are those of trees that are made for it. */
  finds(pattern: string, text: string): boolean {
    return new RegExp(pattern).test(text);
  }

  accessFile(directory: string, names: readonly string[]): AccessFile | undefined {
    const path = names
      .map((name) => `${directory === '/' ? '' : directory}/${name}`)
      .find((candidate) => this.#disk.kind(candidate) === 'file');
    if (path === undefined) return undefined;
    const reader = new Reader({
      ...this.#start,
      statics: this.modules,
      included: () => [],
      assumes: () => false,
    });
    return {
      path,
      paths: [path, this.#disk.real(path)],
      read: () => reader.accessFile(this.#file(path)),
    };
  }

  #file(path: string): TextFile {
    return { path, text: this.#disk.read(path) };
  }

  #included(line: Line, root: string): readonly TextFile[] {
    return this.#pathsOf(line, root).map((path) => this.#file(path));
  }

  #pathsOf(line: Line, root: string): string[] {
    const [given = ''] = line.words;
    const path = given.startsWith('/') ? given : `${root}/${given}`;
    if (!/[*?[]/.test(path)) {
      if (this.#disk.kind(path) === undefined) {
        if (line.name === 'includeoptional') return [];
        throw new ReadError(`${line.file}:${line.number}: no ${path}`);
      }
      return this.isDirectory(path) ? this.#below(path) : [path];
    }
    const cut = path.lastIndexOf('/');
    const directory = path.slice(0, cut);
    const pattern = path.slice(cut + 1);
    const found = this.isDirectory(directory)
      ? this.#disk
          .list(directory)
          .map(({ name }) => name)
          .filter((name) => globMatches(pattern, name) && !name.startsWith('.'))
          .toSorted()
      : [];
    if (found.length === 0 && this.version === '2.4' && line.name === 'include')
      throw new ReadError(`${line.file}:${line.number}: nothing matches ${path}`);
    return found.map((name) => `${directory}/${name}`);
  }

  #below(directory: string): string[] {
    return this.#disk
      .list(directory)
      .map(({ name }) => `${directory}/${name}`)
      .toSorted()
      .flatMap((path) => (this.isDirectory(path) ? this.#below(path) : [path]));
  }
}
