import { type ConfigTree, type Place, isDebianLink } from '../../config';
import { findModule } from '../../httpd/modules';
import type { Directive } from '../../syntax';
import { moduleIdentifier } from '../policy';
import { hasDrive } from '../primitives';

const COMPAT = 'access_compat_module';

const MODULES_OF_WINDOWS = new Set(['isapi_module', 'mpm_winnt_module', 'win32_module']);

/** The modules that LoadModule lines of the server name, and what these lines show of it. */
export class LoadedModules {
  /** In the order of their lines. */
  readonly names: string[] = [];
  /** Modules that are loaded by a line around which no conditional stands. */
  readonly surely = new Set<string>();
  /** A line shows that the server runs on Windows. */
  ofWindows: boolean;
  /** The first line that loads a module which no 2.4 has. */
  of22: Directive | undefined;
  /** Whether only links of Debian's load such modules. */
  areLinks = true;
  readonly #tree: ConfigTree;

  constructor(tree: ConfigTree) {
    this.#tree = tree;
    this.ofWindows = hasDrive(tree.serverRoot ?? '');
  }

  /** Adds a LoadModule line. @returns the module */
  add(node: Directive): string {
    const identifier = moduleIdentifier(node);
    this.names.push(identifier);
    this.ofWindows ||= namesLibraryOfWindows(node) || MODULES_OF_WINDOWS.has(identifier);
    return identifier;
  }

  /** Adds a line that a 2.4 reads, too, if it loads a module that none has. */
  addReadBy24(node: Directive, { file }: Place): void {
    if (findModule(moduleIdentifier(node))?.versions !== '2.2') return;
    this.of22 ??= node;
    this.areLinks &&= isDebianLink(file);
  }

  /** Adds LoadFile, or a directive of Windows alone. */
  addSystemLine(node: Directive): void {
    this.ofWindows ||= node.key !== 'loadfile' || namesLibraryOfWindows(node);
  }

  /** Whether mod_access_compat is surely loaded. */
  get hasCompat(): boolean {
    return this.surely.has(COMPAT);
  }

  /** Whether these are modules of a 2.4 without mod_access_compat, or what is known of the target says so. */
  get lacksCompat(): boolean {
    const { targetModules } = this.#tree;
    if (targetModules !== undefined) return !targetModules.has(COMPAT);
    return this.names.some((name) => findModule(name)?.versions === '2.4') && !this.names.includes(COMPAT);
  }
}

/** Whether LoadFile or LoadModule names a library as Windows has them. */
function namesLibraryOfWindows({ args }: Directive): boolean {
  return args.some(({ value }) => /\.dll$/i.test(value));
}
