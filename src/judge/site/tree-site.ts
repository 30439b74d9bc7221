import { type ConfigFile, type ConfigTree, isComplete } from '../../config/types';
import { appendAll, walk } from '../../syntax';
import { type Line, ReadError, Unreadable, everyLine, linesOf, finds } from '../text';
import {
  ALL_CLASSES,
  type Override,
  checkReadable,
  type AccessFileLines,
  Reader,
  type ReadVersion,
  type TextFile,
} from '../reading';
import type { AccessFile, JudgedSite } from './walk';

/** Modules that a server has, as it is built by default. */
const USUAL = new Set(
  `authz_host authz_user authz_groupfile auth_basic authn_file alias dir mime autoindex log_config setenvif env negotiation core http so
   version`.split(/[ \n]+/),
);

/** Modules that one version alone has. */
const ONLY_22 = new Set(['authz_default', 'authn_default', 'authn_alias']);
const ONLY_24 = new Set([
  'authz_core',
  'authn_core',
  'authz_dbd',
  'authn_socache',
  'unixd',
  'authz_unixgroup',
]);

/** Modules of 2.0, which became several in 2.2: no later version has one of these names. */
const ONLY_20 = new Set(['access', 'auth', 'auth_anon', 'auth_dbm']);

/** Modules of 2.2 that another name in 2.4 stands for, by what they are called there (manual: upgrading). */
const RENAMED: Readonly<Record<string, string | undefined>> = {
  __proto__: null!,
  disk_cache: 'cache_disk',
  example: 'example_hooks',
};

/** Files that are looked into for sections, and of these, those that are read for them. */
const [MAX_LOOKED_INTO, MAX_SEARCHED] = [500, 16];

/** What is taken for granted where the files do not say. */
export interface Assumptions {
  /** Modules and names of which nothing is known: all are there, none is, those of one kind are, or one name alone is given. */
  readonly assumed: 'all' | 'none' | 'modules' | 'defines' | { readonly name: string };
  /** Modules that one version loads and the other does not: no assumption fits both. */
  readonly unlike: ReadonlySet<string>;
  /** 2.4 has mod_access_compat. */
  readonly compat: boolean;
  /**
   * What the other text asks for, which is answered as `assumed` says; of what it does not ask for the opposite is assumed.
   * Undefined where all is answered alike.
   */
  readonly sharedOnly?: ReadonlySet<string>;
}

/** So many usual modules are loaded by lines where a server has modules as files: what no line loads is not there then. */
const MIN_LOADED = 4;

/** Where mod_access_compat is there, and where it is not, as far as that is open. @param tree the result */
export function compatSettings(tree: ConfigTree): readonly boolean[] {
  const { targetModules } = tree;
  const named = modulesNamed(tree);
  const hasOld = tree.files.some(({ document }) => OF_COMPAT.test(document.text));
  if (!hasOld) return [false];
  if (named.has('access_compat')) return [true];
  if (targetModules !== undefined) return [targetModules.has('access_compat_module')];
  const usual = [...named].filter((name) => USUAL.has(name));
  return isComplete(tree) && usual.length >= MIN_LOADED ? [false] : [false, true];
}

/** A line that mod_access_compat reads, or a block that asks for it. */
const OF_COMPAT =
  /^[ \t]*(?:(?:order|allow|deny|satisfy)[ \t]|<IfModule[ \t]+[!" \t]*(?:mod_access_compat\.c|access_compat_module))/im;

/**
 * A server, or a part of one, as one version reads the files of a tree. Nothing but these files is there. Where no line says
 * whether a module is there or a name is defined, all are, none, or one name. The versions are compared under the same
 * assumption.
 */
export class TreeSite implements JudgedSite {
  readonly version: ReadVersion;
  /** 2.4 has mod_access_compat. */
  readonly compat: boolean;
  /** A person has said that words of a template stand for host names. */
  readonly namesFilledIn: boolean;
  readonly lines: readonly Line[];
  /** Modules that LoadModule lines name, in their order. */
  readonly loaded: readonly string[];
  /** Each may be there. */
  readonly modules = undefined;
  /** Where no AllowOverride has spoken: that of the other files of the server is not known, or a rule is for it. */
  readonly override: Override = {
    classes: ALL_CLASSES,
    options: undefined,
    list: undefined,
    said: false,
    passes: new Set(),
  };
  /** What conditionals asked for while it was read, and had to be assumed: modules and names, as in `define A`. */
  readonly asked = new Set<string>();
  readonly #files: AccessFiles;
  readonly #reader: Reader;
  #directories: ReadonlySet<string> | undefined;
  readonly #read = new Map<ConfigFile, AccessFileLines | Unreadable>();

  /**
   * @param roots the server's files that are read by themselves
   * @throws Unreadable, ReadError
   */
  constructor(
    tree: ConfigTree,
    files: AccessFiles,
    roots: readonly ConfigFile[],
    version: ReadVersion,
    { assumed, unlike, compat, sharedOnly }: Assumptions,
  ) {
    this.version = version;
    this.compat = compat && version === '2.4';
    this.namesFilledIn = tree.files.some(
      ({ path }) => tree.chosen?.('placeholder', [path])?.choice === 'host',
    );
    this.#files = files;
    const includes = includesOf(tree, roots);
    this.#reader = new Reader({
      version,
      defines: tree.defines,
      statics: [],
      included: ({ file, start }) => (includes.get(`${start} ${file}`) ?? []).map(textOf),
      assumes: (kind, name) => {
        const known = kind === 'module' ? this.#isThere(name) : undefined;
        if (known !== undefined) return known;
        if (kind === 'module' && (BUILT_IN.test(name) || unlike.has(name))) return undefined;
        const question = `${kind} ${kind === 'module' ? (RENAMED[name] ?? name) : name}`;
        this.asked.add(question);
        const is =
          typeof assumed === 'string'
            ? assumed === 'all' || assumed === `${kind}s`
            : kind === 'define' && name === assumed.name;
        return sharedOnly?.has(question) === false ? !is : is;
      },
    });
    this.lines = roots.flatMap((file) => this.#reader.server(textOf(file)));
    this.loaded = [...this.#reader.modules];
  }

  /** Undefined where nobody knows. */
  #isThere(module: string): boolean | undefined {
    if (module === 'access_compat') return this.compat;
    if (USUAL.has(module)) return true;
    if (ONLY_20.has(module)) return false;
    if (ONLY_24.has(module)) return this.version === '2.4';
    return ONLY_22.has(module) ? this.version === '2.2' : undefined;
  }

  reached(path: string): string {
    return path;
  }

  /** What has a section or a `.htaccess` of its own, or something below it has, is a directory. */
  isDirectory(path: string): boolean {
    this.#directories ??= directoriesIn(this.lines);
    return this.#directories.has(path) || this.#files.isDirectory(path);
  }

  isLink(): boolean {
    return false;
  }

  finds(pattern: string, text: string): boolean {
    return finds(pattern, text);
  }

  accessFile(directory: string): AccessFile | undefined {
    const file = this.#files.at(directory);
    return file && { path: file.path, paths: [file.path], read: () => this.#accessFile(file) };
  }

  #accessFile(file: ConfigFile): AccessFileLines {
    let read = this.#read.get(file);
    if (read === undefined) {
      read = this.#reader.accessFile(textOf(file));
      checkReadable(read.lines, this);
      this.#read.set(file, read);
    }
    if (read instanceof Unreadable) throw read;
    return read;
  }
}

/** Nobody can tell from the files alone whether they are there. */
const BUILT_IN = /^(?:mpm_.*|prefork|worker|event|itk|perchild)$/;

/** The modules that lines of some files load, whether httpd comes to them or not. */
export function modulesNamed({ files }: ConfigTree): ReadonlySet<string> {
  const found = new Set<string>();
  for (const { role, document } of files)
    if (role !== 'htaccess')
      for (const [, name = ''] of document.text.matchAll(/^[ \t]*LoadModule[ \t]+"?(\w+)_module\b/gim))
        found.add(name);
  return found;
}

/** The lines of a file, whoever reads it; none where they cannot be read. */
export function linesIn({ path, document }: ConfigFile): readonly Line[] {
  try {
    return linesOf(document.text, path);
  } catch (error) {
    if (error instanceof Unreadable || error instanceof ReadError) return [];
    throw error;
  }
}

/** Line ends that the versions join in different ways, and bytes that end a line for one of them. */
const DIFFERS = /\\\\\r?\n|\\\r\n|\r(?!\n)|\0/;

/** Each text of a server's files is taken apart once, whoever reads it. */
const linesByDocument = new WeakMap<ConfigFile['document'], readonly Line[]>();

/** @throws Unreadable where the versions take the text apart in different ways */
function textOf({ path, role, document }: ConfigFile): TextFile {
  const { text } = document;
  if (DIFFERS.test(text)) throw new Unreadable(path);
  if (role === 'htaccess') return { path, text };
  let lines = linesByDocument.get(document);
  if (lines === undefined) linesByDocument.set(document, (lines = linesOf(text, path)));
  return { path, text, lines };
}

/** The paths of `<Directory>` sections, and those above them. */
function directoriesIn(lines: readonly Line[]): ReadonlySet<string> {
  const found = new Set<string>();
  for (const line of lines) {
    const { name, body } = line;
    if (name === 'directory' || name === 'documentroot') addWithParents(line.words[0] ?? '', found);
    else if (name === 'virtualhost') for (const path of directoriesIn(body ?? [])) found.add(path);
  }
  return found;
}

function addWithParents(path: string, directories: Set<string>): void {
  for (
    let at = path.replace(/\/+$/, '');
    at !== '' && !directories.has(at);
    at = at.slice(0, at.lastIndexOf('/'))
  )
    if (at.startsWith('/')) directories.add(at);
    else return;
}

/** What each Include of some files, and of those that they include, leads to, by its place. */
function includesOf(tree: ConfigTree, roots: readonly ConfigFile[]): Map<string, readonly ConfigFile[]> {
  const found = new Map<string, readonly ConfigFile[]>();
  const visited = new Set<ConfigFile>();
  const waiting = [...roots];
  for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
    if (visited.has(file) || tree.includes.size === 0) continue;
    visited.add(file);
    for (const [node] of walk(file.document.body)) {
      if (node.kind !== 'directive' || (node.key !== 'include' && node.key !== 'includeoptional')) continue;
      const files = tree.includes.get(node) ?? [];
      found.set(`${node.start} ${file.path}`, files);
      appendAll(waiting, files);
    }
  }
  return found;
}

/** The `.htaccess` files of a tree, by the directory that they are for. */
export class AccessFiles {
  #byDirectory: Map<string, ConfigFile | undefined> | undefined;
  #directories: Set<string> | undefined;

  constructor(private readonly tree: ConfigTree) {}

  /** @throws Unreadable where it is not known what is read there */
  at(directory: string): ConfigFile | undefined {
    const { accessDiffers, unread, htaccess } = this.tree;
    if (accessDiffers || unread.length > 0) throw new Unreadable('AccessFileName');
    if (this.#byDirectory === undefined) {
      this.#byDirectory = new Map();
      for (const file of htaccess)
        for (const path of file.directories)
          this.#byDirectory.set(path, this.#byDirectory.has(path) ? undefined : file);
    }
    const file = this.#byDirectory.get(directory);
    if (file === undefined && this.#byDirectory.has(directory)) throw new Unreadable('AccessFileName');
    return file;
  }

  isDirectory(path: string): boolean {
    if (this.#directories === undefined) {
      this.#directories = new Set();
      for (const { directories } of this.tree.htaccess)
        for (const directory of directories) addWithParents(directory, this.#directories);
    }
    return this.#directories.has(path);
  }

  /** The Files sections of the first of them. */
  sections(): readonly Line[] {
    return this.tree.htaccess
      .slice(0, MAX_LOOKED_INTO)
      .filter(({ document }) => /^[ \t]*<Files/im.test(document.text))
      .slice(0, MAX_SEARCHED)
      .flatMap((file) => [...everyLine(linesIn(file))].filter(({ name }) => name.startsWith('files')));
  }

  /** The names of the first directories that have one. */
  names(): readonly string[] {
    return this.tree.htaccess
      .slice(0, MAX_SEARCHED)
      .flatMap(({ directories }) => directories.map((path) => path.slice(path.lastIndexOf('/') + 1)));
  }

  /** Directories that have one, below another directory. */
  below(directory: string, count: number): string[] {
    const prefix = directory === '/' ? '/' : `${directory}/`;
    const found: string[] = [];
    for (const { directories } of this.tree.htaccess) {
      for (const path of directories) if (path.startsWith(prefix)) found.push(path);
      if (found.length >= count) break;
    }
    return found;
  }
}
