import type { ConfigTree } from '../../config';
import {
  type Authorizer,
  type Facts,
  type Scope,
  authorizerOf,
  authorizerOrder,
  authorizersOf,
  loadsStock,
  requireNodes,
} from '../policy';
import { ALL_METHODS, type MethodMask, OTHER_METHODS } from '../primitives';
import type { Collected } from './collected';
import { isOurs } from './strangers';

/** What holds for every section of the run: the methods that any Limit names, and how 2.2 asks its modules. */
export function factsOf(collected: Collected, tree: ConfigTree): Facts {
  const named = new Set<string>();
  for (const { own } of collected.scopes) {
    if (own.hosts !== undefined) {
      addNames(named, own.hosts.orders);
      addNames(named, own.hosts.lines);
    }
    if (own.requires !== undefined) addNames(named, own.requires);
    addNames(named, own.satisfy);
    if (own.authz !== undefined)
      for (const { masks } of requireNodes(own.authz.tree))
        for (const mask of masks) for (const name of mask.names) named.add(name);
  }
  const { loadModules } = collected;
  let [known, several]: (boolean | undefined)[] = [];
  // Seldom asked for.
  const isSealed = (): boolean => (known ??= isComplete(tree) && isOurs(tree, loadModules));
  return {
    get sealed() {
      return isSealed();
    },
    classes: [...named, OTHER_METHODS],
    reading: collected.reading,
    modules: {
      order: authorizerOrder(loadModules),
      complete: isComplete(tree),
      loaded: authorizersOf(loadModules),
      get all() {
        return loadsStock(loadModules) && isSealed();
      },
      get several() {
        return (several ??= hasSeveral(collected.scopes));
      },
    },
    unplaced:
      collected.servedPaths.every((path) => path === '/') &&
      collected.scopes.some(({ kind }) => kind === 'htaccess') &&
      // Who gives the server's own lines with the directories gives them where they are.
      tree.roots.every(({ role }) => role !== 'server'),
  };
}

/** Whether the Require lines of some sections are for more than one module. */
function hasSeveral(scopes: readonly Scope[]): boolean {
  let first: Authorizer | undefined;
  for (const { own } of scopes)
    for (const { keyword } of own.requires ?? []) {
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

/** Whether the run has seen all that the server reads. */
export function isComplete(tree: ConfigTree): boolean {
  return tree.isServer && !tree.problems.some((problem) => problem.code.startsWith('include'));
}
