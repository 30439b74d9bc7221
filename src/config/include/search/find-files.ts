import { appendAll } from '../../../syntax';
import { type DiscoveredFiles, discover, type FoundAccess, mayHoldConfig } from './discover';
import { type FileOrigin, type Files, type LoadedFile, TOO_MUCH } from '../files';
import type { IncludeReader } from '../follow';
import { type GivenPaths, isAccessFile } from './given-paths';
import { type LinkedPath, linkedPathsAlong, below, dirname, join } from '../../source';
import { looksLikeConfig } from '../layout';
import type { ServerPlace } from './place';
import { DirectoryBounds } from './walk-bounds';
import { type ConfigFile, SourceError, type UnreadablePath } from '../../types';

export interface FoundFiles {
  readonly htaccess: Set<LoadedFile>;
  /** Files that look like configuration, reached or not. */
  readonly candidates: ReadonlySet<LoadedFile>;
  /** What could not be read, as {@link ConfigTree.unread}. */
  readonly unread: readonly ConfigFile[];
  /** Directories in which nothing is converted. */
  readonly unvisited: readonly UnreadablePath[];
  /** Whether links of other users stand in place of `.htaccess` files. */
  readonly hasPlanted: boolean;
  /** All links to directories that were met. */
  readonly links: readonly LinkedPath[];
}

/** A directory, and what was found in it. */
interface LookedThrough extends Pick<DiscoveredFiles, 'access' | 'candidates'> {
  readonly top: string;
  readonly real: string;
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
  const search = new FileSearch(files, follower, unreadable, place);
  search.addGiven(given);
  search.lookInto(given.directories);
  return search.result();
}

/** A directory to look into. */
interface SearchTop {
  readonly path: string;
  readonly real: string;
  readonly isLink?: true;
}

class FileSearch {
  readonly #files: Files;
  readonly #follower: IncludeReader;
  readonly #unreadable: UnreadablePath[];
  /** The paths of {@link #unreadable}: one user may have made a hundred thousand. */
  readonly #refused: Set<string>;
  readonly #place: ServerPlace | undefined;
  readonly #accessNames: ReadonlySet<string>;
  readonly #inForce: readonly string[];
  readonly #htaccess = new Set<LoadedFile>();
  readonly #candidates = new Set<LoadedFile>();
  readonly #unvisited: UnreadablePath[] = [];
  #hasPlanted = false;
  readonly #unread: ConfigFile[] = [];
  readonly #links: LinkedPath[];
  #tooMany: ReadonlySet<string> = new Set();
  /** Links may lead to one file from thousands of directories. */
  readonly #severalDirectories = new Map<LoadedFile, Set<string>>();

  constructor(
    files: Files,
    follower: IncludeReader,
    unreadable: UnreadablePath[],
    place: ServerPlace | undefined,
  ) {
    this.#files = files;
    this.#follower = follower;
    this.#unreadable = unreadable;
    this.#refused = new Set(unreadable.map(({ path }) => path));
    this.#place = place;
    this.#accessNames = new Set([...follower.accessNames, '.htaccess']);
    this.#inForce = follower.accessInAnyServer;
    this.#links = linkedPathsAlong(files.source, follower.named);
  }

  addGiven(given: GivenPaths): void {
    for (const each of given.files) {
      if (!isAccessFile(each, this.#accessNames)) continue;
      const { file, base, directory } = each;
      // A name that AccessFileName leaves out is treated like `htaccess.txt`.
      if (this.#accessNames.has(base) && !this.#inForce.includes(base)) this.#candidates.add(file);
      else this.#addAccess(file, [directory, this.#files.source.real(directory)]);
    }
  }

  lookInto(directories: readonly SearchTop[]): void {
    const behindLinks = new DirectoryBounds(this.#files.source, MAX_BEHIND_LINKS);
    const tops = [...directories];
    const looked: LookedThrough[] = [];
    for (const top of tops) {
      const { path, real, isLink } = top;
      if (real !== path) this.#links.push({ path, target: real });
      const bounds = isLink && { most: behindLinks.leftFor(real), oneFileSystem: true };
      const found = discover(this.#files.source, real, this.#accessNames, bounds);
      if (isLink) behindLinks.use(real, found.directories);
      looked.push(this.#lookedThrough(found, top));
      appendAll(this.#links, found.inner);
      appendAll(this.#links, found.leaving);
      for (const lost of found.lost) this.#leavesCopy(lost);
      for (const link of found.leaving) {
        if (tops.some((other) => below(link.target, other.real) !== undefined)) continue;
        if (this.#place?.holds(link.target) === false) this.#leavesCopy(link.path);
        else if (this.#isToFollow(link)) tops.push({ path: link.path, real: link.target, isLink: true });
      }
    }
    // Whose files there are most of is known only when all are found.
    const paths = looked.flatMap(({ access, candidates }) => [...access, ...candidates]);
    this.#tooMany = this.#files.tooMany([...new Set(paths.map(({ path }) => path))]);
    for (const each of looked) this.#addFound(each);
  }

  result(): FoundFiles {
    for (const [file, directories] of this.#severalDirectories) file.directories = [...directories];
    return {
      htaccess: this.#htaccess,
      candidates: this.#candidates,
      unread: this.#unread,
      unvisited: this.#unvisited,
      hasPlanted: this.#hasPlanted,
      links: this.#links,
    };
  }

  /** What of a directory's files is ours, and is said of the others. */
  #lookedThrough(found: DiscoveredFiles, { path: top, real }: SearchTop): LookedThrough {
    const files = this.#files;
    if (found.isPartial) this.#unvisited.push({ path: top, name: files.nameOf(top), message: TOO_LARGE });
    for (const { path, message } of found.unreadable) this.#refuse(path, message, path);
    appendAll(this.#unvisited, noFilesOf(found, files, this.#inForce, this.#place?.isHere === true));
    const isOurs = ({ path, link }: { path: string; link?: string }): boolean =>
      !files.isSpared(path) && (link === undefined || this.#place?.holds(path) !== false);
    const access = found.access.filter(isOurs);
    return {
      top,
      real,
      access,
      inUse: access.filter(({ name }) => this.#inForce.includes(name)),
      candidates: found.candidates.filter(isOurs),
    };
  }

  #addFound({ top, real, access, inUse, candidates }: LookedThrough): void {
    // A directory may be given by a link that does not belong to its owner.
    const byTop = real === top ? undefined : { path: top, target: real };
    const originOf = (link: string | undefined): FileOrigin | undefined =>
      link === undefined ? byTop : { path: link };
    for (const { path, name, link } of access)
      if (!this.#inForce.includes(name)) this.#addCandidate(path, originOf(link));
    const read = this.#follower.accessDiffers ? inUse : firstOfEach(inUse, this.#inForce);
    for (const { path, directory, link } of read) {
      if (link !== undefined && this.#isPlanted(link, path, directory)) continue;
      const file = this.#load(path, originOf(link), directory);
      // By the path that was given first: httpd compares paths as they are configured, links and all.
      if (file !== undefined)
        this.#addAccess(file, real === top ? [directory] : [seenFrom(directory, real, top), directory]);
    }
    for (const { path, link } of candidates) this.#addCandidate(path, originOf(link));
  }

  /** A copy lacks what a link out of it leads to: that matters below what the server serves. */
  #leavesCopy(path: string): void {
    const place = this.#place;
    if (place === undefined || place.isHere) return;
    const onServer = place.server(path);
    if ([...this.#follower.served].some((top) => below(onServer, top) !== undefined))
      this.#unvisited.push({ path: onServer, name: this.#files.nameOf(path), message: OUT_OF_COPY });
  }

  /** Whether to look into what a link leads to: not if whoever made it may not name what is read. */
  #isToFollow({ path, target }: LinkedPath): boolean {
    const files = this.#files;
    if (files.source.planted?.(path, undefined, target) !== true) return true;
    if (mayHoldConfig(files.source, target, this.#accessNames))
      this.#unvisited.push({
        path,
        name: files.nameOf(path),
        message: linkOfAnother(files, target),
        within: path,
      });
    return false;
  }

  /** Whether what is read in a directory is a link of another user: it makes no `.htaccess` of what others have elsewhere. */
  #isPlanted(link: string, target: string, directory: string): boolean {
    const files = this.#files;
    if (files.source.planted?.(link, undefined, target) !== true) return false;
    this.#hasPlanted = true;
    this.#unvisited.push({
      path: this.#place?.server(link) ?? link,
      name: files.nameOf(link),
      message: linkOfAnother(files, target),
      within: this.#place?.server(directory) ?? directory,
    });
    return true;
  }

  #load(path: string, origin: FileOrigin | undefined, governed?: string): LoadedFile | undefined {
    try {
      if (this.#tooMany.has(path)) throw new SourceError(path, 'ETOOBIG', TOO_MUCH);
      return this.#files.load(path, origin);
    } catch (error) {
      if (!(error instanceof SourceError)) throw error;
      this.#refuse(path, error.message, governed);
      return undefined;
    }
  }

  #refuse(path: string, message: string, governed: string | undefined): void {
    if (this.#refused.has(path)) return;
    this.#refused.add(path);
    this.#unreadable.push({ path, name: this.#files.nameOf(path), message });
    this.#unread.push(this.#files.unread(path, governed));
  }

  #addCandidate(path: string, origin: FileOrigin | undefined): void {
    const file = this.#load(path, origin);
    if (file !== undefined && looksLikeConfig(file.document.text)) this.#candidates.add(file);
  }

  #addAccess(file: LoadedFile, directories: readonly string[]): void {
    if (!this.#htaccess.has(file)) {
      this.#htaccess.add(file);
      addDirectories(file, directories);
      return;
    }
    let all = this.#severalDirectories.get(file);
    if (all === undefined) this.#severalDirectories.set(file, (all = new Set(file.directories)));
    for (const directory of directories) all.add(directory);
  }
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
  isHere: boolean,
): UnreadablePath[] {
  return noFiles
    .filter(({ name }) => inForce.includes(name))
    .map(({ path, message, isForbidden }) => ({
      path: dirname(path),
      name: files.nameOf(path),
      message,
      ...(isForbidden ? { isForbidden } : {}),
      // A link to nothing is one to nothing where the server is.
      ...(isHere ? { within: dirname(path) } : {}),
    }));
}

export function addDirectories(file: LoadedFile, directories: readonly string[]): void {
  file.directories =
    file.directories.length === 0 && directories.length === 1
      ? directories
      : [...new Set([...file.directories, ...directories])];
}

/** Directories of one user to look into that links out of what was given lead to. */
const MAX_BEHIND_LINKS = 100_000;
const TOO_LARGE =
  'a link to more than one run looks through: not looked through as a whole (give its target too)';

/**
 * The AccessFileName files above the directories given: a server reads these before those below. Without a configuration, they
 * are all that is known of what the directories inherit; nothing is looked for above a part of one.
 */
export function filesAbove(
  files: Files,
  given: GivenPaths,
  follower: IncludeReader,
  place: ServerPlace,
): LoadedFile[] {
  const { isServer } = follower;
  if (!isServer && follower.edges.size > 0) return [];
  const names = follower.accessInAnyServer;
  const alone = given.files.filter(({ base }) => !isServer && names.includes(base));
  const tops = [
    ...alone.map(({ directory }) => directory),
    ...given.directories.flatMap(({ path, real }) => [path, real]),
  ];
  const isHeld = (directory: string): boolean => !isServer || place.holds(directory);
  const mayRead = (directory: string): boolean =>
    !isServer || follower.allProblems.length > 0 || follower.overrides.mayReadIn(place.server(directory));
  const mayCount = (path: string): boolean =>
    isServer ? place.real(path) !== undefined : isOfOwners(path, tops, files.source);
  const above = new Set<string>();
  for (const top of tops)
    for (let at = top; at !== '/';) {
      at = dirname(at);
      if (isHeld(at) && !tops.some((other) => below(at, other) !== undefined)) above.add(at);
    }
  const found: LoadedFile[] = [];
  for (const directory of above) {
    if (!mayRead(directory)) continue;
    const path = names
      .map((name) => join(directory, name))
      .find((candidate) => files.source.kind(candidate) === 'file');
    if (path === undefined || !mayCount(path)) continue;
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

/**
 * Whether a file belongs to root or to the owner of what was given. Another user may have put one into a directory that all may
 * write, to loosen what is inherited.
 */
function isOfOwners(path: string, tops: readonly string[], source: Files['source']): boolean {
  const trusted = new Set([0, ...tops.flatMap((top) => source.owners?.(top) ?? [])]);
  return (source.owners?.(path) ?? []).every((uid) => trusted.has(uid));
}

/** httpd reads one file a directory: the first of AccessFileName that is there (server/config.c: ap_parse_htaccess). */
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
