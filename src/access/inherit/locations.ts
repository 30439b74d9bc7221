import { ALL_URLS, type UrlSet, urlsMatching, urlsMeet } from '../mapping';
import { type Scope, regexOf } from '../policy';
import { EMPTY_LIST, memo } from '../primitives';
import { firstWhere } from '../../syntax';

/** The URLs that a Location can be for. */
export const urlsOf = memo((scope: Scope): readonly UrlSet[] => readUrls(scope));

function readUrls(scope: Scope): readonly UrlSet[] {
  // `<Location />` is for those of a forward proxy, too.
  if (scope.pattern.kind === 'path') return [scope.pattern.path === '/' ? ALL_URLS : scope.pattern];
  const regex = regexOf(scope);
  return regex === undefined ? [ALL_URLS] : urlsMatching(regex);
}

/** Whether one URL can lie in two Locations. */
function mayMeetLocation(a: Scope, b: Scope): boolean {
  return urlsOf(a).some((urlsA) => urlsOf(b).some((urlsB) => urlsMeet(urlsA, urlsB)));
}

/** The Locations that the requests of one server can meet, filed by the URLs they are for: there may be ten thousand. */
export class LocationsByUrl {
  readonly #positions: ReadonlyMap<Scope, number>;
  readonly #byPath = new Map<string, Scope[]>();
  readonly #paths: readonly string[];
  /** Location sections that are for more than one path and what lies below it. */
  readonly #others: Scope[] = [];

  /** @param all in merge order */
  constructor(private readonly all: readonly Scope[]) {
    this.#positions = new Map(all.map((scope, i) => [scope, i]));
    for (const scope of all) {
      const path = pathOf(scope);
      const list = path === undefined ? this.#others : this.#byPath.get(path);
      if (list !== undefined) list.push(scope);
      else this.#byPath.set(path!, [scope]);
    }
    this.#paths = [...this.#byPath.keys()].sort();
  }

  /** The Location sections that are merged before one and that the same request can meet, in merge order. */
  before(scope: Scope): readonly Scope[] {
    const at = this.#positions.get(scope) ?? this.all.length;
    const path = pathOf(scope);
    if (path === undefined) return this.all.slice(0, at).filter((other) => mayMeetLocation(other, scope));
    const found = this.#others.filter(
      (other) => this.#positions.get(other)! < at && mayMeetLocation(other, scope),
    );
    for (const meeting of this.#pathsMeeting(path))
      for (const other of this.#byPath.get(meeting) ?? EMPTY_LIST)
        if (this.#positions.get(other)! < at) found.push(other);
    return found.sort((a, b) => this.#positions.get(a)! - this.#positions.get(b)!);
  }

  /** The path itself, and those that lie above it or below; `/a/` is for what lies below `/a` alone. */
  *#pathsMeeting(path: string): Iterable<string> {
    for (let end = 1; end < path.length; end++)
      if (path[end] === '/' || path[end - 1] === '/') yield path.slice(0, end);
    yield path;
    const prefix = path.endsWith('/') ? path : `${path}/`;
    for (let i = firstWhere(this.#paths, (listed) => listed >= prefix); i < this.#paths.length; i++) {
      const listed = this.#paths[i]!;
      if (!listed.startsWith(prefix)) break;
      if (listed !== path) yield listed;
    }
  }
}

/** The path of a Location that is for it and what lies below it; undefined for one that is for all URLs, or by a regex. */
function pathOf({ pattern }: Scope): string | undefined {
  return pattern.kind === 'path' && pattern.path.length > 1 ? pattern.path : undefined;
}
