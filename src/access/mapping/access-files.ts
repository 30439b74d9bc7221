import { basename } from '../../config';
import { EMPTY_LIST, PathList, globCovers, isGlob, isWithin, normalisePath, groupBy } from '../primitives';

/**
 * Finds the place of the `.htaccess` files among the server's directories. A configuration copied to another place names
 * directories that the files beside it do not stand in: where the ends of the paths agree, the files are taken to stand where the
 * configuration says; where nothing agrees no place is known, and any section may apply to them.
 * @param foundIn the directories where the files were found
 * @param served absolute paths that the configuration names, and patterns of them
 * @param given the directories given
 * @returns the places of those that are not where they were found, by the directories where they were
 */
export function placeAccessFiles(
  foundIn: readonly string[],
  served: readonly string[],
  given: readonly string[],
): ReadonlyMap<string, AccessFilePlace> {
  const places = new Map<string, AccessFilePlace>();
  const named = new PathList(served.filter((path) => path !== '/' && !isGlob(path)));
  const patterns = [...new Set(served.filter(isGlob))];
  if (served.every((path) => path === '/') || foundIn.length === 0) return places;
  const roots = new PathList(given.filter((root) => named.liesIn(root)));
  const unmatched = foundIn
    .map(normalisePath)
    .filter(
      (directory) =>
        !roots.covers(directory) &&
        !named.covers(directory) &&
        !named.liesIn(directory) &&
        !patterns.some((pattern) => globCovers(pattern, directory)),
    );
  if (unmatched.length === 0) return places;
  const move = bestMove(named.all, unmatched);
  for (const directory of unmatched)
    if (move !== undefined && isWithin(directory, move.from)) {
      const rest = move.from === '/' ? directory : directory.slice(move.from.length);
      places.set(directory, { path: (move.to === '/' ? '' : move.to) + rest, movedFrom: directory });
    } else places.set(directory, { path: undefined, movedFrom: undefined });
  return places;
}

/** Where a `.htaccess` stands that does not stand where it was found: there, or anywhere, if `path` is undefined. */
export interface AccessFilePlace {
  readonly path: string | undefined;
  readonly movedFrom: string | undefined;
}

/** What put for a leading path makes most of the file's directories agree with named ones; undefined where two do. */
function bestMove(
  named: readonly string[],
  unmatched: readonly string[],
): { from: string; to: string } | undefined {
  const votes = new Map<string, { from: string; to: string; count: number }>();
  const namedByLastPart = groupBy(named, basename);
  for (const directory of new Set(unmatched.flatMap(ancestors).slice(0, 20_000))) {
    const parts = directory.split('/');
    for (const path of namedByLastPart.get(basename(directory)) ?? EMPTY_LIST) {
      const namedParts = path.split('/');
      let shared = 0;
      while (
        shared < Math.min(parts.length, namedParts.length) - 1 &&
        parts[parts.length - 1 - shared] === namedParts[namedParts.length - 1 - shared]
      )
        shared++;
      const from = parts.slice(0, parts.length - shared).join('/') || '/';
      const to = namedParts.slice(0, namedParts.length - shared).join('/') || '/';
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
