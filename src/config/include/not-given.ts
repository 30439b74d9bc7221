import { type LinkedPath, MAX_PATHS, PathsByLinks, below, dirname, isPattern, join } from '../source';
import { SourceError, type UnreadablePath } from '../types';
import { discover } from './discover';
import type { Files, LoadedFile } from './files';
import { type FoundFiles, addDirectories, firstOfEach, namesInForce, noFilesOf } from './find-files';
import type { GivenPaths } from './given-paths';
import { givenSingly, linksBeside, topmost } from './given-singly';
import type { IncludeReader } from './include-reader';

/** Directories of others that a run looks into. More would take longer than what was given. */
const MAX_DIRECTORIES = 5000;

interface NotGivenFiles {
  readonly htaccess: ReadonlySet<LoadedFile>;
  /** What was looked through wholly. */
  readonly seen: readonly string[];
  readonly unvisited: readonly UnreadablePath[];
  /** DocumentRoots, Alias targets and directories of sections in these that are not there. */
  readonly absent: readonly string[];
}

/** A directory that requests come to, and that was not given. */
interface NamedDirectory extends LinkedPath {
  /** DocumentRoot or Alias leads there; else only a link does. */
  readonly isServed: boolean;
}

/**
 * The AccessFileName files that the server reads beside those of the run: it follows links out of the directories given, and
 * serves directories that were not given at all. They are read, and never written.
 * @param known files that the run has already: they get the directories that links lead to them from
 */
export function findNotGiven(
  files: Files,
  given: GivenPaths,
  follower: IncludeReader,
  { links, leaving }: FoundFiles,
  known: ReadonlySet<LoadedFile>,
): NotGivenFiles {
  const names = namesInForce(follower);
  const htaccess = new Set<LoadedFile>();
  const unvisited: UnreadablePath[] = [];
  const seen: string[] = [];
  /** Where the files were found, whether by the path that they are served by or behind a link. */
  const entries: { file: LoadedFile; directory: string; isServed: boolean }[] = [];
  const singly = givenSingly(files, given, known);
  const places: NamedDirectory[] = [
    ...leaving.map((link) => ({ ...link, isServed: false })),
    ...servedNotGiven(files, given, singly, follower).map((link) => ({ ...link, isServed: true })),
  ];
  const allLinks = [...links, ...places.filter(({ path, target }) => path !== target)];
  if (!follower.isServer) allLinks.push(...linksBeside(files.source, singly));
  const tops = given.directories.map(({ real }) => real);
  const isLookedAt = (directory: string): boolean =>
    tops.some((top) => below(directory, top) !== undefined) ||
    places.some(({ target }) => below(directory, target) !== undefined);
  let left = MAX_DIRECTORIES + singly.length;

  function add(path: string, by: string, directory: string, isServed: boolean): void {
    try {
      const file = files.load(files.source.real(path), { path: by });
      if (!known.has(file) || file.directories.length > 0) entries.push({ file, directory, isServed });
    } catch (error) {
      if (!(error instanceof SourceError)) throw error;
      unvisited.push({ path, name: files.nameOf(path), message: error.message });
    }
  }

  for (const { path: top, target, isServed } of places) {
    const found = discover(files.source, target, new Set(names), left);
    left -= found.directories;
    for (const { path, message } of found.unreadable)
      unvisited.push({ path, name: files.nameOf(path), message });
    unvisited.push(...noFilesOf(found, files, names));
    if (!found.isPartial) seen.push(top);
    else if (isServed) unvisited.push({ path: top, name: files.nameOf(top), message: TOO_LARGE });
    allLinks.push(...found.inner, ...found.leaving);
    for (const link of found.leaving)
      if (!isLookedAt(link.target) && files.source.planted?.(link.path, undefined) !== true)
        places.push({ ...link, isServed: false });
    const inForce = found.access.filter(({ name }) => names.includes(name));
    for (const { path, directory, link } of follower.accessDiffers ? inForce : firstOfEach(inForce, names))
      add(path, link ?? path, directory, isServed && top === target);
    if (isServed)
      for (const [directory, path] of filesOver(files, top, names)) add(path, path, directory, true);
  }
  const paths = new PathsByLinks(allLinks);
  for (const { file, directory, isServed } of entries) {
    // One of a directory given, by a link to it.
    if (!known.has(file)) htaccess.add(file);
    // A directory behind a link is come to by the link alone, unless it is served by its own path too.
    const ways = paths.to([directory]);
    addDirectories(file, isServed ? ways : ways.slice(1));
  }
  for (const file of known) {
    file.directories = paths.to(file.directories);
    if (file.directories.length >= MAX_PATHS)
      unvisited.push({ path: file.path, name: file.name, message: TOO_MANY_PATHS });
  }
  // Requests may come to the directories given by links.
  for (const top of tops) seen.push(...paths.to([top]).slice(1));
  return { htaccess, seen, unvisited, absent: servedAbsent(files, given, follower) };
}

/** Where servers have their configuration, one without a ServerRoot line included. */
const SYSTEM_DIRECTORIES = ['/etc', '/opt', '/usr'];

const TOO_MANY_PATHS = `links lead here by ${MAX_PATHS} paths or more: others than these are not looked at`;
const TOO_LARGE =
  'the server serves this directory, and it was not given: not looked through as a whole (give it too)';

/**
 * Whether the configuration is for the directories of this machine. One that was copied from its server, by what its ServerRoot
 * says, or by its place where there is none, is not.
 */
function isAtHome(
  files: Files,
  { directories, files: givenFiles }: GivenPaths,
  { isServer, declared }: IncludeReader,
): boolean {
  if (!isServer) return false;
  const tops = [...directories.map(({ real }) => real), ...givenFiles.map(({ file }) => file.path)];
  const homes = declared === undefined ? SYSTEM_DIRECTORIES : [realOf(files, declared)];
  return tops.some((top) => homes.some((home) => home !== undefined && below(top, home) !== undefined));
}

/**
 * What DocumentRoot and Alias name that is no directory, and what sections name below these: the topmost one that is none, where
 * the one above it is there and not that of the whole machine.
 */
function servedAbsent(files: Files, given: GivenPaths, follower: IncludeReader): readonly string[] {
  const { source } = files;
  if (!isAtHome(files, given, follower)) return [];
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
 * The directories that DocumentRoot and Alias lead to, where they are there and were not given: those of this machine, and those
 * from which an AccessFileName file was given; and the directories of such files that lie in none of these.
 */
function servedNotGiven(
  files: Files,
  given: GivenPaths,
  singly: readonly LinkedPath[],
  follower: IncludeReader,
): LinkedPath[] {
  if (!follower.isServer) return [];
  const { source } = files;
  const { directories } = given;
  const atHome = isAtHome(files, given, follower);
  const found: LinkedPath[] = [];
  for (const path of follower.served) {
    if (path === '/' || source.kind(path) !== 'directory') continue;
    const target = realOf(files, path);
    if (target === undefined || directories.some(({ real }) => below(target, real) !== undefined)) continue;
    if (!atHome && !singly.some((directory) => below(directory.target, target) !== undefined)) continue;
    if (!found.some((other) => below(path, other.path) !== undefined)) found.push({ path, target });
  }
  const tops = found.map(({ target }) => target);
  const elsewhere = singly.filter(({ target }) => !tops.some((top) => below(target, top) !== undefined));
  return [...found, ...topmost(elsewhere)];
}

function realOf({ source }: Files, path: string): string | undefined {
  try {
    return source.real(path);
  } catch (error) {
    if (!(error instanceof SourceError)) throw error;
    return undefined;
  }
}

/** The AccessFileName files in the directories above one, with these. */
function* filesOver(
  { source }: Files,
  path: string,
  names: readonly string[],
): Iterable<readonly [directory: string, path: string]> {
  for (let at = path; at !== '/';) {
    at = dirname(at);
    const found = names.map((name) => join(at, name)).find((file) => source.kind(file) === 'file');
    if (found !== undefined) yield [at, found];
  }
}
