import type { ConfigFile, ConfigTree } from '../config';
import { walk } from '../syntax';
import { type Governor, allows } from './governor';
import { setsState } from './lines';
import { isWithin } from './paths';
import type { Scope } from './scope';

/**
 * A directory whose `.htaccess` files the server would read but the run has not seen: a password asked for in one would take the place of
 * what the rewrite says above it. Undefined where AllowOverride keeps such files silent, or where the directory was given.
 */
export function unseenDirectory(
  scopes: readonly Scope[],
  governor: Governor,
  tree: ConfigTree,
): string | undefined {
  const placed = scopes.flatMap(({ kind, pattern }) =>
    kind === 'htaccess' && pattern.kind === 'path' ? [pattern.path] : [],
  );
  const given = [...tree.directories, ...placed];
  for (const { kind, pattern, place } of scopes) {
    if (kind !== 'directory' || pattern.kind !== 'path' || place.root.role === 'unreached') continue;
    const line = governor.at(pattern.path);
    if (!allows(line, 'authconfig') && !allows(line, 'limit')) continue;
    if (!given.some((one) => isWithin(pattern.path, one) || isWithin(one, pattern.path))) return pattern.path;
  }
  return undefined;
}

/** A `.htaccess` above the directories given that the server reads, and that says something about access. */
export function fileAbove(tree: ConfigTree, governor: Governor): ConfigFile | undefined {
  return tree.above.find(({ directories, document }) => {
    const read = directories.some((path) => {
      const line = governor.at(path);
      return allows(line, 'authconfig') || allows(line, 'limit');
    });
    if (!read) return false;
    for (const [node] of walk(document.body))
      if (node.kind === 'directive' && setsState(node.key)) return true;
    return false;
  });
}
