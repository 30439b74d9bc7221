import { findModule } from '../../httpd/modules';
import { type Argument, type Directive, type Node, readWords } from '../../syntax';
import { dirname, hasVariable, isPattern, MAX_INCLUDE_DEPTH, replaceVariables, resolvePath } from '../source';
import { isConditional } from '../tree';
import { type ConfigFile, type Problem, SourceError } from '../types';
import { type IncludeBases, likelyTops, resolveInclude } from './bases';
import type { Files, LoadedFile } from './files';
import { hasMainName } from './layout';

export interface FollowOptions {
  /** Absolute. */
  readonly serverRoot: string | undefined;
  readonly defines: ReadonlyMap<string, string>;
  readonly env: ReadonlyMap<string, string>;
}

/** A part of a server loads the module that it is for; a server loads several of httpd's own. */
const SEVERAL = 2;

/** The directives that affect how others are read. */
const FOLLOWED = new Set([
  'include', 'includeoptional', 'define', 'undefine', 'accessfilename', 'documentroot', 'alias', 'scriptalias', 'serverroot', 'listen',
  'loadmodule',
]); // prettier-ignore

/**
 * Reads root files as httpd does, from top to bottom and through their Includes, whatever conditionals say, and collects what that
 * shows. Each file is read once: an Include in a file that is included twice has the same targets.
 */
export class IncludeReader {
  readonly includes = new Map<Directive, ConfigFile[]>();
  readonly problems: Problem[] = [];
  readonly variables: Map<string, string>;
  /** Every name that an AccessFileName gives. */
  readonly accessNames = new Set<string>();
  /** The names that the last AccessFileName of the server gives, in its order. */
  accessInForce: readonly string[] = ['.htaccess'];
  /** The lists that virtual hosts and conditionals have, a name a line. */
  readonly #otherAccess = new Set<string>();
  #sections = 0;
  isServer = false;
  /** Of httpd itself, that LoadModule lines name. */
  readonly #ourModules = new Set<string>();
  /** The directories that sections are for, and that DocumentRoot and Alias lead to: absolute paths, links as they are written. */
  readonly named = new Set<string>();
  /** The same as they are written, with those of other systems than Unix. */
  readonly configured = new Set<string>();
  /** Those of them that DocumentRoot and Alias lead to. */
  readonly served = new Set<string>();
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
    this.#server = server;
    const declared = this.#declared;
    this.#enter(file);
    if (!server) this.#declared = declared;
  }

  /** A virtual host or a conditional has another AccessFileName than the server, whichever comes first. */
  get accessDiffers(): boolean {
    const inForce = this.accessInForce.join('\n');
    return [...this.#otherAccess].some((names) => names !== inForce);
  }

  /** The last ServerRoot read, absolute. */
  get declared(): string | undefined {
    return this.#declared;
  }

  /** True for a file that some other one includes; of two that include each other, for the one that was gone through later. */
  isIncluded(file: LoadedFile): boolean {
    return this.#included.has(file);
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
        this.#sections++;
        if (node.key === 'directory') this.#name(node.args[0]?.value, file);
        this.#body(node.body, file);
        this.#sections--;
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
      case 'documentroot':
        this.#serve(this.#value(node, 0, file), file);
        break;
      case 'alias':
      case 'scriptalias':
        this.#serve(this.#value(node, 1, file), file);
        break;
      case 'serverroot': {
        const path = this.#value(node, 0, file) ?? '';
        if (/^(?:[A-Za-z]:)?\//.test(path))
          this.#declared = path.startsWith('/') ? resolvePath('/', path) : path;
        this.isServer ||= this.#server;
        break;
      }
      case 'loadmodule': {
        const module = findModule(node.args[0]?.value ?? '');
        if (module === undefined) break;
        this.#ourModules.add(module.identifier);
        if (this.#ourModules.size < SEVERAL) break;
        this.#seesServer(file);
        break;
      }
      case 'listen':
        this.#seesServer(file);
        break;
    }
  }

  /** A part of a configuration may load its own modules and listen on its own port. */
  #seesServer(file: LoadedFile): void {
    this.isServer ||= this.#server && !isPart(this.#stack[0] ?? file);
  }

  #access(names: readonly string[]): void {
    for (const name of names) this.accessNames.add(name);
    if (!this.#server) return;
    if (this.#sections > 0) this.#otherAccess.add(names.join('\n'));
    else this.accessInForce = names;
  }

  #name(path: string | undefined, file: LoadedFile): string | undefined {
    if (!this.#server || path === undefined || !/^(?:[A-Za-z]:)?\//.test(path)) return undefined;
    if (this.#mayExpand(file) && hasVariable(path)) return undefined;
    const configured = path.replace(/\/+$/, '');
    // That the whole file system is there says nothing of what is in it.
    if (configured !== '' && !/^[A-Za-z]:$/.test(configured)) this.configured.add(configured);
    if (!path.startsWith('/')) return undefined;
    const resolved = resolvePath('/', path);
    this.named.add(resolved);
    return resolved;
  }

  #serve(path: string | undefined, file: LoadedFile): void {
    const named = this.#name(path, file);
    if (named !== undefined) this.served.add(named);
  }

  #define(node: Directive, file: LoadedFile): void {
    const [name = '', value] = this.#values(node, file);
    if (this.#options.defines.has(name) || (!this.#server && this.variables.has(name))) return;
    if (node.key === 'undefine') this.variables.delete(name);
    else if (value !== undefined) this.variables.set(name, value);
    const [first] = node.args;
    if (first !== undefined && value !== undefined && this.#isTooLong(node, file))
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

  /** Whether the variables of a line are left as they are, for their values would make it too long. */
  #isTooLong(node: Directive, file: LoadedFile): boolean {
    if (!this.#mayExpand(file) || !node.rest.includes('${')) return false;
    let isKnown = false;
    replaceVariables(node.rest, (whole, name) => {
      isKnown ||= this.variables.has(name);
      return whole;
    });
    return isKnown && expand(node.rest, this.variables) === node.rest;
  }

  #value(node: Directive, index: number, file: LoadedFile): string | undefined {
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
    const value = this.#value(node, 0, file);
    if (arg === undefined || value === undefined || value === '') return;
    if (hasVariable(value)) {
      this.#problem(
        'include-unresolved',
        file,
        arg,
        `${value}: the value of the variable is not known (give it with -D)`,
      );
      return;
    }
    try {
      const bases: IncludeBases = {
        given: this.#options.serverRoot,
        declared: this.#declared,
        likelyTops: this.#likelyTops,
        directory: this.#directory,
      };
      const targets = value === '/dev/null' ? [] : resolveInclude(this.#files.source, value, bases);
      if (targets === undefined) {
        // A pattern may match nothing in 2.2, but the directory to search must be there.
        const missing = isPattern(value)
          ? 'the directory to search is not there'
          : 'no such file or directory';
        this.#problem(
          node.key === 'include' ? 'include-missing' : 'include-optional-missing',
          file,
          arg,
          `${value}: ${missing}`,
        );
        return;
      }
      for (const { path, direct } of targets) this.#target(node, file, arg, path, direct);
    } catch (error) {
      this.#failed(error, file, arg);
    }
  }

  #target(node: Directive, file: LoadedFile, arg: Argument, path: string, direct: boolean): void {
    let target: LoadedFile;
    try {
      target = this.#files.load(this.#files.real(path, direct), { path, by: file });
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

  #failed(error: unknown, file: LoadedFile, arg: Argument): void {
    if (!(error instanceof SourceError)) throw error;
    const code = error.code === 'ENOENT' ? 'include-missing' : 'include-unreadable';
    this.#problem(code, file, arg, `${this.#files.nameOf(error.path)}: ${error.message}`);
  }

  #refusal(): string {
    return this.#conditionals === 0 ? 'no httpd starts with it' : 'no httpd that reads it starts';
  }

  #problem(code: Problem['code'], file: LoadedFile, arg: Argument, message: string): void {
    const fatal = (code === 'include-cycle' || code === 'include-depth') && this.#conditionals === 0;
    this.problems.push({ code, file, at: arg.start, message, ...(fatal && { fatal }) });
  }
}

const PART =
  /\/(?:conf\.d|conf\.modules\.d|extra|(?:mods|sites|conf)-(?:available|enabled)|vhosts?(?:\.d)?|templates?)\/(?:.*\/)?[^/]+$|\/(?:httpd-)?(?:ssl|nss|ports|vhosts?)\.conf[^/]*$/;

/** Whether a file that a run begins with is one that others include, by its place or name. */
function isPart({ path }: LoadedFile): boolean {
  return PART.test(path) && !hasMainName(path);
}

/**
 * Puts in the values of `${NAME}` (2.2 server/util.c, 2.4 server/core.c: ap_resolve_env). A name without a value stays as it is,
 * and a value is not looked into again. There is no way to escape. A line that would grow too long stays as it is.
 */
export function expand(text: string, variables: ReadonlyMap<string, string>): string {
  if (!text.includes('${')) return text;
  let length = 0;
  const expanded = replaceVariables(text, (whole, name) => {
    const value = variables.get(name);
    length += value?.length ?? 0;
    return value === undefined || length > MAX_EXPANDED ? whole : value;
  });
  return length > MAX_EXPANDED ? text : expanded;
}

/** Bytes of values that are put into one line: variables that double each other could fill any memory. */
const MAX_EXPANDED = 64 * 1024;
