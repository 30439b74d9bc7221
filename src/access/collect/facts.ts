import { type ConfigFile, type ConfigTree, isComplete, visitTree } from '../../config';
import { findDirective } from '../../httpd/directives';
import { holds } from '../../httpd/facts';
import { MOST_REGISTERED, isRegistered } from '../../httpd/methods';
import { findModule } from '../../httpd/modules';
import { NEWEST } from '../../httpd/release';
import {
  type Authorizer,
  type Facts,
  type Scope,
  authorizerOf,
  authorizerOrder,
  authorizersOf,
  loadsStockModule,
  requireNodes,
} from '../policy';
import { ALL_METHODS, type MethodMask, OTHER_METHODS, getOrInsert, lazy } from '../primitives';
import { type Collected, collect } from './collect';

/** Modules of others that are often loaded and have no say in who gets in. */
const MODULES_WITHOUT_ACCESS = new Set(
  (
    'php4 php5 php7 jk passenger rails fastcgi fcgid suphp ruid2 mpm_itk security2 evasive20 rpaf extract_forwarded cloudflare remoteip ' +
    'geoip pagespeed xsendfile bw bandwidth cband qos limitipconn spamhaus dosevasive20 gzip layout macro chroot upload_progress ' +
    'h264_streaming flvx throttle transform tidy dav_svn dontdothat'
  ).split(' '),
);

/**
 * Whether the modules of the run are httpd's own alone, and others that neither answer `Require` nor ask for passwords in ways of
 * their own: as its LoadModule lines say (there must be some, else the modules are not of this run), and every directive it uses.
 * @param loadModules identifiers, as `authz_user_module`
 */
function hasOnlyKnownModules(tree: ConfigTree, loadModules: readonly string[]): boolean {
  const known = loadModules.every(
    (identifier) => findModule(identifier) !== undefined || hasNoAccessPart(identifier),
  );
  if (loadModules.length === 0 || !known) return false;
  // With such a module loaded, a directive that is nobody's may be its.
  if (loadModules.some(hasNoAccessPart)) return true;
  let ours = true;
  visitTree(tree, (node) => {
    if (node.kind === 'directive' && findDirective(node.key) === undefined) ours = false;
  });
  return ours;
}

function hasNoAccessPart(identifier: string): boolean {
  return MODULES_WITHOUT_ACCESS.has(identifier.replace(/_module$/, ''));
}

/** What holds for every section of the run: the methods that any Limit names, and how 2.2 asks its modules. */
export function factsOf(collected: Collected, tree: ConfigTree): Facts {
  const { loadModules } = collected;
  const isSealed = lazy(() => isComplete(tree) && hasOnlyKnownModules(tree, loadModules));
  const several = lazy(() => hasSeveral(collected.scopes));
  return {
    get onlyKnownModules() {
      return isSealed();
    },
    classes: [...methodsNamed(collected.scopes), OTHER_METHODS],
    reading: collected.reading,
    escapes: holds('require-expression', tree.target ?? NEWEST),
    modules: {
      order: authorizerOrder(loadModules),
      complete: isComplete(tree),
      loaded: authorizersOf(loadModules),
      get all() {
        return loadsStockModule(loadModules) && isSealed();
      },
      get several() {
        return several();
      },
    },
    drives: collected.ofWindows,
    strictRequire: collected.ssl.strict === true,
    hostsFirst: collected.ssl.areHostsFirst(collected.reading, isComplete(tree)),
    unplaced:
      collected.servedPaths.every((path) => path === '/') &&
      collected.scopes.some(({ kind }) => kind === 'htaccess') &&
      // Who gives the server's own lines with the directories gives them where they are.
      tree.roots.every(({ role }) => role !== 'server'),
  };
}

/**
 * The methods that a Limit of the run names. Of those that 2.4 does not know, and answers 500 to in a `.htaccess`, no more than
 * httpd has room for: of the files that name the fewest, so that nobody's take the room of others, nor all of the memory.
 */
function methodsNamed(scopes: readonly Scope[]): ReadonlySet<string> {
  const named = new Set<string>();
  const unknown = new Map<ConfigFile, Set<string>>();
  for (const scope of scopes) {
    const isRefused = scope.problems.some(({ problem }) => problem.kind === 'unregistered-method');
    const { root } = scope.place;
    addNamedIn(scope, isRefused ? getOrInsert(unknown, root, () => new Set()) : named);
  }
  let room = MOST_REGISTERED;
  for (const names of [...unknown.values()].sort((a, b) => a.size - b.size)) {
    const further = [...names].filter((name) => !named.has(name));
    room -= further.filter((name) => !isRegistered(name)).length;
    for (const name of further) if (room >= 0 || isRegistered(name)) named.add(name);
  }
  return named;
}

function addNamedIn({ policy: { hosts, requires, satisfy, authz } }: Scope, named: Set<string>): void {
  if (hosts !== undefined) {
    addNames(named, hosts.orders);
    addNames(named, hosts.lines);
  }
  if (requires !== undefined) addNames(named, requires);
  addNames(named, satisfy);
  if (authz === undefined) return;
  for (const { masks } of requireNodes(authz.tree))
    for (const { names } of masks) for (const name of names) named.add(name);
}

/** Whether the Require lines of some sections are for more than one module. */
function hasSeveral(scopes: readonly Scope[]): boolean {
  let first: Authorizer | undefined;
  for (const { policy } of scopes)
    for (const { keyword } of policy.requires ?? []) {
      const module = authorizerOf(keyword);
      if (module !== undefined && module !== (first ??= module)) return true;
    }
  return false;
}

function addNames(named: Set<string>, lines: readonly { readonly mask: MethodMask }[]): void {
  for (let i = 0; i < lines.length; i++) {
    const { mask } = lines[i]!;
    if (mask !== ALL_METHODS) for (const name of mask.names) named.add(name);
  }
}

/**
 * Whether mod_authn_default had the last word in 2.2 about a user whom no provider knows: the 401 that 2.4 makes a 500 (2.4
 * mod_authn_core.c: authenticate_no_user). Undefined where the run does not show all modules, or another one may take such users.
 */
export function hadAuthnDefault(tree: ConfigTree): boolean | undefined {
  const { loadModules } = collect(tree);
  if (!isComplete(tree) || !hasOnlyKnownModules(tree, loadModules)) return undefined;
  return loadModules.includes('authn_default_module');
}
