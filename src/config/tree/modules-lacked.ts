import { findModule } from '../../httpd/modules';
import type { Section } from '../../syntax';
import {
  type ConfigFile,
  type ConfigTree,
  type Frame,
  type Problem,
  hidesFromServer,
  isComplete,
} from '../types';
import { isConditional, placeCondition } from './conditions';
import { problemsByLine } from './problem-lines';
import { visitTree } from './walk';

/** Modules of httpd that packages often have built in, the MPMs aside. */
const OFTEN_BUILT_IN = new Set([
  'core_module', 'http_module', 'so_module', 'log_config_module', 'logio_module', 'version_module', 'unixd_module', 'watchdog_module',
  'win32_module',
]); // prettier-ignore

/** Modules that packages often have built in, and that a server may as well go without. */
const EITHER_WAY = new Set(['log_config_module', 'logio_module', 'version_module']);

/** Modules that a 2.2 has built in unless it is configured to load them (2.2 modules/**.m4: the default of their build). */
const BUILT_IN_BY_DEFAULT = new Set([
  'authz_host_module', 'authz_user_module', 'auth_basic_module', 'authn_file_module', 'alias_module', 'dir_module', 'mime_module',
  'negotiation_module', 'setenvif_module', 'env_module', 'autoindex_module', 'status_module',
]); // prettier-ignore

/** A server that loads so many of these has its modules as files, and what no line loads is not there. */
const MIN_LOADED = 4;

const COMPAT = 'access_compat_module';

const known = new WeakMap<ConfigTree, ReadonlySet<string> | null>();

/** Whether httpd takes a LoadModule line in a file: to one in a `.htaccess` it answers 500. */
function isOfServer({ role }: ConfigFile): boolean {
  return role !== 'unreached' && role !== 'htaccess';
}

/** The identifiers of all LoadModule lines; null where the run does not show which modules a server had. */
function modulesLoaded(tree: ConfigTree): ReadonlySet<string> | null {
  let loaded = known.get(tree);
  if (loaded === undefined) known.set(tree, (loaded = readLoaded(tree)));
  return loaded;
}

function readLoaded(tree: ConfigTree): ReadonlySet<string> | null {
  return isComplete(tree) ? loadedBy(tree) : null;
}

/** By the lines that are here; null where these are too few to be all. */
function loadedBy(tree: ConfigTree): ReadonlySet<string> | null {
  const loaded = new Set<string>();
  const surely = new Set<string>();
  visitTree(tree, (node, { chain, root }) => {
    if (node.kind !== 'directive' || node.key !== 'loadmodule' || !isOfServer(root)) return;
    const identifier = node.args[0]?.value ?? '';
    loaded.add(identifier);
    if (!chain.some(({ section }) => isConditional(section))) surely.add(identifier);
  });
  const ofDefault = [...BUILT_IN_BY_DEFAULT].filter((identifier) => surely.has(identifier));
  return ofDefault.length < MIN_LOADED ? null : loaded;
}

/**
 * The module that an `<IfModule>` asks for, with or without `!`, where the whole server is given and no LoadModule line loads it:
 * 2.2 did not have it. Undefined for other sections, and where the run does not tell.
 */
export function moduleLacked(tree: ConfigTree, section: Section): string | undefined {
  const identifier = moduleOfBoth(section);
  return identifier !== undefined && isModuleLacked(tree, identifier) ? identifier : undefined;
}

/**
 * The module that an `<IfModule>` asks for, where 2.2 may have had it built in and nothing shows that it did: a server that has
 * LoadModule lines, but none for it, may as well have gone without.
 */
export function moduleTakenForBuiltIn(tree: ConfigTree, section: Section): string | undefined {
  const identifier = moduleOfBoth(section);
  if (identifier === undefined || !isBuiltInOrNot(identifier) || !tree.isServer || !isComplete(tree))
    return undefined;
  if (tree.compiled22?.includes(`mod_${identifier.replace(/_module$/, '')}.c`) === true) return undefined;
  const loaded = versionsLoading(tree);
  return loaded.size === 0 || loaded.has(identifier) ? undefined : identifier;
}

/**
 * Whether nothing is missing here that a 2.2 read: each Include without a file stands in a block that it did not read, for a
 * version, a module that no line loads, or a name that the system does not start it with.
 */
export function isCompleteFor22(tree: ConfigTree): boolean {
  if (isComplete(tree)) return true;
  if (!tree.isServer) return false;
  const lacking = tree.problems.filter(hidesFromServer);
  const loaded = loadedBy(tree);
  const lackingAt = problemsByLine(lacking);
  const unread = new Map<Problem, boolean>();
  visitTree(tree, (node, { file, chain }) => {
    if (node.kind !== 'directive' || !node.key.startsWith('include')) return;
    for (const problem of lackingAt(node, file))
      unread.set(problem, unread.get(problem) !== false && isUnreadBy22(chain, tree, loaded));
  });
  return lacking.every((problem) => unread.get(problem) === true);
}

function isUnreadBy22(
  chain: readonly Frame[],
  { defines, startNames }: ConfigTree,
  loaded: ReadonlySet<string> | null,
): boolean {
  if (placeCondition(chain, defines).on22 === false) return true;
  return chain.some(({ section }) => {
    const word = section.args[0]?.value ?? '';
    if (word.startsWith('!')) return false;
    if (section.key === 'ifdefine') return startNames !== undefined && !defines.has(word);
    const identifier = moduleOfBoth(section);
    return identifier !== undefined && !isOftenBuiltIn(identifier) && loaded?.has(identifier) === false;
  });
}

/** The module that both versions have and an `<IfModule>` asks for, with or without `!`; undefined for any other section. */
function moduleOfBoth(section: Section): string | undefined {
  if (section.key !== 'ifmodule') return undefined;
  const word = section.args[0]?.value ?? '';
  // 2.2 takes one bare word.
  if (section.open.rest !== word) return undefined;
  const module = findModule(word.replace(/^!/, ''));
  // One that only 2.4 has is asked for by version, and there are other ways to know about those that only 2.2 has.
  if (module === undefined || module.versions === '2.4' || module.versions === '2.2') return undefined;
  return module.identifier;
}

interface LoadedBy {
  on22: boolean;
  on24: boolean;
}

const versionsKnown = new WeakMap<ConfigTree, ReadonlyMap<string, LoadedBy>>();

/** Which versions may read a LoadModule line, for each module that has one. */
function versionsLoading(tree: ConfigTree): ReadonlyMap<string, LoadedBy> {
  const already = versionsKnown.get(tree);
  if (already !== undefined) return already;
  const versions = new Map<string, LoadedBy>();
  visitTree(tree, (node, { chain, root }) => {
    if (node.kind !== 'directive' || node.key !== 'loadmodule' || !isOfServer(root)) return;
    const identifier = node.args[0]?.value ?? '';
    const { on22, on24 } = placeCondition(chain, tree.defines);
    const before = versions.get(identifier);
    versions.set(identifier, {
      on22: before?.on22 === true || on22 !== false,
      on24: before?.on24 === true || on24 !== false,
    });
  });
  versionsKnown.set(tree, versions);
  return versions;
}

/**
 * Whether an `<IfModule>`, with or without `!`, asks for a module that the LoadModule lines load for one version alone: the other
 * then does not read the block as this does, though both versions have the module.
 */
export function asksForOneVersion(tree: ConfigTree, section: Section): boolean {
  const identifier = moduleOfBoth(section);
  const loaded = identifier === undefined ? undefined : versionsLoading(tree).get(identifier);
  return loaded !== undefined && loaded.on22 !== loaded.on24;
}

/**
 * Whether the 2.4 that a configuration is for may have mod_access_compat, which packages load by default: unless the modules of
 * the target are given and it is not among them, or the LoadModule lines show that it is not loaded.
 */
export function mayHaveCompat(tree: ConfigTree): boolean {
  const { targetModules } = tree;
  return targetModules === undefined
    ? !isModuleLacked(tree, COMPAT)
    : targetModules.has(COMPAT) || versionsLoading(tree).get(COMPAT)?.on24 === true;
}

/** Whether the 2.4 that a configuration is for surely has mod_access_compat, by a LoadModule line or the list of its modules. */
export function surelyHasCompat(tree: ConfigTree): boolean {
  const { targetModules } = tree;
  return targetModules === undefined
    ? versionsLoading(tree).get(COMPAT)?.on24 === true
    : targetModules.has(COMPAT);
}

/** Whether a server surely had no such module: the whole of it is given, it loads its modules by lines, and none loads this. */
export function isModuleLacked(tree: ConfigTree, identifier: string): boolean {
  return !isOftenBuiltIn(identifier) && modulesLoaded(tree)?.has(identifier) === false;
}

function isOftenBuiltIn(identifier: string): boolean {
  return OFTEN_BUILT_IN.has(identifier) || identifier.startsWith('mpm_');
}

/** Whether a server may have such a module built in, though its others have LoadModule lines, or may go without it. */
export function isBuiltInOrNot(identifier: string): boolean {
  return EITHER_WAY.has(identifier);
}
