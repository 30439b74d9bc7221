import { isPlainGlob, isWithin, depthOf, unifies } from './paths';
import type { Scope } from './scope';

/**
 * What the server config of the run lets a `.htaccess` say (AllowOverride, access-semantics C): the override classes in lower case, or
 * undefined where no AllowOverride of the run covers the directory.
 */
export function overridesAt(path: string, scopes: readonly Scope[]): readonly string[] | undefined {
  let best: Scope | undefined;
  // One whose place is not known may be the one that counts.
  if (scopes.some((scope) => scope.allowOverride !== undefined && !isPlaced(scope))) return undefined;
  let bestDepth = -1;
  for (const scope of scopes) {
    if (scope.kind !== 'directory' || scope.allowOverride === undefined) continue;
    const { pattern } = scope;
    const literal = pattern.kind === 'path' && isWithin(path, pattern.path);
    const glob = pattern.kind === 'glob' && isPlainGlob(pattern.glob) && unifies(path, pattern.glob);
    const depth =
      pattern.kind === 'path' ? depthOf(pattern.path) : pattern.kind === 'glob' ? depthOf(pattern.glob) : -1;
    if ((literal || (glob && depth <= depthOf(path))) && depth >= bestDepth) {
      best = scope;
      bestDepth = depth;
    }
  }
  return best?.allowOverride;
}

function isPlaced({ kind, pattern }: Scope): boolean {
  return (
    kind === 'directory' &&
    (pattern.kind === 'path' || (pattern.kind === 'glob' && isPlainGlob(pattern.glob)))
  );
}

/** True if the file is not even read. */
function overridesNone(overrides: readonly string[] | undefined): boolean {
  return overrides !== undefined && overrides.length === 1 && overrides[0] === 'none';
}

/** True if the directives of the class (`limit`, `authconfig`) may stand in the file. */
export function overrideAllows(overrides: readonly string[] | undefined, wanted: string): boolean {
  return overrides === undefined || overrides.includes('all') || overrides.includes(wanted);
}

/** A `.htaccess` that AllowOverride None keeps httpd from reading plays no part in the others' decisions. */
export function splitUnread(scopes: readonly Scope[]): { live: Scope[]; unread: Scope[] } {
  const governed = scopes.some((scope) => scope.allowOverride !== undefined);
  const live: Scope[] = [];
  const unread: Scope[] = [];
  for (const scope of scopes) {
    const home = scope.parent ?? scope;
    const dead =
      governed &&
      home.kind === 'htaccess' &&
      !home.displaced &&
      home.pattern.kind === 'path' &&
      overridesNone(overridesAt(home.pattern.path, scopes));
    (dead ? unread : live).push(scope);
  }
  return { live, unread };
}
