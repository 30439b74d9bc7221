import type { FileSource } from '../../src/config';
import { type Line, ReadError, linesOf } from './lines';

export type ReadVersion = '2.2' | '2.4';

/** How a server is started. */
export interface Start {
  readonly version: ReadVersion;
  /** Names given with -D. */
  readonly defines: ReadonlySet<string>;
  /** Compiled in, as in `authz_core`. */
  readonly statics: readonly string[];
}

/** What stands in a server's files once Include and conditionals are carried out. */
export interface Configuration {
  readonly start: Start;
  readonly lines: readonly Line[];
  /** The modules that are there, as in `authz_core`. */
  readonly modules: ReadonlySet<string>;
}

/** Carries out what httpd carries out while it reads: LoadModule, Include, Define and the conditionals, in the order of the lines. */
export class Reader {
  readonly #disk: FileSource;
  readonly #start: Start;
  readonly #modules: Set<string>;
  readonly #defines: Set<string>;
  #root = '/';

  constructor(disk: FileSource, start: Start) {
    this.#disk = disk;
    this.#start = start;
    this.#modules = new Set(start.statics);
    this.#defines = new Set(start.defines);
  }

  /** Reads the server's configuration. @throws ReadError where httpd would not start */
  server(path: string): Configuration {
    const lines = this.#carriedOut(linesOf(this.#disk.read(path), path), 0);
    return { start: this.#start, lines, modules: this.#modules };
  }

  /** The lines of a `.htaccess` that are read, and the conditionals around them, which must be allowed themselves. @throws ReadError */
  accessFile(path: string): { readonly lines: Line[]; readonly conditionals: Line[] } {
    const conditionals: Line[] = [];
    const lines = this.#carriedOut(linesOf(this.#disk.read(path), path), 0, conditionals);
    return { lines, conditionals };
  }

  #carriedOut(lines: readonly Line[], depth: number, conditionals?: Line[]): Line[] {
    if (depth > 16) throw new ReadError('Include in a circle');
    return lines.flatMap((line): Line[] => {
      switch (line.name) {
        case 'ifmodule':
        case 'ifdefine':
        case 'ifversion':
          conditionals?.push(line);
          return this.#holds(line) ? this.#carriedOut(line.body ?? [], depth, conditionals) : [];
        case 'include':
        case 'includeoptional':
          if (conditionals !== undefined) return [line];
          if (line.name === 'includeoptional' && this.#start.version === '2.2') return [line];
          return this.#included(line).flatMap((path) =>
            this.#carriedOut(linesOf(this.#disk.read(path), path), depth + 1),
          );
        case 'loadmodule':
          this.#modules.add((line.words[0] ?? '').replace(/_module$/, ''));
          return [line];
        case 'define':
          this.#defines.add(line.words[0] ?? '');
          return [line];
        case 'serverroot':
          this.#root = line.words[0] ?? '/';
          return [line];
        default:
          return line.body === undefined
            ? [line]
            : [{ ...line, body: this.#carriedOut(line.body, depth, conditionals) }];
      }
    });
  }

  #holds({ name, words }: Line): boolean {
    const asked = words.join(' ');
    const wanted = !asked.startsWith('!');
    const word = asked.replace(/^!/, '');
    if (name === 'ifdefine') return this.#defines.has(word) === wanted;
    if (name === 'ifmodule') return this.#hasModule(word) === wanted;
    return this.#isVersion(words);
  }

  #hasModule(word: string): boolean {
    if (word.endsWith('_module')) return this.#modules.has(word.slice(0, -'_module'.length));
    return this.#modules.has(SOURCES[word] ?? word.replace(/^mod_/, '').replace(/\.c$/, ''));
  }

  /** What is not given is 0 (mod_version.c: compare_version). */
  #isVersion(words: readonly string[]): boolean {
    if (!this.#modules.has('version')) throw new ReadError('IfVersion without mod_version');
    const [first = '', second] = words;
    const reversed = first.startsWith('!');
    const operator = second === undefined ? '=' : first.replace(/^!/, '');
    const given = (second ?? first).split('.').map(Number);
    const running = [...this.#start.version.split('.').map(Number), this.#start.version === '2.2' ? 34 : 62];
    const difference =
      running.map((number, i) => number - (given[i] ?? 0)).find((number) => number !== 0) ?? 0;
    const results: Readonly<Record<string, boolean>> = {
      '=': difference === 0,
      '==': difference === 0,
      '>': difference > 0,
      '>=': difference >= 0,
      '<': difference < 0,
      '<=': difference <= 0,
    };
    const result = results[operator];
    if (result === undefined) throw new ReadError(`IfVersion ${words.join(' ')}`);
    return result !== reversed;
  }

  #included(line: Line): string[] {
    const path = this.absolute(line.words[0] ?? '');
    if (!/[*?[]/.test(path)) {
      if (this.#disk.kind(path) === undefined) {
        if (line.name === 'includeoptional') return [];
        throw new ReadError(`${line.file}:${line.number}: no ${path}`);
      }
      return this.#disk.kind(path) === 'directory' ? this.#below(path) : [path];
    }
    const cut = path.lastIndexOf('/');
    const directory = path.slice(0, cut);
    const pattern = globOf(path.slice(cut + 1));
    const found =
      this.#disk.kind(directory) === 'directory'
        ? this.#disk
            .list(directory)
            .map(({ name }) => name)
            .filter((name) => pattern.test(name) && !name.startsWith('.'))
            .toSorted()
        : [];
    if (found.length === 0 && this.#start.version === '2.4' && line.name === 'include')
      throw new ReadError(`${line.file}:${line.number}: nothing matches ${path}`);
    return found.map((name) => `${directory}/${name}`);
  }

  #below(directory: string): string[] {
    return this.#disk
      .list(directory)
      .map(({ name }) => `${directory}/${name}`)
      .toSorted()
      .flatMap((path) => (this.#disk.kind(path) === 'directory' ? this.#below(path) : [path]));
  }

  /** A path as ServerRoot makes it whole. */
  absolute(path: string): string {
    return path.startsWith('/') ? path : `${this.#root}/${path}`;
  }
}

/** Modules whose file is not called as they are. */
const SOURCES: Readonly<Record<string, string>> = {
  'core.c': 'core',
  'http_core.c': 'http',
  'prefork.c': 'mpm_prefork',
};

/** A pattern of names as fnmatch reads it: `*` stops at no slash unless `path` says so. */
export function globOf(glob: string, path = false): RegExp {
  const any = path ? '[^/]*' : '.*';
  const source = glob.replace(/[.+^${}()|\\]|\*|\?/g, (found) =>
    found === '*' ? any : found === '?' ? (path ? '[^/]' : '.') : `\\${found}`,
  );
  return new RegExp(`^${source}$`, 's');
}
