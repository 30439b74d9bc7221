import type { ConfigTree } from '../../config';
import { serverDirectory } from '../collect';
import type { Scope } from '../policy';
import { PathList, memo, parentOf, shownPath } from '../primitives';
import { type AllowOverrideIndex, statesByTerms } from './allow-override';
import { allowsClass } from './in-force';

/**
 * The directories whose `.htaccess` files the server would read but the run has not seen, as messages show them: a password
 * asked for in one would take the place of what the rewrite says above it. Undefined where AllowOverride keeps such files silent
 * everywhere, or all were seen.
 * @param served directories that DocumentRoot and Alias lead to
 */
export function unseenDirectories(
  scopes: readonly Scope[],
  served: readonly string[],
  overrides: AllowOverrideIndex,
  tree: ConfigTree,
): readonly string[] | undefined {
  const placed = scopes.flatMap(({ kind, pattern }) =>
    kind === 'htaccess' && pattern.kind === 'path' ? [pattern.path] : [],
  );
  const given = new PathList([...tree.directories, ...tree.seen.map(serverDirectory), ...placed]);
  const named = new Set(
    scopes.flatMap(({ kind, pattern, unusedPart }) =>
      kind === 'directory' && pattern.kind === 'path' && unusedPart === undefined ? [pattern.path] : [],
    ),
  );
  const unvisited = tree.unvisited.flatMap(({ path, within, isForbidden }) =>
    isForbidden !== true && !tree.seen.includes(path) ? [within ?? path] : [],
  );
  const unseen = [
    ...[...named].filter((path) => !given.covers(path) && !given.liesIn(path)),
    // What is served is to be seen as a whole.
    ...served.filter((path) => !given.covers(path)),
    ...unvisited,
    ...tree.unread.flatMap(({ role, directories }) =>
      role === 'htaccess' ? directories.map(serverDirectory) : [],
    ),
  ].filter(maySayAccess(overrides));
  const all = new PathList(unseen);
  const tops = [...new Set(unseen)].filter((path) => path === '/' || !all.covers(parentOf(path)));
  return tops.length === 0 ? undefined : tops.map(shownPath);
}

/**
 * The unseen directories that nobody has given, as {@link unseenDirectories} has them: what is there and could not be read is
 * told at its place, and whoever may write there must not make what is written elsewhere rest on it.
 * @param unseen what {@link unseenDirectories} says, which most often is the same
 */
export function notGivenDirectories(
  unseen: readonly string[],
  scopes: readonly Scope[],
  served: readonly string[],
  overrides: AllowOverrideIndex,
  tree: ConfigTree,
): readonly string[] | undefined {
  const unvisited = tree.unvisited.filter(({ within }) => within === undefined);
  if (unvisited.length === tree.unvisited.length && tree.unread.length === 0) return unseen;
  return unseenDirectories(scopes, served, overrides, { ...tree, unvisited, unread: [] });
}

/** Whether a `.htaccess` in a directory may say something about access: the same directories are asked about more than once. */
const maySayAccess = memo((overrides: AllowOverrideIndex) =>
  memo((path: string): boolean => {
    const states = statesByTerms(overrides.states(path)).on22;
    return states.some(({ on22 }) => allowsClass(on22, 'A') || allowsClass(on22, 'L'));
  }, new Map()),
);
