import { type AnyServer, type HostsByTarget, type Target, keyOf, reaches } from '../mapping';
import type { FilesByHost } from '../override';
import { type Scope, directoryOf } from '../policy';
import { type PathList, getOrInsert } from '../primitives';

interface ServersOfRun {
  /** The hosts, by the places that their sections stand in. */
  readonly byPlace: HostsByTarget;
  /** By where the requests to each come. */
  readonly serving: HostsByTarget;
  readonly targetsOf: (vhost: AnyServer) => readonly Target[] | undefined;
  /** The directories that the main server names. */
  readonly mainPaths: PathList;
  readonly files: FilesByHost;
}

/** Servers of which a request meets the same at one place, on the way there and below it. */
interface Sorts {
  /** The servers that may differ from most others. */
  readonly apart: ReadonlySet<AnyServer>;
  /** A key that servers of one sort have in common; undefined for one that is like no other. */
  readonly sortOf: (vhost: AnyServer) => string | undefined;
}

/**
 * Finds servers whose requests have met the same when they come to a section, so that one of them is asked for all: those without
 * sections of their own there, that read the same `.htaccess` files and lead to the same directories.
 */
export class AlikeServers {
  readonly #firsts = new Map<string, readonly AnyServer[]>();
  readonly #sorts = new Map<string, Sorts>();
  readonly #positions = new WeakMap<readonly AnyServer[], ReadonlyMap<AnyServer, number>>();

  constructor(private readonly run: ServersOfRun) {}

  /** One server of each sort, in the order given. @param serving all whose requests come to the place of the section */
  oneOfEach(serving: readonly AnyServer[], scope: Scope): readonly AnyServer[] {
    return getOrInsert(this.#firsts, placeKey(scope), () => {
      const { apart, sortOf } = this.#sortsAt(scope);
      const positions = getOrInsert(
        this.#positions,
        serving,
        () => new Map(serving.map((vhost, position) => [vhost, position])),
      );
      const others = serving.findIndex((vhost) => !apart.has(vhost));
      const candidates = [...apart].flatMap((vhost) => positions.get(vhost) ?? []);
      if (others >= 0) candidates.push(others);
      const found = new Set<string>();
      return candidates
        .sort((a, b) => a - b)
        .map((position) => serving[position])
        .filter((vhost) => {
          const sort = sortOf(vhost);
          return sort === undefined || (!found.has(sort) && found.add(sort));
        });
    });
  }

  /** The servers that one of {@link oneOfEach} stands for; undefined where it is like no other. */
  like(vhost: AnyServer, serving: readonly AnyServer[], scope: Scope): readonly AnyServer[] | undefined {
    const { sortOf } = this.#sortsAt(scope);
    const sort = sortOf(vhost);
    return sort === undefined ? undefined : serving.filter((other) => sortOf(other) === sort);
  }

  #sortsAt(scope: Scope): Sorts {
    return getOrInsert(this.#sorts, placeKey(scope), () => {
      const place = directoryOf(scope)!;
      const { byPlace, files, mainPaths } = this.run;
      const alone = new Set([undefined, ...byPlace.reaching(place)]);
      const unread = files.unreadNear(place);
      // What lies below counts where the directories are merged before it.
      const below = scope.kind === 'files' && mainPaths.liesBelow(place) ? this.#partsBelow(place) : NO_PARTS;
      const unreadOf = (vhost: AnyServer): string => unread.get(vhost) ?? unread.get(undefined) ?? '';
      return {
        apart: new Set([...alone, ...unread.keys(), ...below.keys()]),
        sortOf: (vhost) => (alone.has(vhost) ? undefined : `${unreadOf(vhost)}\n${below.get(vhost) ?? ''}`),
      };
    });
  }

  /** What servers that come to a part alone of what lies below a place come to, as a text. */
  #partsBelow(place: string): ReadonlyMap<AnyServer, string> {
    const { mainPaths, serving, targetsOf } = this.run;
    const all = mainPaths.below(place);
    const byTargets = new Map<string, string>();
    const parts = new Map<AnyServer, string>();
    for (const vhost of serving.leadingBelow(place)) {
      // Homes are known by their name, be they in what is served otherwise.
      const targets = targetsOf(vhost)!.filter((target) => target.kind === 'home' || reaches(target, place));
      const part = getOrInsert(byTargets, targets.map(keyOf).join('\n'), () => {
        const met = all.filter((path) => targets.some((target) => reaches(target, path)));
        return met.length === all.length ? '' : met.join('\n');
      });
      if (part !== '') parts.set(vhost, part);
    }
    return parts;
  }
}

const NO_PARTS: ReadonlyMap<AnyServer, string> = new Map();

function placeKey(scope: Scope): string {
  return `${scope.kind === 'files' ? 'in' : 'at'} ${directoryOf(scope)}`;
}
