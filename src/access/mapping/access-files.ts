import type { Scope } from '../policy';
import { isWithin } from '../primitives';

/**
 * Finds the place of the `.htaccess` files among the server's directories. A configuration copied to another place names directories that
 * the files beside it do not stand in: where the ends of the paths agree, the files are taken to stand where the configuration says;
 * where nothing agrees they are `displaced`, and any section may govern them.
 * @param served absolute paths that the configuration names
 * @param given the directories given
 */
export function placeAccessFiles(
  scopes: readonly Scope[],
  served: readonly string[],
  given: readonly string[],
): void {
  const named = served.filter((path) => path !== '/');
  const files = scopes.filter((scope) => scope.kind === 'htaccess');
  if (named.length === 0 || files.length === 0) return;
  const roots = given.filter((root) => named.some((path) => isWithin(path, root)));
  const astray = files.filter(({ pattern }) => {
    if (pattern.kind !== 'path' || roots.some((root) => isWithin(pattern.path, root))) return false;
    return !named.some((path) => isWithin(pattern.path, path) || isWithin(path, pattern.path));
  });
  if (astray.length === 0) return;
  const move = bestMove(
    named,
    astray.map((scope) => (scope.pattern.kind === 'path' ? scope.pattern.path : '/')),
  );
  for (const scope of astray) {
    if (scope.pattern.kind !== 'path') continue;
    const { path } = scope.pattern;
    if (move !== undefined && isWithin(path, move.from)) {
      scope.pattern = {
        kind: 'path',
        path: (move.to === '/' ? '' : move.to) + (move.from === '/' ? path : path.slice(move.from.length)),
      };
      scope.movedFrom = path;
    } else scope.displaced = true;
  }
}

/** The replacement of a leading path that makes most of the file's directories agree with named ones; undefined where two do as well. */
function bestMove(
  named: readonly string[],
  astray: readonly string[],
): { from: string; to: string } | undefined {
  const votes = new Map<string, { from: string; to: string; count: number }>();
  for (const directory of new Set(astray.flatMap(ancestors).slice(0, 20_000))) {
    const own = directory.split('/');
    for (const path of new Set(named)) {
      const other = path.split('/');
      let shared = 0;
      while (
        shared < Math.min(own.length, other.length) - 1 &&
        own[own.length - 1 - shared] === other[other.length - 1 - shared]
      )
        shared++;
      if (shared === 0) continue;
      const from = own.slice(0, own.length - shared).join('/') || '/';
      const to = other.slice(0, other.length - shared).join('/') || '/';
      const vote = votes.get(`${from}\n${to}`) ?? { from, to, count: 0 };
      vote.count++;
      votes.set(`${from}\n${to}`, vote);
    }
  }
  const [first, second] = [...votes.values()].sort((a, b) => b.count - a.count);
  return first !== undefined && first.count > (second?.count ?? 0) ? first : undefined;
}

function ancestors(path: string): string[] {
  const parts = path.split('/');
  return parts.slice(1).map((_, i) => parts.slice(0, i + 2).join('/'));
}
