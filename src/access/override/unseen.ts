import type { ConfigTree } from '../../config';
import { serverDirectory } from '../collect';
import type { Scope } from '../policy';
import { PathList } from '../primitives';
import type { AllowOverrideIndex } from './allow-override';
import { allowsClass } from './in-force';

/**
 * A directory whose `.htaccess` files the server would read but the run has not seen: a password asked for in one would take the place of
 * what the rewrite says above it. Undefined where AllowOverride keeps such files silent, or where the directory was given.
 * @param served directories that DocumentRoot and Alias lead to
 */
export function unseenDirectory(
  scopes: readonly Scope[],
  served: readonly string[],
  overrides: AllowOverrideIndex,
  tree: ConfigTree,
): string | undefined {
  const placed = scopes.flatMap(({ kind, pattern }) =>
    kind === 'htaccess' && pattern.kind === 'path' ? [pattern.path] : [],
  );
  const given = new PathList([...tree.directories, ...tree.seen.map(serverDirectory), ...placed]);
  const named = new Set(
    scopes.flatMap(({ kind, pattern, apart }) =>
      kind === 'directory' && pattern.kind === 'path' && apart === undefined ? [pattern.path] : [],
    ),
  );
  const mayHold = (path: string): boolean => maySayAccess(path, overrides);
  return (
    [...named].find((path) => !given.covers(path) && !given.liesIn(path) && mayHold(path)) ??
    // What is served is to be seen as a whole.
    [...new Set(served)].find((path) => !given.covers(path) && mayHold(path)) ??
    tree.unvisited.find(
      ({ path, isForbidden }) => isForbidden !== true && mayHold(path) && !tree.seen.includes(path),
    )?.path
  );
}

/** Whether a `.htaccess` in a directory may say something about access. */
function maySayAccess(path: string, overrides: AllowOverrideIndex): boolean {
  return overrides.states(path).some(({ on22 }) => allowsClass(on22, 'A') || allowsClass(on22, 'L'));
}
