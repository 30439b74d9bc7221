import type { Scope } from './scope';
import { addTo } from '../primitives';

type Apart = Scope['apart'];

/**
 * What no server reads in a configuration, by what it is in another reading of it: once the configuration is rewritten, its
 * sections are other objects, and may have others before them.
 */
export class ApartPairs {
  readonly #pairs = new Map<Apart, Apart>();

  /** @param before, after the sections of both */
  constructor(before: readonly Scope[], after: readonly Scope[]) {
    const found = apartByFile(after);
    for (const [path, all] of apartByFile(before)) {
      const others = found.get(path) ?? [];
      // Where one has come or gone, what they ask tells them apart.
      const isSameNumber = others.length === all.length;
      for (const [i, apart] of all.entries())
        this.#pairs.set(apart, isSameNumber ? others[i] : likeIn(others, apart, all.slice(0, i)));
    }
  }

  /** Whether a section of the second stands in what a part of the first has become, or is read by a server. */
  isIncluded(scope: Scope, apart: Apart): boolean {
    return scope.apart === undefined || (apart !== undefined && this.#pairs.get(apart) === scope.apart);
  }
}

function likeIn(others: readonly Apart[], apart: Apart, earlier: readonly Apart[]): Apart {
  const text = textOf(apart);
  const isLike = (other: Apart): boolean => textOf(other) === text;
  return others.filter(isLike)[earlier.filter(isLike).length];
}

function textOf(apart: Apart): string {
  return apart !== undefined && 'open' in apart ? apart.open.rest : '';
}

/** By the file that it stands in, or is, in reading order. */
function apartByFile(scopes: readonly Scope[]): ReadonlyMap<string, readonly Apart[]> {
  const seen = new Set<Apart>();
  const found = new Map<string, Apart[]>();
  for (const { apart, place } of scopes) {
    if (apart === undefined || seen.has(apart)) continue;
    seen.add(apart);
    const file = place.chain.find(({ section }) => section === apart)?.file ?? place.root;
    addTo(found, file.path, apart);
  }
  return found;
}
