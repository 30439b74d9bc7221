import {
  type ConfigFile,
  type Frame,
  isConditional,
  isDebianLink,
  type Place,
  placeCondition,
} from '../../src/config';
import type { ResultContext, TransformContext, TreeIndex } from '../../src/engine';
import { findModule, type Linkage, successorOf, systemOf } from '../../src/httpd/modules';
import { findThirdParty } from '../../src/httpd/third-party';
import type { Comment, Directive, Section } from '../../src/syntax';
import { isOfServer } from '../common/lines';
import { isRunBy24 } from '../common/servers';

/** Modules that access lines move away from: `order-allow-deny` says what it assumes of them. */
export const RESTATED =
  /^(?:mod_(?:authz_host|authz_user|authz_groupfile|auth_basic|authn_file)\.c|(?:authz_host|authz_user|authz_groupfile|auth_basic|authn_file)_module)$/;

/** Directives that control access. */
export const ACCESS_DIRECTIVES = [
  'Order',
  'Allow',
  'Deny',
  'Satisfy',
  'Require',
  'AuthType',
  'AllowOverride',
];

/** A `LoadModule` line of the server configuration. Module names are identifiers without `_module`, in 2.4's spelling. */
export interface LoadLine {
  readonly name: string;
  /** The identifier of the module as the line writes it. */
  readonly identifier: string;
  readonly path: string;
  readonly node: Directive;
  readonly place: Place;
  /** The conditionals around it, except those that ask whether this module is loaded already. */
  readonly conditionals: readonly Frame[];
  /** Whether 2.4 reads it; undefined if the files do not tell. */
  readonly read: boolean | undefined;
}

/** A `LoadModule` line that is commented out, at the outermost level of a file that has others. */
export interface CommentedLoadLine {
  readonly name: string;
  readonly node: Comment;
  readonly file: ConfigFile;
}

const COMMENTED = /^#+[ \t]*LoadModule[ \t]+(\w+)_module[ \t]+\S+\.so"?[ \t]*$/i;

/** The LoadModule lines of a tree, in the order in which httpd reads them. */
export class LoadLines {
  readonly all: readonly LoadLine[];
  readonly commented: readonly CommentedLoadLine[];
  readonly #loaded: ReadonlySet<string>;
  /** So many of httpd's modules are loaded by lines that a module without a line is not there. */
  readonly #usesSharedModules: boolean;

  constructor(index: TreeIndex) {
    const seen = new Set<Directive>();
    const all: LoadLine[] = [];
    for (const { node, place } of index.directives(['LoadModule'])) {
      if (seen.has(node) || !isOfServer(place, index)) continue;
      seen.add(node);
      const [identifier, path] = node.args.map((arg) => arg.value);
      if (identifier === undefined || path === undefined || node.args.length > 2) continue;
      const conditionals = place.chain.filter(
        ({ section }) => isConditional(section) && !isLoadGuard(section.args[0]?.value, identifier),
      );
      const read = placeCondition(conditionals).on24;
      const name = plainName(successorOf(identifier) ?? identifier);
      all.push({ name, identifier, path, node, place, conditionals, read });
    }
    this.all = all;
    this.commented = commentedLines(all);
    const existing = all.filter(
      (line) => line.read !== false && findModule(`${line.name}_module`)?.versions !== '2.2',
    );
    this.#loaded = new Set(existing.map((line) => line.name));
    // A line that first asks whether its module is loaded does not tell whether modules are compiled in.
    const unguarded = all.filter(
      ({ place, conditionals }) =>
        conditionals.length === place.chain.filter(({ section }) => isConditional(section)).length,
    );
    this.#usesSharedModules =
      unguarded.filter(({ identifier }) => findModule(identifier) !== undefined).length >= MIN_SHARED_LINES;
  }

  /** True for a module that 2.4 surely or possibly loads. */
  loads(name: string): boolean {
    return this.#loaded.has(name);
  }

  /** Whether modules are separate files here, so that a module without a line is not there. */
  get usesSharedModules(): boolean {
    return this.#usesSharedModules;
  }
}

/** A server with fewer lines than this has its other modules compiled in. */
const MIN_SHARED_LINES = 4;

export function plainName(identifier: string): string {
  return identifier.replace(/_module$/, '');
}

/** `<IfModule !x_module>` around `LoadModule x_module`. */
function isLoadGuard(word: string | undefined, identifier: string): boolean {
  if (word?.startsWith('!') !== true) return false;
  return findModule(word.slice(1))?.identifier === identifier || word.slice(1) === identifier;
}

function commentedLines(lines: readonly LoadLine[]): CommentedLoadLine[] {
  const files = new Set(
    lines.flatMap(({ place, conditionals }) => (conditionals.length === 0 ? [place.file] : [])),
  );
  return [...files].flatMap((file) =>
    file.document.body.flatMap((node) => {
      if (node.kind !== 'comment') return [];
      const name = COMMENTED.exec(file.document.text.slice(node.from, node.to))?.[1];
      return name === undefined ? [] : [{ name, node, file }];
    }),
  );
}

export const MPMS = ['mpm_event', 'mpm_worker', 'mpm_prefork'] as const;

interface Mpm {
  readonly name: (typeof MPMS)[number];
  /** Why this MPM, as part of a message. */
  readonly reason: string;
  /** True if it is only chosen because it was the default of 2.2. */
  readonly isDefault?: boolean;
  /** True if a module that the server loads runs in no other. */
  readonly isNeeded?: boolean;
}

/** Directives that only some MPMs have. */
const EVIDENCE = {
  mpm_prefork: ['MaxSpareServers', 'MinSpareServers'],
  mpm_worker: ['ThreadsPerChild', 'ThreadLimit', 'MaxSpareThreads', 'MinSpareThreads'],
} as const;

/** PHP as a module is rarely built for threads. */
const PHP = /^php\d*$/;

const FOR_PHP: Mpm = { name: 'mpm_prefork', reason: 'PHP is loaded as a module', isNeeded: true };

/**
 * The MPM that the server is to load: 2.2 had one compiled in and did not name it.
 * @returns undefined if one is loaded, or compiled into the target
 */
export function mpmFor(
  context: Pick<ResultContext, 'index' | 'tree' | 'chosen'>,
  lines: LoadLines,
  target: ReadonlyMap<string, Linkage> | undefined,
): Mpm | undefined {
  const { index, tree } = context;
  if (lines.all.some(({ name, read }) => name.startsWith('mpm_') && read !== false)) return undefined;
  // Its own is compiled in.
  if (target === undefined && isRunBy24({ index, tree })) return undefined;
  for (const [name, linkage] of target ?? []) {
    const mpm = MPMS.find((candidate) => `${candidate}_module` === name);
    if (name.startsWith('mpm_') && linkage === 'static') return undefined;
    if (mpm !== undefined) return { name: mpm, reason: 'the target has it' };
  }
  const running = MPMS.find((name) => name === `mpm_${tree.mpm22}`);
  if (running !== undefined) return { name: running, reason: 'httpd -V of the old server names it' };
  const configuredMpm = /--with-mpm=["']?(worker|event|prefork)/.exec(tree.build?.document.text ?? '')?.[1];
  if (configuredMpm !== undefined)
    return { name: `mpm_${configuredMpm}` as Mpm['name'], reason: 'config.nice names it' };
  if (lines.all.some((line) => PHP.test(line.name) && staysModule(context, line))) return FOR_PHP;
  for (const name of ['mpm_worker', 'mpm_prefork'] as const)
    for (const { node, place } of index.directives(EVIDENCE[name]))
      if (place.root.role === 'server' && !place.chain.some(({ section }) => isConditional(section)))
        return { name, reason: `${node.name} is set outside of conditional blocks` };
  const guardedModules = new Set<string>();
  index.visitSections(['IfModule'], (node, { root }) => {
    if (root.role === 'server') guardedModules.add(node.args[0]?.value ?? '');
  });
  const requested = new Set([...guardedModules].map((word) => plainName(findModule(word)?.identifier ?? '')));
  for (const name of ['mpm_event', 'mpm_worker'] as const)
    if (requested.has(name) && !MPMS.some((other) => other !== name && requested.has(other)))
      return { name, reason: 'it is the only MPM with a block' };
  return { name: 'mpm_prefork', reason: "it was 2.2's default", isDefault: true };
}

/** The MPM in place of one with threads that a link of Debian's loads, where PHP is to be a module of the 2.4 that has both. */
export function mpmInPlace(
  context: Pick<TransformContext, 'chosen' | 'dual'>,
  { all }: LoadLines,
): Mpm | undefined {
  const isThreaded = all.some(
    ({ name, place }) => /^mpm_(?:event|worker)$/.test(name) && isDebianLink(place.file),
  );
  const isAsked = (line: LoadLine): boolean => isOfAnsweredPhp(context, line) && staysModule(context, line);
  return isThreaded && all.some((line) => PHP.test(line.name) && isAsked(line)) ? FOR_PHP : undefined;
}

/** A person has said how PHP runs on the new server. 2.2 goes on to need the line where the result is for both versions. */
export function isOfAnsweredPhp(
  { chosen, dual }: Pick<TransformContext, 'chosen' | 'dual'>,
  { identifier, place }: Pick<LoadLine, 'identifier' | 'place'>,
): boolean {
  return (
    dual !== true &&
    findThirdParty(plainName(identifier))?.key === 'php' &&
    chosen('php', place.file) !== undefined
  );
}

/** Whether PHP goes on to be a module of httpd, as far as anybody has said: PHP-FPM suits every MPM. */
function staysModule(
  { chosen }: Pick<TransformContext, 'chosen'>,
  { place }: Pick<LoadLine, 'place'>,
): boolean {
  const choice = chosen('php', place.file)?.choice ?? 'module';
  return choice.startsWith('module');
}

/** The LoadFile lines directly above a LoadModule line: libraries that its module needs. */
export function librariesAbove({ node, place }: Pick<LoadLine, 'node' | 'place'>): readonly Directive[] {
  const body = place.chain.at(-1)?.section.body ?? place.file.document.body;
  const found: Directive[] = [];
  for (let i = body.indexOf(node) - 1; i >= 0; i--) {
    const above = body[i]!;
    if (above.kind === 'section' || (above.kind === 'directive' && above.key !== 'loadfile')) break;
    if (above.kind === 'directive') found.unshift(above);
  }
  return found;
}

/** The line by which Debian's apache2.conf reads the modules that are enabled. */
export function debianInclude(
  index: TreeIndex,
): { readonly node: Directive; readonly place: Place } | undefined {
  return index
    .directives(['Include', 'IncludeOptional'])
    .find(({ node }) => /(?:^|\/)mods-enabled(?:\/|$)/.test(node.args[0]?.value ?? ''));
}

/** Directives of Windows alone (2.2 server/mpm/winnt; server/core.c). */
const OF_WINDOWS = ['Win32DisableAcceptEx', 'ScriptInterpreterSource'];

/** Directives whose arguments are paths of the server's own. */
const WITH_PATHS = [
  'ServerRoot',
  'DocumentRoot',
  'LoadModule',
  'LoadFile',
  'Include',
  'Alias',
  'ScriptAlias',
];

/** Whether the server runs on Unix. Other systems have one MPM, which is compiled in. */
export function isUnix(context: Pick<ResultContext, 'index'>): boolean {
  return (
    hasUnixPaths(context) &&
    !context.index.someDirective(OF_WINDOWS, (_, place) => isForAll(place, context.index))
  );
}

/**
 * Whether nothing but its directives says that the server runs on another system than Unix: paths that begin with a drive letter,
 * and modules that end in `.dll`.
 */
export function hasUnixPaths({ index }: Pick<ResultContext, 'index'>): boolean {
  return !index.someDirective(WITH_PATHS, ({ key, args }, place) => {
    if (!isForAll(place, index)) return false;
    if (key === 'loadmodule' && systemOf(plainName(args[0]?.value ?? '')) === 'Windows') return true;
    const isLoad = key.startsWith('load');
    return args.some(({ value }) => /^[A-Za-z]\w*:[\\/]/.test(value) || (isLoad && /\.dll$/i.test(value)));
  });
}

function isForAll(place: Place, index: TreeIndex): boolean {
  return isOfServer(place, index) && !place.chain.some(({ section }) => isForOtherSystem(section));
}

/** Whether a block asks for what only another system than Unix has. */
function isForOtherSystem({ key, args }: Section): boolean {
  const word = args[0]?.value ?? '';
  return key === 'ifmodule' && systemOf(plainName(findModule(word)?.identifier ?? '')) !== undefined;
}
