import { DirectorySet, type LinkedPath, MAX_PATHS, PathsByLinks, byBytes, dirname, isPattern, join, below } from '../source'; // prettier-ignore
import { SourceError, type UnreadablePath } from '../types';
import { discover } from './discover';
import type { Files, LoadedFile } from './files';
import { type FoundFiles, addDirectories, firstOfEach, namesInForce, noFilesOf } from './find-files';
import type { GivenPaths } from './given-paths';
import { givenSingly, linksBeside, topmost } from './given-singly';
import type { IncludeReader } from './include-reader';
import type { ServerPlace } from './place';
import { FoundLimit, TOO_MUCH } from './size-limit';

/** Directories that a run looks into beside those given: five times those of the largest servers of many sites. */
const MAX_DIRECTORIES = 500_000;

/** The same of directories that only a section is for: it may be for a whole file system, and perhaps no request comes there. */
const MAX_UNSERVED = 20_000;

/** Directories that one pattern stands for: the homes of as many users. */
const MAX_MATCHES = 50_000;

interface ServedFiles {
  readonly htaccess: ReadonlySet<LoadedFile>;
  /** What was looked through wholly, by the server's paths. */
  readonly seen: readonly string[];
  readonly unvisited: readonly UnreadablePath[];
  /** The directories that were looked through. */
  readonly tops: readonly string[];
  /** DocumentRoots, Alias targets and directories of sections in these that are not there. */
  readonly absent: readonly string[];
}

/** A directory that was not given. */
interface NamedDirectory extends LinkedPath {
  /** What leads there: DocumentRoot, Alias or UserDir; a section alone; a link. */
  readonly by: 'route' | 'section' | 'link';
}

/** What the files of a run are looked for by. */
interface Search {
  readonly given: GivenPaths;
  readonly follower: IncludeReader;
  readonly place: ServerPlace;
  readonly singly: readonly LinkedPath[];
}

/**
 * The AccessFileName files that the server reads beside those of the paths given: it serves directories that were not given, and follows links
 * out of these.
 * @param known files that the run has already: they get the directories that links lead to them from
 */
export function findServed(
  files: Files,
  given: GivenPaths,
  follower: IncludeReader,
  place: ServerPlace,
  { links }: FoundFiles,
  known: ReadonlySet<LoadedFile>,
): ServedFiles {
  const names = namesInForce(follower);
  const htaccess = new Set<LoadedFile>();
  const unvisited: UnreadablePath[] = [];
  const seen: string[] = [];
  /** Where the files were found, whether by the path that they are served by or behind a link. */
  const entries: { file: LoadedFile; directory: string; isNamed: boolean }[] = [];
  const search: Search = { given, follower, place, singly: givenSingly(files, given, known) };
  const named = namedNotGiven(search);
  const places = topmostOf(named);
  const allLinks = [...links, ...named.filter(({ path, target }) => path !== target)];
  if (!follower.isServer) allLinks.push(...linksBeside(files.source, search.singly));
  const tops = given.directories.map(({ real }) => real);
  const lookedAt = new DirectorySet();
  for (const top of [...tops, ...places.map(({ target }) => target)]) lookedAt.add(top);
  const limit = new FoundLimit();
  const left = { route: MAX_DIRECTORIES, section: MAX_UNSERVED, link: MAX_UNSERVED };
  const note = (path: string, message: string): void =>
    void unvisited.push({ path, name: files.nameOf(path), message });

  function add(path: string, origin: string, directory: string, isNamed: boolean): void {
    try {
      const file = files.load(files.source.real(path), { path: origin });
      if (!known.has(file) || file.directories.length > 0) entries.push({ file, directory, isNamed });
    } catch (error) {
      if (!(error instanceof SourceError)) throw error;
      note(path, error.message);
    }
  }

  function follow(link: LinkedPath): void {
    if (lookedAt.covers(link.target) || !place.holds(link.target)) return;
    if (files.source.planted?.(link.path, undefined) === true) return;
    lookedAt.add(link.target);
    places.push({ ...link, by: 'link' });
  }

  for (const { path: top, target, by } of places) {
    const found = discover(files.source, target, new Set(names), { most: left[by], oneFileSystem: true });
    left[by] -= found.directories;
    for (const { path, message } of found.unreadable) note(path, message);
    unvisited.push(...noFilesOf(found, files, names));
    for (const path of found.mounts) {
      const inside = named.filter((directory) => below(directory.target, path) !== undefined);
      places.push(...topmostOf(inside));
      if (inside.length === 0) note(path, OTHER_FILE_SYSTEM);
    }
    if (!found.isPartial && isWhole(search, target)) seen.push(place.server(top));
    if (found.isPartial && by === 'route') note(top, TOO_LARGE);
    allLinks.push(...found.inner, ...found.leaving);
    for (const link of found.leaving) follow(link);
    const inForce = found.access.filter(
      ({ name, path, link }) => names.includes(name) && (link === undefined || place.holds(path)),
    );
    const tooMany = limit.tooMany(
      files.source,
      inForce.map(({ path }) => path),
    );
    const isNamed = by !== 'link';
    for (const { path, directory, link } of follower.accessDiffers ? inForce : firstOfEach(inForce, names))
      if (tooMany.has(path)) note(path, TOO_MUCH);
      else add(path, link ?? path, directory, isNamed && top === target);
    if (isNamed) for (const [directory, path] of filesOver(search, top)) add(path, path, directory, true);
  }
  const paths = new PathsByLinks(allLinks);
  for (const { file, directory, isNamed } of entries) {
    // A directory behind a link is come to by the link alone, unless it is served by its own path too.
    const all = paths.to([directory]);
    const ways = isNamed ? all : all.slice(1);
    // One of a directory given, by a link to it, is in the run already.
    if (!known.has(file)) {
      if (!ways.some((way) => mayRead(search, way, 'in'))) continue;
      htaccess.add(file);
    }
    addDirectories(file, ways);
  }
  for (const file of known) {
    file.directories = paths.to(file.directories);
    if (file.directories.length >= MAX_PATHS)
      unvisited.push({ path: file.path, name: file.name, message: TOO_MANY_PATHS });
  }
  // Requests may come to the directories given by links.
  for (const top of tops) seen.push(...paths.to([top]).slice(1));
  return {
    htaccess,
    seen,
    unvisited,
    tops: places.map(({ target }) => target),
    absent: servedAbsent(search),
  };
}

const TOO_MANY_PATHS = `links lead here by ${MAX_PATHS} paths or more: others than these are not looked at`;
const TOO_LARGE =
  'the server serves this directory, and it has more than one run looks through: not looked through as a whole (give it too)';
const OTHER_FILE_SYSTEM =
  'another file system is mounted here: not looked into (give this directory too, if the server serves it)';

/** Whether all that a directory has is there to be found: of files that were handed over, nobody says so, unless one in it was given. */
function isWhole({ place, singly }: Search, directory: string): boolean {
  if (place.source.isMachine === true || place.isAtHome) return true;
  return singly.some(({ target }) => below(target, directory) !== undefined);
}

/** Whether the server may read AccessFileName files there, as far as all its AllowOverride lines are known. */
function mayRead({ follower, place }: Search, directory: string, where: 'in' | 'below'): boolean {
  if (!follower.isServer || follower.allProblems.length > 0) return true;
  const path = place.server(directory);
  return where === 'in' ? follower.overrides.mayReadIn(path) : follower.overrides.mayReadBelow(path);
}

/**
 * What DocumentRoot and Alias name that is no directory, and what sections name below these: the topmost one that is none, where the one above
 * it is there and not that of the whole machine.
 */
function servedAbsent({ follower, place }: Search): readonly string[] {
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
 * The directories that the server serves or has sections for, where they are there, httpd may read AccessFileName files in them, and they were
 * not given; and the directories of such files that were given by themselves and lie in none of these.
 */
function namedNotGiven(search: Search): NamedDirectory[] {
  const { given, follower, place, singly } = search;
  if (!follower.isServer) return [];
  const tops = new DirectorySet();
  for (const { real } of given.directories) tops.add(real);
  const found = new Map<string, NamedDirectory>();
  const routes = [...follower.served, ...homesOf(search)];
  for (const [paths, by] of [[routes, 'route'], [follower.configured, 'section']] as const)
    for (const path of paths)
      for (const directory of path === '/' ? [] : place.find(path, MAX_MATCHES)) {
        const target = found.has(directory) ? undefined : place.real(directory);
        if (target === undefined || tops.covers(target) || !mayRead(search, directory, 'below')) continue;
        found.set(directory, { path: directory, target, by });
      }
  for (const { target } of found.values()) tops.add(target);
  const elsewhere = topmost(singly.filter(({ target }) => !tops.covers(target)));
  return [...found.values(), ...elsewhere.map((link): NamedDirectory => ({ ...link, by: 'section' }))];
} // prettier-ignore

/** Those that lie in none of the others. Of a served directory in one that a section is for both are looked through: the other may be too large. */
function topmostOf(places: readonly NamedDirectory[]): NamedDirectory[] {
  const found: NamedDirectory[] = [];
  const tops = { route: new DirectorySet(), section: new DirectorySet(), link: new DirectorySet() };
  for (const place of places.toSorted((a, b) => byBytes(`${a.by}${a.path}/`, `${b.by}${b.path}/`))) {
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
    if (place.holds(list) && (place.source.size?.(list) ?? 0) <= MAX_PASSWD)
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
function* filesOver(
  { follower, place }: Search,
  path: string,
): Iterable<readonly [directory: string, path: string]> {
  const names = namesInForce(follower);
  for (let at = path; at !== '/';) {
    at = dirname(at);
    if (!place.holds(at)) return;
    const found = names
      .map((name) => join(at, name))
      .find((file) => place.source.kind(file) === 'file' && place.real(file) !== undefined);
    if (found !== undefined) yield [at, found];
  }
}
