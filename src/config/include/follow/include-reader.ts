import { findModule } from '../../../httpd/modules';
import {
  type Argument,
  type Directive,
  type Node,
  hasPlaceholder,
  readWords,
  type Section,
} from '../../../syntax';
import {
  basename,
  below,
  dirname,
  hasVariable,
  isPattern,
  MAX_INCLUDE_DEPTH,
  resolvePath,
} from '../../source';
import { isConditional } from '../../tree';
import { type ConfigFile, NO_DIRECTORY, type Problem, SourceError } from '../../types';
import {
  type IncludeBases,
  isAbsolute,
  isOurs,
  likelyTops,
  resolveInclude,
  elsewhereMessage,
  lostLink,
  hasMainName,
  isPart,
  moveOf,
} from '../layout';
import type { Files, LoadedFile } from '../files';
import { MAX_EXPANDED, expand, isTooLong } from './expand';
import { OverrideLines } from './override-lines';
import { servedBy } from './served-by';

export interface FollowOptions {
  /** Absolute. */
  readonly serverRoot: string | undefined;
  readonly defines: ReadonlyMap<string, string>;
  readonly env: ReadonlyMap<string, string>;
  /** What was given: absolute paths. */
  readonly givenPaths: readonly string[];
  /** By which path a file was given, where that is by a link: a directory's real path in, its name out. */
  readonly givenAs: (directory: string) => string | undefined;
}

/** A part of a server loads the module that it is for; a server loads several of httpd's own. */
const SEVERAL = 2;

/** The directories that Debian's main file includes, and no part of a server does. */
const ENABLED = /(?:^|\/)(?:mods|sites|conf)-enabled(?:\/|$)/;

/** The directives that affect how others are read. */
const FOLLOWED = new Set([
  'include', 'includeoptional', 'define', 'undefine', 'accessfilename', 'allowoverride', 'allowoverridelist', 'documentroot', 'alias',
  'scriptalias', 'userdir', 'virtualdocumentroot', 'virtualscriptalias', 'serverroot', 'listen', 'loadmodule',
]); // prettier-ignore

/**
 * Reads root files as httpd does, from top to bottom and through their Includes, whatever conditionals say, and collects what
 * that shows. Each file is read once: an Include in a file that is included twice has the same targets.
 */
export class IncludeReader {
  readonly includes = new Map<Directive, ConfigFile[]>();
  readonly problems: Problem[] = [];
  readonly variables: Map<string, string>;
  /** Every name that an AccessFileName gives. */
  readonly accessNames = new Set<string>();
  /** The names that the last AccessFileName of the server gives, in its order. */
  accessInForce: readonly string[] = ['.htaccess'];
  /** The names that the last AccessFileName of each virtual host and conditional gives. */
  readonly #otherAccess = new Map<Section, readonly string[]>();
  /** The innermost section around what is read. */
  #innermost: Section | undefined;
  isServer = false;
  /** The modules of httpd itself that LoadModule lines name. */
  readonly #ourModules = new Set<string>();
  /** Directories that sections are for, or DocumentRoot and Alias lead to: absolute, links as they are written. */
  readonly named = new Set<string>();
  /** Named directories as the configuration writes them, also those of other systems than Unix. */
  readonly configured = new Set<string>();
  /** The directories, and patterns of directories, that DocumentRoot, Alias and the like lead to. */
  readonly served = new Set<string>();
  /** What keeps httpd from looking for AccessFileName files. */
  readonly overrides = new OverrideLines();
  /** The names of users' directories in their homes: `UserDir public_html`. */
  readonly homes = new Set<string>();
  /** The names that Includes end with which lead to no file. */
  readonly leadToNothing = new Set<string>();
  /** Includes of what another machine has at such a path, in their order. */
  readonly #elsewhere: { readonly file: LoadedFile; readonly at: number; readonly path: string }[] = [];
  /** The section for a directory around the line, and whether what stands there holds for the main server, whatever is tested. */
  #section: string | undefined;
  #hosts = 0;
  /** Every file gone through, in the order of first reach, with the files it includes. */
  readonly edges = new Map<LoadedFile, Set<LoadedFile>>();
  readonly #included = new Set<LoadedFile>();
  readonly #files: Files;
  readonly #options: FollowOptions;
  readonly #stack: LoadedFile[] = [];
  #declared: string | undefined;
  #serverTops: readonly string[] = [];
  #likelyTops: readonly string[] = [];
  #directory = '/';
  #main: string | undefined;
  /** How many conditionals are open: each may keep httpd from reading what is inside. */
  #conditionals = 0;
  #server = true;
  /** The file that was last asked about variables, and the answer. */
  #asked: LoadedFile | undefined;
  #expands = false;

  constructor(files: Files, options: FollowOptions) {
    this.#files = files;
    this.#options = options;
    // A bare -D NAME is for <IfDefine>; `${NAME}` needs a value.
    this.variables = new Map([...options.env, ...[...options.defines].filter(([, value]) => value !== '')]);
  }

  /**
   * Goes through a root, unless an Include has led there before.
   * @param server whether it is read at server level; a fragment that nothing includes says nothing about the server
   */
  root(file: LoadedFile, server: boolean): void {
    const tops = likelyTops(file.path);
    if (server) this.#serverTops = [...tops, ...this.#serverTops];
    this.#likelyTops = server ? this.#serverTops : [...this.#serverTops, ...tops];
    this.#directory = dirname(file.path);
    this.#main = file.path;
    this.#server = server;
    const declared = this.#declared;
    this.#enter(file);
    if (!server) this.#declared = declared;
  }

  /** A virtual host or a conditional has another AccessFileName than the server, whichever comes first. */
  get accessDiffers(): boolean {
    const inForce = this.accessInForce.join('\n');
    return [...this.#otherAccess.values()].some((names) => names.join('\n') !== inForce);
  }

  /** The names of the files that a server may read in a directory, best first. */
  get accessInAnyServer(): readonly string[] {
    return [...new Set([...this.accessInForce, ...[...this.#otherAccess.values()].flat()])];
  }

  /** The last ServerRoot read, absolute. */
  get declared(): string | undefined {
    return this.#declared;
  }

  /** True for a file that some other one includes; of two that include each other, for the one that was gone through later. */
  isIncluded(file: LoadedFile): boolean {
    return this.#included.has(file);
  }

  /** What the reading noticed, once it is done. */
  get allProblems(): readonly Problem[] {
    const [first] = this.#elsewhere;
    if (first === undefined) return this.problems;
    const lacks = [...new Set(this.#elsewhere.map(({ path }) => path))];
    const message = elsewhereMessage(lacks);
    return [...this.problems, { code: 'include-elsewhere', file: first.file, at: first.at, message, lacks }];
  }

  #enter(file: LoadedFile): void {
    if (this.edges.has(file)) return;
    this.edges.set(file, new Set());
    this.#stack.push(file);
    this.#body(file.document.body, file);
    this.#stack.pop();
  }

  #body(nodes: readonly Node[], file: LoadedFile): void {
    for (let i = 0; i < nodes.length; i++) {
      const node = nodes[i]!;
      if (node.kind === 'directive') {
        if (FOLLOWED.has(node.key)) this.#directive(node, file);
      } else if (node.kind === 'section') {
        const inside = isConditional(node) ? 1 : 0;
        this.#conditionals += inside;
        const [around, outer] = [this.#section, this.#innermost];
        this.#innermost = node;
        const host = node.key === 'virtualhost' ? 1 : 0;
        this.#hosts += host;
        if (node.key === 'directory') {
          const path = this.#value(node, 0, file);
          this.#section = path === '~' ? undefined : (this.#name(path, file) ?? path);
        }
        this.#body(node.body, file);
        this.#section = around;
        this.#hosts -= host;
        this.#innermost = outer;
        this.#conditionals -= inside;
      }
    }
  }

  #directive(node: Directive, file: LoadedFile): void {
    switch (node.key) {
      case 'include':
      case 'includeoptional':
        this.#include(node, file);
        break;
      case 'define':
      case 'undefine':
        this.#define(node, file);
        break;
      case 'accessfilename':
        this.#access(this.#values(node, file));
        break;
      case 'allowoverride':
      case 'allowoverridelist':
        if (this.#server)
          this.overrides.add(this.#section, node, {
            isSure: this.#conditionals === 0,
            inHost: this.#hosts > 0,
          });
        break;
      case 'documentroot':
      case 'alias':
      case 'scriptalias':
      case 'userdir':
      case 'virtualdocumentroot':
      case 'virtualscriptalias':
        this.#serves(node, file);
        break;
      case 'serverroot':
        this.#declareRoot(this.#value(node, 0, file) ?? '');
        break;
      case 'loadmodule':
        this.#loadModule(node, file);
        break;
      case 'listen':
        this.#seesServer(file);
        break;
    }
  }

  #serves(node: Directive, file: LoadedFile): void {
    const { paths, homes } = servedBy(node.key, this.#values(node, file));
    for (const path of paths) this.#serve(path, file);
    if (this.#server) for (const name of homes) this.homes.add(name);
  }

  #declareRoot(path: string): void {
    if (/^(?:[A-Za-z]:)?\//.test(path)) this.#declared = path.startsWith('/') ? resolvePath('/', path) : path;
    this.isServer ||= this.#server;
  }

  #loadModule({ args }: Directive, file: LoadedFile): void {
    const module = findModule(args[0]?.value ?? '');
    if (module === undefined) return;
    this.#ourModules.add(module.identifier);
    if (this.#ourModules.size >= SEVERAL) this.#seesServer(file);
  }

  /** A part of a configuration may load its own modules and listen on its own port. */
  #seesServer(file: LoadedFile): void {
    this.isServer ||= this.#server && !isPart((this.#stack[0] ?? file).path);
  }

  #access(names: readonly string[]): void {
    for (const name of names) this.accessNames.add(name);
    if (!this.#server) return;
    if (this.#innermost !== undefined) this.#otherAccess.set(this.#innermost, names);
    else this.accessInForce = names;
  }

  #name(written: string | undefined, file: LoadedFile): string | undefined {
    if (!this.#server || written === undefined) return undefined;
    const path = withSlashes(written);
    if (!isAbsolute(path) || (this.#mayExpand(file) && hasVariable(path))) return undefined;
    const configured = path.replace(/\/+$/, '');
    // That the whole file system is there says nothing of what is in it.
    if (configured !== '' && !/^[A-Za-z]:$/.test(configured)) this.configured.add(configured);
    if (!path.startsWith('/')) return configured;
    const resolved = resolvePath('/', path);
    this.named.add(resolved);
    return resolved;
  }

  #serve(path: string, file: LoadedFile): void {
    const named = this.#name(path, file);
    if (named !== undefined) this.served.add(named);
  }

  #define(node: Directive, file: LoadedFile): void {
    const [name = '', value] = this.#values(node, file);
    if (this.#options.defines.has(name) || (!this.#server && this.variables.has(name))) return;
    if (node.key === 'undefine') this.variables.delete(name);
    else if (value !== undefined) this.variables.set(name, value);
    const [first] = node.args;
    const isLong = this.#mayExpand(file) && isTooLong(node.rest, this.variables);
    if (first !== undefined && value !== undefined && isLong)
      this.#problem(
        'include-unresolved',
        file,
        first,
        `${name}: longer than ${MAX_EXPANDED} bytes with its variables: it is taken as it is written`,
      );
  }

  /** The arguments with variables put in: that happens before the line is split into words. */
  #values(node: Directive, file: LoadedFile): string[] {
    if (!this.#mayExpand(file) || !node.rest.includes('${')) return node.args.map((arg) => arg.value);
    return readWords(expand(node.rest, this.variables)).map((word) => word.value);
  }

  #value(node: Directive | Section, index: number, file: LoadedFile): string | undefined {
    if (node.kind === 'section') {
      const value = node.args[index]?.value;
      return value !== undefined && this.#mayExpand(file) ? expand(value, this.variables) : value;
    }
    return this.#mayExpand(file) ? this.#values(node, file)[index] : node.args[index]?.value;
  }

  /** Whether any line of a file has a variable. */
  #mayExpand(file: LoadedFile): boolean {
    if (this.#asked !== file) {
      this.#asked = file;
      // A line may be joined right behind the `$`.
      this.#expands = file.document.text.includes('$');
    }
    return this.#expands;
  }

  #include(node: Directive, file: LoadedFile): void {
    const [arg] = node.args;
    const written = this.#value(node, 0, file);
    if (arg === undefined || written === undefined || written === '') return;
    const value = withSlashes(written);
    // In its place, the file includes what a package has it include: the whole of a server lies around it.
    if (ENABLED.test(value) && this.#stack.length === 1 && hasMainName(file.path))
      this.isServer ||= this.#server;
    if (hasVariable(value)) {
      this.#problem(
        'include-unresolved',
        file,
        arg,
        `${value}: the value of the variable is not known (give it with -D)`,
        value,
      );
      return;
    }
    try {
      const bases = this.#bases();
      const targets = value === '/dev/null' ? [] : resolveInclude(this.#files.source, value, bases);
      if (targets === undefined && node.key === 'include' && hasPlaceholder(value)) {
        this.#placeholder(node, file, arg);
        return;
      }
      if (targets === undefined && isAbsolute(value) && !isOurs(this.#files.source, value, bases)) {
        this.#elsewhere.push({ file, at: arg.start, path: value });
        return;
      }
      if (targets === undefined) {
        // A pattern may match nothing in 2.2, but the directory to search must be there.
        const missing = isPattern(value) ? NO_DIRECTORY : 'no such file or directory';
        this.#problem(
          node.key === 'include' ? 'include-missing' : 'include-optional-missing',
          file,
          arg,
          `${value}: ${missing}`,
          value,
        );
        return;
      }
      if (targets.length === 0) this.leadToNothing.add(basename(value));
      for (const { path, direct } of targets) this.#target(node, file, arg, path, direct);
    } catch (error) {
      this.#failed(error, file, arg);
    }
  }

  /** A placeholder may hold blanks: what is named is the rest of the line. */
  #placeholder(node: Directive, file: LoadedFile, arg: Argument): void {
    const written = file.document.text.slice(arg.start, node.args.at(-1)!.end);
    const name = node.args.length === 1 ? arg.value : written;
    this.#problem(
      'include-placeholder',
      file,
      arg,
      `${name}: what it names is not known before the template is filled in`,
      name,
    );
  }

  #target(node: Directive, file: LoadedFile, arg: Argument, path: string, direct: boolean): void {
    let target: LoadedFile;
    try {
      const real = this.#files.real(path, direct);
      if (!direct && this.#leaves(real)) {
        this.#elsewhere.push({ file, at: arg.start, path: real });
        return;
      }
      target = this.#behindLostLink(this.#files.load(real, { path, by: file }));
    } catch (error) {
      this.#failed(error, file, arg);
      return;
    }
    if (this.#stack.includes(target)) {
      this.#problem(
        'include-cycle',
        file,
        arg,
        `${target.name} includes itself this way: ${this.#refusal()}`,
      );
      return;
    }
    if (this.#stack.length > MAX_INCLUDE_DEPTH) {
      this.#problem(
        'include-depth',
        file,
        arg,
        `includes nest deeper than ${MAX_INCLUDE_DEPTH}: ${this.#refusal()}`,
      );
      return;
    }
    const targets = this.includes.get(node);
    if (targets === undefined) this.includes.set(node, [target]);
    else targets.push(target);
    this.edges.get(file)?.add(target);
    this.#included.add(target);
    this.#enter(target);
  }

  /** Whether a link in a copy leads out of it, to what another machine than this one has there. */
  #leaves(real: string): boolean {
    const { source } = this.#files;
    const move = moveOf(this.#directory, this.#declared, this.#options.serverRoot);
    return (
      !isOurs(source, real, this.#bases()) &&
      (move === undefined || below(real, move.to || '/') === undefined)
    );
  }

  /**
   * The file that a link led to on the server, where only the link's text has come with a copy (git and zip do so where links
   * cannot be made). As a configuration no httpd would start with it.
   */
  #behindLostLink(file: LoadedFile): LoadedFile {
    const path = lostLink(file);
    const { source } = this.#files;
    if (path === undefined || source.kind(path) !== 'file') return file;
    const real = source.real(path);
    return this.#leaves(real) ? file : this.#files.load(real, { path, by: file });
  }

  #bases(): IncludeBases {
    return {
      given: this.#options.serverRoot,
      declared: this.#declared,
      likelyTops: this.#likelyTops,
      directory: this.#directory,
      main: this.#main,
      givenAs: this.#options.givenAs(this.#directory),
      givenPaths: this.#options.givenPaths,
    };
  }

  #failed(error: unknown, file: LoadedFile, arg: Argument): void {
    if (!(error instanceof SourceError)) throw error;
    const name = this.#files.nameOf(error.path);
    const message = `${name}: ${error.message}`;
    // Of several links that a pattern finds each may lead to nothing: what is not here is told apart by its name.
    if (error.code === 'ENOENT') this.#problem('include-missing', file, arg, message, name);
    else this.#problem('include-unreadable', file, arg, message);
  }

  #refusal(): string {
    return this.#conditionals === 0 ? 'no httpd starts with it' : 'no httpd that reads it starts';
  }

  #problem(code: Problem['code'], file: LoadedFile, arg: Argument, message: string, lacks?: string): void {
    const fatal = (code === 'include-cycle' || code === 'include-depth') && this.#conditionals === 0;
    this.problems.push({
      code,
      file,
      at: arg.start,
      message,
      ...(lacks !== undefined && { lacks: [lacks] }),
      ...(fatal && { fatal }),
    });
  }
}

/** A path with the letter of a drive may be written with either slash (apr/file_io/win32/filepath.c: apr_filepath_merge). */
function withSlashes(path: string): string {
  return /^[A-Za-z]:[\\/]/.test(path) ? path.replaceAll('\\', '/') : path;
}
