import { type DiscoveredFiles, discover, type FoundAccess, mayHoldConfig } from './discover';
import type { Files, LoadedFile } from './files';
import type { IncludeReader } from './include-reader';
import { type GivenPaths, isAccessFile } from './given-paths';
import { type LinkedPath, linkedPathsAlong, below, dirname, join } from '../source';
import { looksLikeConfig } from './layout';
import type { ServerPlace } from './place';
import { TOO_MUCH } from './size-limit';
import { type ConfigFile, SourceError, type UnreadablePath } from '../types';

export interface FoundFiles {
  readonly htaccess: Set<LoadedFile>;
  /** Files that look like configuration, reached or not. */
  readonly candidates: ReadonlySet<LoadedFile>;
  /** What could not be read, as {@link ConfigTree.unread}. */
  readonly unread: readonly ConfigFile[];
  /** Directories in which nothing is converted. */
  readonly unvisited: readonly UnreadablePath[];
  /** All links to directories that were met. */
  readonly links: readonly LinkedPath[];
}

/** A directory, and what was found in it. */
interface LookedThrough extends Pick<DiscoveredFiles, 'access' | 'candidates'> {
  readonly top: string;
  readonly real: string;
  /** The link that it was given by. */
  readonly byTop: string | undefined;
  readonly inUse: readonly FoundAccess[];
}

/** Reads the AccessFileName files, given and found, and what else below the given directories looks like configuration. */
export function findFiles(
  files: Files,
  given: GivenPaths,
  follower: IncludeReader,
  unreadable: UnreadablePath[],
  place: ServerPlace | undefined,
): FoundFiles {
  const accessNames = new Set([...follower.accessNames, '.htaccess']);
  const inForce = namesInForce(follower);
  const htaccess = new Set<LoadedFile>();
  const candidates = new Set<LoadedFile>();
  const unvisited: UnreadablePath[] = [];
  const unread: ConfigFile[] = [];
  let tooMany: ReadonlySet<string> = new Set();

  function load(path: string, link: string | undefined, governed?: string): LoadedFile | undefined {
    try {
      if (tooMany.has(path)) throw new SourceError(path, 'ETOOBIG', TOO_MUCH);
      return files.load(path, link === undefined ? undefined : { path: link });
    } catch (error) {
      if (!(error instanceof SourceError)) throw error;
      refuse(path, error.message, governed);
      return undefined;
    }
  }

  function refuse(path: string, message: string, governed: string | undefined): void {
    if (unreadable.some((other) => other.path === path)) return;
    unreadable.push({ path, name: files.nameOf(path), message });
    unread.push(files.unread(path, governed));
  }

  /** Links may lead to one file from thousands of directories. */
  const severalDirectories = new Map<LoadedFile, Set<string>>();

  function addAccess(file: LoadedFile, directories: readonly string[]): void {
    if (!htaccess.has(file)) {
      htaccess.add(file);
      addDirectories(file, directories);
      return;
    }
    let all = severalDirectories.get(file);
    if (all === undefined) severalDirectories.set(file, (all = new Set(file.directories)));
    for (const directory of directories) all.add(directory);
  }

  for (const { file, base, directory } of given.files) {
    if (!isAccessFile(base, accessNames)) continue;
    // A name that AccessFileName leaves out is treated like `htaccess.txt`.
    if (accessNames.has(base) && !inForce.includes(base)) candidates.add(file);
    else addAccess(file, [directory, files.source.real(directory)]);
  }
  /** A copy lacks what a link out of it leads to: that matters below what the server serves. */
  function leavesCopy(path: string): void {
    if (place === undefined || place.isHere) return;
    const onServer = place.server(path);
    if ([...follower.served].some((top) => below(onServer, top) !== undefined))
      unvisited.push({ path: onServer, name: files.nameOf(path), message: OUT_OF_COPY });
  }

  const linkedPaths: LinkedPath[] = linkedPathsAlong(files.source, follower.named);
  let left = MAX_BEHIND_LINKS;
  const tops: { path: string; real: string; isLink?: true }[] = [...given.directories];
  const looked: LookedThrough[] = [];
  for (const { path: top, real, isLink } of tops) {
    if (real !== top) linkedPaths.push({ path: top, target: real });
    const bounds = isLink && { most: left, oneFileSystem: true };
    const found = discover(files.source, real, accessNames, bounds);
    if (isLink) left -= found.directories;
    if (found.isPartial) unvisited.push({ path: top, name: files.nameOf(top), message: TOO_LARGE });
    for (const { path, message } of found.unreadable) refuse(path, message, path);
    unvisited.push(...noFilesOf(found, files, inForce));
    const isOurs = ({ path, link }: { path: string; link?: string }): boolean =>
      link === undefined || place?.holds(path) !== false;
    // A directory may be given by a link that does not belong to its owner.
    const byTop = real === top ? undefined : top;
    const access = found.access.filter(isOurs);
    const inUse = access.filter(({ name }) => inForce.includes(name));
    looked.push({ top, real, byTop, access, inUse, candidates: found.candidates.filter(isOurs) });
    linkedPaths.push(...found.inner, ...found.leaving);
    for (const path of found.lost) leavesCopy(path);
    for (const { path, target } of found.leaving) {
      if (tops.some((other) => below(target, other.real) !== undefined)) continue;
      if (place?.holds(target) === false) {
        leavesCopy(path);
        continue;
      }
      if (files.source.planted?.(path, undefined) !== true) tops.push({ path, real: target, isLink: true });
      else if (mayHoldConfig(files.source, target, accessNames))
        unvisited.push({
          path,
          name: files.nameOf(path),
          message: linkOfAnother(files, target),
        });
    }
  }
  // Whose files there are most of is known only when all are found.
  tooMany = files.tooMany([
    ...new Set(
      looked.flatMap(({ access, candidates: found }) => [...access, ...found]).map(({ path }) => path),
    ),
  ]);
  for (const { top, real, byTop, access, inUse, candidates: found } of looked) {
    for (const { path, name, link } of access) {
      const file = inForce.includes(name) ? undefined : load(path, link ?? byTop);
      if (file !== undefined && looksLikeConfig(file.document.text)) candidates.add(file);
    }
    for (const { path, directory, link } of follower.accessDiffers ? inUse : firstOfEach(inUse, inForce)) {
      const file = load(path, link ?? byTop, directory);
      // By the path that was given first: httpd compares paths as they are configured, links and all.
      if (file !== undefined)
        addAccess(file, real === top ? [directory] : [seenFrom(directory, real, top), directory]);
    }
    for (const { path, link } of found) {
      const file = load(path, link ?? byTop);
      if (file !== undefined && looksLikeConfig(file.document.text)) candidates.add(file);
    }
  }
  for (const [file, directories] of severalDirectories) file.directories = [...directories];
  return { htaccess, candidates, unread, unvisited, links: linkedPaths };
}

/** What is said of a link to what a copy of a server has not brought along. */
export const OUT_OF_COPY =
  'a link out of this copy: what the server has there is not known (give the copy of that too, or remove the link)';

/** What is said of a link that does not belong to the owner of what it leads to: whoever made it may not name what is read. */
export function linkOfAnother(files: Files, target: string): string {
  return `a link of another user to ${files.nameOf(target)}: not looked into`;
}

/** What has a name that is in force, and is no file. */
export function noFilesOf(
  { noFiles }: DiscoveredFiles,
  files: Files,
  inForce: readonly string[],
): UnreadablePath[] {
  return noFiles
    .filter(({ name }) => inForce.includes(name))
    .map(({ path, message, isForbidden }) => ({
      path: dirname(path),
      name: files.nameOf(path),
      message,
      ...(isForbidden ? { isForbidden } : {}),
    }));
}

/** Adds to the directories that a file governs. */
export function addDirectories(file: LoadedFile, directories: readonly string[]): void {
  file.directories =
    file.directories.length === 0 && directories.length === 1
      ? directories
      : [...new Set([...file.directories, ...directories])];
}

/** Directories to look into that links out of what was given lead to. */
const MAX_BEHIND_LINKS = 100_000;
const TOO_LARGE =
  'a link to more than one run looks through: not looked through as a whole (give its target too)';

/**
 * The AccessFileName files above the directories given: a server that reads those below reads these first.
 */
export function filesAbove(
  files: Files,
  given: GivenPaths,
  follower: IncludeReader,
  place: ServerPlace,
): LoadedFile[] {
  const names = namesInForce(follower);
  const tops = given.directories.flatMap(({ path, real }) => [path, real]);
  const above = new Set<string>();
  for (const top of tops)
    for (let at = top; at !== '/';) {
      at = dirname(at);
      if (place.holds(at) && !tops.some((other) => below(at, other) !== undefined)) above.add(at);
    }
  const found: LoadedFile[] = [];
  for (const directory of above) {
    if (follower.allProblems.length === 0 && !follower.overrides.mayReadIn(place.server(directory))) continue;
    const path = names
      .map((name) => join(directory, name))
      .find((candidate) => files.source.kind(candidate) === 'file');
    if (path === undefined || place.real(path) === undefined) continue;
    try {
      const file = files.load(files.source.real(path), { path });
      file.directories = [...new Set([...file.directories, directory])];
      found.push(file);
    } catch (error) {
      // The server reports what it cannot read.
      if (!(error instanceof SourceError)) throw error;
    }
  }
  return found;
}

/** The names of the files that a server may read in a directory, best first. */
export function namesInForce({
  accessNames,
  accessDiffers,
  accessInForce,
}: IncludeReader): readonly string[] {
  return accessDiffers ? [...new Set([...accessInForce, ...accessNames])] : accessInForce;
}

/**
 * httpd reads one file a directory: the first that AccessFileName names and that is there (server/config.c: ap_parse_htaccess).
 */
export function firstOfEach(access: readonly FoundAccess[], names: readonly string[]): FoundAccess[] {
  const best = new Map<string, FoundAccess>();
  for (const file of access) {
    const known = best.get(file.directory);
    if (known === undefined || names.indexOf(file.name) < names.indexOf(known.name))
      best.set(file.directory, file);
  }
  return [...best.values()];
}

/** A directory by the path that was given, not by its real path: httpd compares paths as they are configured, links and all. */
function seenFrom(directory: string, real: string, top: string): string {
  const rest = below(directory, real);
  return rest === undefined ? directory : rest === '' ? top : join(top, rest);
}
