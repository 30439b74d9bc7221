import { ALL_URLS, type UrlSet, smallStart, urlsMatching, urlsMeet } from '../mapping';
import { type Scope, regexOf } from '../policy';
import { EMPTY_LIST, addTo, memo } from '../primitives';
import { firstWhere } from '../../syntax';

/** The URLs that a Location is for. */
export const urlsOf = memo((scope: Scope): readonly UrlSet[] => {
  // `<Location />` is for those of a forward proxy, too.
  if (scope.pattern.kind === 'path') return [scope.pattern.path === '/' ? ALL_URLS : scope.pattern];
  const regex = regexOf(scope);
  return regex === undefined ? [ALL_URLS] : urlsMatching(regex);
});

/** Whether one URL can lie in two Locations. */
export function mayMeetLocation(a: Scope, b: Scope): boolean {
  return urlsOf(a).some((urlsA) => urlsOf(b).some((urlsB) => urlsMeet(urlsA, urlsB)));
}

/** The Locations that the requests of one server can meet, filed by what their URLs begin with: there may be ten thousand. */
export class LocationsByUrl {
  readonly #positions: ReadonlyMap<Scope, number>;
  readonly #byStart = new Map<string, Scope[]>();
  readonly #starts: readonly string[];

  /** @param all in merge order */
  constructor(all: readonly Scope[]) {
    this.#positions = new Map(all.map((scope, i) => [scope, i]));
    for (const scope of all) for (const start of startsOf(scope)) addTo(this.#byStart, start, scope);
    this.#starts = [...this.#byStart.keys()].sort();
  }

  /** The Location sections that are merged before one and that the same request can meet, in merge order. */
  before(scope: Scope): readonly Scope[] {
    const at = this.#positions.get(scope) ?? Infinity;
    const found = new Set<Scope>();
    for (const start of startsOf(scope))
      for (const meeting of this.#startsMeeting(start))
        for (const other of this.#byStart.get(meeting) ?? EMPTY_LIST) {
          if (this.#positions.get(other)! >= at) break;
          if (mayMeetLocation(other, scope)) found.add(other);
        }
    return [...found].sort((a, b) => this.#positions.get(a)! - this.#positions.get(b)!);
  }

  /** What one start begins with, and what begins with it. */
  *#startsMeeting(start: string): Iterable<string> {
    for (let end = 0; end < start.length; end++) yield start.slice(0, end);
    for (let i = firstWhere(this.#starts, (listed) => listed >= start); i < this.#starts.length; i++) {
      const listed = this.#starts[i]!;
      if (!listed.startsWith(start)) break;
      yield listed;
    }
  }
}

/** What the URLs of a Location begin with, each once: in small letters, so that it says which may meet, and not which do. */
function startsOf(scope: Scope): ReadonlySet<string> {
  return new Set(urlsOf(scope).map(smallStart));
}
