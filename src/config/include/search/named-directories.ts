import { DirectorySet, type LinkedPath, below, byBytes, dirname, isPattern, join } from '../../source';
import { SourceError } from '../../types';
import type { GivenPaths } from './given-paths';
import { topmost } from './given-singly';
import type { IncludeReader } from '../follow';
import type { ServerPlace } from './place';

/** Directories that one pattern stands for: the homes of as many users. */
const MAX_MATCHES = 50_000;

export interface NamedDirectory extends LinkedPath {
  /** What leads there: DocumentRoot, Alias or UserDir; a section alone; a link. */
  readonly by: 'route' | 'section' | 'link';
}

/** What the files of a run are looked for by. */
export interface Search {
  readonly given: GivenPaths;
  readonly follower: IncludeReader;
  readonly place: ServerPlace;
  readonly singly: readonly LinkedPath[];
}

/** Whether all of a directory is there to be found: of files that were handed over only if one in it was given. */
export function isWhole({ place, singly }: Search, directory: string): boolean {
  if (place.source.isMachine === true || place.isAtHome) return true;
  return singly.some(({ target }) => below(target, directory) !== undefined);
}

/** Whether the server may read AccessFileName files there, as far as all its AllowOverride lines are known. */
export function mayRead({ follower, place }: Search, directory: string, where: 'in' | 'below'): boolean {
  if (!follower.isServer || follower.allProblems.length > 0) return true;
  const path = place.server(directory);
  return where === 'in' ? follower.overrides.mayReadIn(path) : follower.overrides.mayReadBelow(path);
}

/**
 * What DocumentRoot and Alias name that is no directory, and what sections name below these: the topmost one that is none, where
 * the one above it is there and not that of the whole machine.
 */
export function servedAbsent({ follower, place }: Search): readonly string[] {
  const { source } = place;
  if (!follower.isServer || !place.isAtHome) return [];
  const absent = new Set<string>();
  for (const path of follower.named) {
    if (isPattern(path) || !isInServed(path, follower) || source.kind(path) === 'directory') continue;
    let top = path;
    while (dirname(top) !== '/' && source.kind(dirname(top)) !== 'directory') top = dirname(top);
    if (dirname(top) !== '/') absent.add(top);
  }
  return [...absent];
}

/** Whether DocumentRoot or Alias leads to a directory, or to one above it. */
function isInServed(path: string, { served }: IncludeReader): boolean {
  for (let at = path; at !== '/'; at = dirname(at)) if (served.has(at)) return true;
  return false;
}

/**
 * The directories that the server serves or has sections for, where they are there, httpd may read AccessFileName files in them,
 * and they were not given; and the directories of such files that were given by themselves and lie in none of these.
 */
export function namedNotGiven(search: Search): NamedDirectory[] {
  const { given, follower, place, singly } = search;
  if (!follower.isServer) return [];
  const tops = new DirectorySet();
  for (const { real } of given.directories) tops.add(real);
  const found = new Map<string, NamedDirectory>();
  const routes = [...follower.served, ...homesOf(search)];
  for (const [paths, by] of [
    [routes, 'route'],
    [follower.configured, 'section'],
  ] as const)
    for (const path of paths)
      for (const directory of path === '/' ? [] : place.find(path, MAX_MATCHES)) {
        // Whoever has a home may put a link in it.
        if (found.has(directory)) continue;
        const target = place.real(directory);
        if (target === undefined || place.source.planted?.(directory, undefined, target) === true) continue;
        if (tops.covers(target) || !mayRead(search, directory, 'below')) continue;
        found.set(directory, { path: directory, target, by });
      }
  for (const { target } of found.values()) tops.add(target);
  const elsewhere = topmost(singly.filter(({ target }) => !tops.covers(target)));
  return [...found.values(), ...elsewhere.map((link): NamedDirectory => ({ ...link, by: 'section' }))];
}

/**
 * Leaves out the directories that lie in another of them. Of a served directory in one that a section is for both are looked
 * through: the other may be too large.
 */
export function topmostOf(places: readonly NamedDirectory[]): NamedDirectory[] {
  const found: NamedDirectory[] = [];
  const tops = { route: new DirectorySet(), section: new DirectorySet(), link: new DirectorySet() };
  for (const place of [...places].sort((a, b) => byBytes(`${a.by}${a.path}/`, `${b.by}${b.path}/`))) {
    if (tops.route.covers(place.path) || tops[place.by].covers(place.path)) continue;
    tops[place.by].add(place.path);
    found.push(place);
  }
  return found;
}

/** Bytes of a list of users. */
const MAX_PASSWD = 4 * 1024 * 1024;

/** The directories of users (mod_userdir.c asks the system where homes are): patterns, and what the list of users has. */
function homesOf({ follower: { homes }, place }: Search): readonly string[] {
  if (homes.size === 0) return [];
  const list = place.local('/etc/passwd');
  const tops = new Set(['/home/*']);
  try {
    if (place.holds(list) && (place.source.stat?.(list)?.size ?? 0) <= MAX_PASSWD)
      for (const line of place.source.read(list).split('\n')) {
        const home = line.split(':')[5];
        if (home?.startsWith('/') === true && home !== '/' && !isPattern(home)) tops.add(home);
      }
  } catch (error) {
    // Homes are looked for where most systems have them.
    if (!(error instanceof SourceError)) throw error;
  }
  return [...homes].flatMap((name) => [...tops].map((top) => join(top, name)));
}

/** The AccessFileName files in the directories above one, with these. */
export function* filesOver(
  { follower, place }: Search,
  path: string,
): Iterable<readonly [directory: string, path: string]> {
  const names = follower.accessInAnyServer;
  for (let at = path; at !== '/';) {
    at = dirname(at);
    if (!place.holds(at)) return;
    const found = names
      .map((name) => join(at, name))
      .find((file) => place.source.kind(file) === 'file' && place.real(file) !== undefined);
    if (found !== undefined) yield [at, found];
  }
}
