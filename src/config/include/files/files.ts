import { type Document, parse, parseAgain } from '../../../syntax';
import { below, basename, dirname, join, resolvePath } from '../../source';
import { NOT_CONFIG, whyNotConfig } from '../layout';
import { FoundLimit, TOO_MANY_LINES, hasTooManyLines } from './size-limit';
import { isTemplateName, syntaxProblems } from './syntax-problems';
import {
  type ConfigFile,
  type ConfigTree,
  type FileSource,
  type LinkedNames,
  type Problem,
  type FileRole,
  SourceError,
} from '../../types';

/** How a file was reached: by a path, which may contain links and may have been named by another file. */
export interface FileOrigin {
  readonly path: string;
  /** Where the path led, if it is that of a directory above the file. */
  readonly target?: string;
  readonly by?: LoadedFile;
}

/** A file while the tree is built: its role is known only at the end. */
export interface LoadedFile extends ConfigFile {
  role: FileRole;
  directories: readonly string[];
  /** Found at its real path, not through a link or another file. */
  direct: boolean;
  readonly origins: FileOrigin[];
}

export interface FilesOptions {
  /** Absolute. */
  readonly cwd: string;
  readonly onProgress?: (filesRead: number) => void;
  /** All files are templates, whatever their names. */
  readonly templates?: boolean;
  /** A tree of the same files: where a text is still the same, its document is taken over. */
  readonly before?: ConfigTree;
  /** Documents of files that may have changed since, by path: where a text is still the same, it is taken over, too. */
  readonly documents?: ReadonlyMap<string, Document>;
  /** Paths of files that need not be read where they are found. */
  readonly spared?: ReadonlySet<string> | undefined;
}

/** Reads and parses each real file once, however it is reached. */
export class Files {
  readonly source: FileSource;
  readonly areTemplates: boolean;
  private readonly cwd: string;
  private readonly onProgress: FilesOptions['onProgress'];
  private readonly documents: Map<string, Document>;
  /** The first document of each text: servers have the same file thousands of times. */
  private readonly byText = new Map<string, Document>();
  private readonly loaded = new Map<string, LoadedFile>();
  /** Why a file may not be written: known when all files are read. */
  outsideOf: (file: LoadedFile) => string | undefined = () => undefined;
  isGiven: (file: LoadedFile) => boolean = () => true;
  private readonly realPaths = new Map<string, string>();
  private readonly limit: FoundLimit;
  private readonly again: ConfigTree | undefined;
  private readonly spared: ReadonlySet<string>;
  /** What was too much: see {@link ConfigTree.tooMuch}. */
  readonly tooMuch = new Set<string>();

  constructor(source: FileSource, options: FilesOptions) {
    this.source = source;
    this.cwd = resolvePath('/', options.cwd);
    this.onProgress = options.onProgress;
    this.areTemplates = options.templates === true;
    this.limit = new FoundLimit(source);
    this.again = options.before;
    this.spared = options.spared ?? NONE;
    this.documents = new Map(options.documents);
    for (const { path, document } of options.before?.files ?? [])
      if (!this.isSpared(path)) this.documents.set(path, document);
  }

  /**
   * The real path of a file, asked for once. A `direct` one is known to be no link, so that only its directory is asked for.
   * @throws SourceError
   */
  real(path: string, direct: boolean): string {
    const asked = direct ? dirname(path) : path;
    let real = this.realPaths.get(asked);
    if (real === undefined) this.realPaths.set(asked, (real = this.source.real(asked)));
    return direct ? join(real, basename(path)) : real;
  }

  /**
   * @param origin how it was reached; undefined if it was found at its real path
   * @throws SourceError
   */
  load(real: string, origin?: FileOrigin): LoadedFile {
    let file = this.loaded.get(real);
    if (file === undefined) {
      const text = this.source.read(real);
      this.onProgress?.(this.loaded.size + 1);
      const known = this.documents.get(real);
      // The same bytes were found to be a configuration before.
      const document = known?.text === text ? known : this.#parsed(text, real, origin);
      file = new RealFile(this, real, document);
      this.loaded.set(real, file);
    }
    if (origin === undefined) file.direct = true;
    else file.origins.push(origin);
    return file;
  }

  #parsed(text: string, real: string, origin: FileOrigin | undefined): Document {
    const isPlanted =
      origin && (() => this.source.planted?.(origin.path, origin.by?.path, origin.target ?? real) === true);
    const why = whyNotConfig(text, isPlanted);
    if (why !== undefined) throw new SourceError(real, NOT_CONFIG, why);
    if (hasTooManyLines(text)) throw new SourceError(real, 'ETOOBIG', TOO_MANY_LINES);
    const same = this.byText.get(text);
    if (same !== undefined) return parseAgain(same);
    const document = parse(text);
    this.byText.set(text, document);
    return document;
  }

  isSpared(path: string): boolean {
    return this.spared.has(path);
  }

  /** Finds the files, of all that were found, that are more than a run can hold; they are the same when it is read again. */
  tooMany(paths: readonly string[]): ReadonlySet<string> {
    const found = this.again === undefined ? this.limit.tooMany(paths) : (this.again.tooMuch ?? []);
    for (const path of found) this.tooMuch.add(path);
    return this.tooMuch;
  }

  /**
   * What stands in the place of a file that cannot be read.
   * @param directory that it governs, if it is an AccessFileName file
   */
  unread(path: string, directory: string | undefined): ConfigFile {
    const file = new RealFile(this, path, NO_DOCUMENT);
    file.role = directory === undefined ? 'unreached' : 'htaccess';
    if (directory !== undefined) file.directories = [directory];
    return file;
  }

  /** Relative to the working directory for what lies below it. */
  nameOf(path: string): string {
    return below(path, this.cwd) || path;
  }
}

const NO_DOCUMENT = parse('');
const NO_DIRECTORIES: readonly string[] = [];
const NONE: ReadonlySet<string> = new Set();

class RealFile implements LoadedFile {
  readonly path: string;
  readonly name: string;
  role: FileRole = 'included';
  readonly document: Document;
  directories = NO_DIRECTORIES;
  direct = false;
  readonly origins: FileOrigin[] = [];
  readonly #files: Files;
  #outside: string | false | undefined;
  #isBeyond: boolean | undefined;

  constructor(files: Files, path: string, document: Document) {
    this.path = path;
    this.name = files.nameOf(path);
    this.document = document;
    this.#files = files;
  }

  /** Asked only for files that would change: the answer may need the disk. */
  get outside(): string | undefined {
    this.#outside ??= this.#files.outsideOf(this) ?? false;
    return this.#outside === false ? undefined : this.#outside;
  }

  /** Asked only for files that change. */
  get linked(): LinkedNames | undefined {
    const { source } = this.#files;
    const inode = source.stat?.(this.path)?.inode;
    return inode === undefined ? undefined : { inode, count: source.names?.(this.path) ?? 1 };
  }

  get isTemplate(): boolean {
    return this.#files.areTemplates || isTemplateName(this.path);
  }

  get isBeyond(): boolean {
    return (this.#isBeyond ??= !this.#files.isGiven(this));
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
  const all: Problem[] = [];
  for (const file of files) {
    const ofSyntax = syntaxProblems(file);
    const ofIncludes = found.get(file);
    const problems =
      ofIncludes === undefined ? ofSyntax : [...ofSyntax, ...ofIncludes].sort((a, b) => a.at - b.at);
    for (const problem of problems) all.push(problem);
  }
  return all;
}
