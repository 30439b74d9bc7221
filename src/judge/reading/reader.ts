import { findModule, isMisnamedModule } from '../../httpd/modules';
import { type Line, ReadError, TEMPLATE, Unreadable, linesOf } from '../text';

export type ReadVersion = '2.2' | '2.4';

export interface TextFile {
  readonly path: string;
  readonly text: string;
  /** The lines of the file, where they have been read before. */
  readonly lines?: readonly Line[];
}

/** How a server is started, and what is known of it. */
export interface ReadingStart {
  readonly version: ReadVersion;
  /** Names given with -D. */
  readonly defines: ReadonlySet<string>;
  /** Modules that are there before any line is read, as in `authz_core`. */
  readonly statics: Iterable<string>;
  /** What an Include leads to, below that ServerRoot. @throws ReadError where httpd would not start */
  readonly included: (line: Line, serverRoot: string) => readonly TextFile[];
  /** Whether a module is there without a line, or a name without a Define; undefined where nobody knows. */
  readonly assumes: (kind: 'module' | 'define', name: string) => boolean | undefined;
}

export interface AccessFileLines {
  readonly lines: readonly Line[];
  readonly conditionals: readonly Line[];
}

/** Carries out what httpd does while it reads, in the order of the lines: LoadModule, Include, Define, conditionals. */
export class Reader {
  readonly #start: ReadingStart;
  readonly #modules: Set<string>;
  readonly #defines: Set<string>;
  #root = '/';

  constructor(start: ReadingStart) {
    this.#start = start;
    this.#modules = new Set(start.statics);
    this.#defines = new Set(start.defines);
  }

  /** The modules that are there after what was read so far, in the order in which they came. */
  get modules(): ReadonlySet<string> {
    return this.#modules;
  }

  /** The lines of a server's file that are read, with those that it includes. @throws ReadError where httpd would not start */
  server(file: TextFile): readonly Line[] {
    return this.#carriedOut(file.lines ?? linesOf(file.text, file.path), 0);
  }

  /**
   * The lines of a `.htaccess` that are read, and the conditionals around them, which must be allowed themselves.
   * @throws ReadError
   */
  accessFile({ text, path }: TextFile): AccessFileLines {
    const conditionals: Line[] = [];
    const lines = this.#carriedOut(linesOf(text, path), 0, conditionals);
    return { lines, conditionals };
  }

  /** The lines that are read: the same list where these are all of it, as in most sections. */
  #carriedOut(lines: readonly Line[], depth: number, conditionals?: Line[]): readonly Line[] {
    if (depth > 16) throw new ReadError('Include in a circle');
    let read: Line[] | undefined;
    for (let i = 0; i < lines.length; i++) {
      const line = lines[i]!;
      const found = this.#carryOut(line, depth, conditionals);
      if (read === undefined) {
        if (found === line) continue;
        read = lines.slice(0, i);
      }
      if (Array.isArray(found)) for (const each of found) read.push(each);
      else read.push(found as Line);
    }
    return read ?? lines;
  }

  /** What is read of a line: most often the line itself. */
  #carryOut(line: Line, depth: number, conditionals: Line[] | undefined): Line | readonly Line[] {
    if (line.isForgotten && this.#start.version === '2.2') return [];
    switch (line.name) {
      case 'ifmodule':
      case 'ifdefine':
      case 'ifversion':
        conditionals?.push(line);
        return this.#conditional(line, depth, conditionals);
      case TEMPLATE:
        return this.#conditional(line, depth, conditionals);
      case 'include':
      case 'includeoptional':
        if (conditionals !== undefined) return line;
        if (line.name === 'includeoptional' && this.#start.version === '2.2') return line;
        return this.#start
          .included(line, this.#root)
          .flatMap(({ text, path, lines: known }) =>
            this.#carriedOut(known ?? linesOf(text, path), depth + 1),
          );
      case 'loadmodule':
        this.#modules.add((line.words[0] ?? '').replace(/_module$/, ''));
        return line;
      case 'define':
        this.#defines.add(line.words[0] ?? '');
        return line;
      case 'serverroot':
        this.#root = line.words[0] ?? '/';
        return line;
      default:
        return this.#section(line, depth, conditionals);
    }
  }

  /** A line with what is read in it. */
  #section(line: Line, depth: number, conditionals: Line[] | undefined): Line {
    const { body } = line;
    if (body === undefined) return line;
    const read = this.#carriedOut(body, depth, conditionals);
    return read === body ? line : line.with({ body: read });
  }

  #conditional(line: Line, depth: number, conditionals: Line[] | undefined): readonly Line[] {
    const holds = this.#holds(line);
    if (holds === false) return [];
    const lines = this.#carriedOut(line.body ?? [], depth, conditionals);
    return holds === undefined ? lines.map(asUnsure) : lines;
  }

  #holds({ name, words }: Line): boolean | undefined {
    if (name === TEMPLATE) return words[0] === this.#start.version;
    if (name === 'ifversion') return this.#isVersion(words);
    const asked = words.join(' ');
    const wanted = !asked.startsWith('!');
    const word = asked.replace(/^!/, '');
    const is = name === 'ifdefine' ? this.#isDefined(word) : this.#hasModule(word);
    return is === undefined ? undefined : is === wanted;
  }

  #isDefined(word: string): boolean | undefined {
    return this.#defines.has(word) || this.#start.assumes('define', word);
  }

  /** httpd knows a module by the word of its LoadModule line and by the name of its source, of which the ending is a part. */
  #hasModule(word: string): boolean | undefined {
    // A line may load what no such version has: a first run writes those of 2.4.
    const other = this.#start.version === '2.2' ? '2.4' : '2.2';
    if (isMisnamedModule(word) || findModule(word)?.versions === other) return false;
    const name = word.endsWith('_module')
      ? word.slice(0, -'_module'.length)
      : (SOURCES[word] ?? word.replace(/^mod_/, '').replace(/\.c$/, ''));
    return this.#modules.has(name) || this.#start.assumes('module', name);
  }

  /** What is not given is 0 (mod_version.c: compare_version). */
  #isVersion(words: readonly string[]): boolean {
    if (this.#hasModule('version_module') === false) throw new ReadError('IfVersion without mod_version');
    const [first = '', second] = words;
    const reversed = first.startsWith('!');
    const operator = second === undefined ? '=' : first.replace(/^!/, '');
    const given = (second ?? first).split('.').map(Number);
    if (given.some(Number.isNaN)) throw new Unreadable(`IfVersion ${words.join(' ')}`);
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
}

function asUnsure(line: Line): Line {
  return line.with({ unsure: true });
}

/** Modules whose file is not called as they are. */
const SOURCES: Readonly<Record<string, string>> = {
  __proto__: null!,
  'core.c': 'core',
  'http_core.c': 'http',
  'prefork.c': 'mpm_prefork',
};
