import type { Scope } from './scope';
import { addTo } from '../primitives';

type UnusedPart = Scope['unusedPart'];

/** Whether a section of a configuration stands in what a part of another has become, or is read by a server. */
export type IsIncluded = (scope: Scope, part: UnusedPart) => boolean;

/**
 * Holds what no server reads in a configuration against what it is in another reading of it: once the configuration is rewritten,
 * its sections are other objects, and may have others before them.
 * @param before, after the sections of both
 */
export function includedAfter(before: readonly Scope[], after: readonly Scope[]): IsIncluded {
  const pairs = new Map<UnusedPart, UnusedPart>();
  const found = partsByFile(after);
  for (const [path, all] of partsByFile(before)) {
    const others = found.get(path) ?? [];
    // Where one has come or gone, what they ask tells them apart.
    const isSameNumber = others.length === all.length;
    for (const [i, part] of all.entries())
      pairs.set(part, isSameNumber ? others[i] : likeIn(others, part, all.slice(0, i)));
  }
  return ({ unusedPart }, part) =>
    unusedPart === undefined || (part !== undefined && pairs.get(part) === unusedPart);
}

function likeIn(others: readonly UnusedPart[], part: UnusedPart, earlier: readonly UnusedPart[]): UnusedPart {
  const text = textOf(part);
  const isLike = (other: UnusedPart): boolean => textOf(other) === text;
  return others.filter(isLike)[earlier.filter(isLike).length];
}

function textOf(part: UnusedPart): string {
  return part !== undefined && 'open' in part ? part.open.rest : '';
}

/** By the file that it stands in, or is, in reading order. */
function partsByFile(scopes: readonly Scope[]): ReadonlyMap<string, readonly UnusedPart[]> {
  const seen = new Set<UnusedPart>();
  const found = new Map<string, UnusedPart[]>();
  for (const { unusedPart: part, place } of scopes) {
    if (part === undefined || seen.has(part)) continue;
    seen.add(part);
    const file = place.chain.find(({ section }) => section === part)?.file ?? place.root;
    addTo(found, file.path, part);
  }
  return found;
}
