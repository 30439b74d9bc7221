import { appendAll } from '../../../syntax';
import { DirectorySet, type LinkedPath, MAX_PATHS, PathsByLinks, below } from '../../source';
import { SourceError, type UnreadablePath } from '../../types';
import { type DiscoveredFiles, discover, mayHoldConfig } from './discover';
import { type Files, type LoadedFile, TOO_MUCH } from '../files';
import {
  type FoundFiles,
  addDirectories,
  firstOfEach,
  linkOfAnother,
  noFilesOf,
  OUT_OF_COPY,
} from './find-files';
import type { GivenPaths } from './given-paths';
import { givenSingly, linksBeside } from './given-singly';
import type { IncludeReader } from '../follow';
import {
  type NamedDirectory,
  type Search,
  filesOver,
  isWhole,
  mayRead,
  namedNotGiven,
  servedAbsent,
  topmostOf,
} from './named-directories';
import type { ServerPlace } from './place';
import { DirectoryBounds } from './walk-bounds';

/** Directories of one user that a run looks into beside those given: five times those of the largest servers of many sites. */
const MAX_DIRECTORIES = 500_000;

/**
 * How many directories of one user are looked through that only a section is for: it may be for a whole file system, and perhaps
 * no request comes there.
 */
const MAX_UNSERVED = 20_000;

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

/**
 * The AccessFileName files that the server reads beside those of the paths given: it serves directories that were not given, and
 * follows links out of these.
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
  const search: Search = { given, follower, place, singly: givenSingly(files, given, known) };
  const walk = new ServedWalk(files, search);
  walk.all();
  const besideFiles = follower.isServer ? [] : linksBeside(files.source, search.singly);
  const paths = new PathsByLinks([...links, ...walk.links, ...besideFiles]);
  const htaccess = new Set<LoadedFile>();
  for (const { file, directory, isNamed } of walk.found) {
    if (known.has(file) && file.directories.length === 0) continue;
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
    if (file.directories.length >= MAX_PATHS) walk.note(file.path, TOO_MANY_PATHS, file.path);
  }
  // Requests may come to the directories given by links.
  const seen = given.directories.flatMap(({ real }) => paths.to([real]).slice(1));
  return {
    htaccess,
    seen: [...walk.seen, ...seen],
    unvisited: walk.unvisited,
    tops: walk.places.map(({ target }) => target),
    absent: servedAbsent(search),
  };
}

/** Where a file was found: by the path that it is served by, or behind a link. */
interface FoundThere {
  readonly file: LoadedFile;
  readonly directory: string;
  readonly isNamed: boolean;
}

/** The files of a place whose names are in force. */
interface FoundInForce {
  readonly top: string;
  readonly by: NamedDirectory['by'];
  readonly isNamed: boolean;
  readonly access: DiscoveredFiles['access'];
}

/** A walk through the directories that a server serves, and those that links in them lead to. */
class ServedWalk {
  readonly found: FoundThere[] = [];
  readonly unvisited: UnreadablePath[] = [];
  readonly seen: string[] = [];
  /** All links to directories that were met. */
  readonly links: LinkedPath[];
  /** What is looked through; what links lead to comes behind. */
  readonly places: NamedDirectory[];
  readonly #files: Files;
  readonly #search: Search;
  readonly #named: readonly NamedDirectory[];
  readonly #names: readonly string[];
  readonly #lookedAt = new DirectorySet();
  readonly #inForce: FoundInForce[] = [];
  readonly #bounds: Readonly<Record<NamedDirectory['by'], DirectoryBounds>>;

  constructor(files: Files, search: Search) {
    this.#files = files;
    this.#search = search;
    this.#named = namedNotGiven(search);
    this.#names = search.follower.accessInAnyServer;
    this.#bounds = {
      route: new DirectoryBounds(files.source, MAX_DIRECTORIES),
      section: new DirectoryBounds(files.source, MAX_UNSERVED),
      link: new DirectoryBounds(files.source, MAX_UNSERVED),
    };
    this.places = topmostOf(this.#named);
    this.links = this.#named.filter(({ path, target }) => path !== target);
    for (const { real } of search.given.directories) this.#lookedAt.add(real);
    for (const { target } of this.places) this.#lookedAt.add(target);
  }

  all(): void {
    for (const place of this.places) this.#look(place);
    this.#load();
  }

  /** @param within the directory below which alone it could say something, if whoever may write there can have made it so */
  note(path: string, message: string, within?: string): void {
    const { place } = this.#search;
    // Where it lies on the server: sections and AllowOverride lines are compared with it.
    this.unvisited.push({
      path: place.server(path),
      name: this.#files.nameOf(path),
      message,
      ...(within !== undefined && { within: place.server(within) }),
    });
  }

  #look({ path: top, target, by }: NamedDirectory): void {
    const { place } = this.#search;
    const bounds = { most: this.#bounds[by].leftFor(target), oneFileSystem: true };
    const found = discover(this.#files.source, target, new Set(this.#names), bounds);
    this.#bounds[by].use(target, found.directories);
    for (const { path, message } of found.unreadable) this.note(path, message, path);
    appendAll(this.unvisited, noFilesOf(found, this.#files, this.#names, place.isHere));
    for (const path of found.mounts) this.#mount(path);
    if (!found.isPartial && isWhole(this.#search, target)) this.seen.push(place.server(top));
    if (found.isPartial && by !== 'section') this.note(top, TOO_LARGE);
    appendAll(this.links, found.inner);
    appendAll(this.links, found.leaving);
    for (const link of found.leaving) this.#follow(link);
    if (!place.isHere) for (const path of found.lost) this.note(path, OUT_OF_COPY);
    const inForce = found.access.filter(
      ({ name, path, link }) => this.#names.includes(name) && (link === undefined || place.holds(path)),
    );
    this.#inForce.push({ top, by, isNamed: by !== 'link' && top === target, access: inForce });
  }

  /** Where another file system is mounted, it is looked through as far as the server names directories there. */
  #mount(path: string): void {
    const inside = this.#named.filter(({ target }) => below(target, path) !== undefined);
    appendAll(this.places, topmostOf(inside));
    if (inside.length === 0) this.note(path, OTHER_FILE_SYSTEM);
  }

  #follow(link: LinkedPath): void {
    if (this.#lookedAt.covers(link.target)) return;
    if (!this.#search.place.holds(link.target)) {
      this.note(link.path, OUT_OF_COPY);
      return;
    }
    if (this.#files.source.planted?.(link.path, undefined, link.target) === true) {
      if (mayHoldConfig(this.#files.source, link.target, new Set(this.#names)))
        this.note(link.path, linkOfAnother(this.#files, link.target), link.path);
      return;
    }
    this.#lookedAt.add(link.target);
    this.places.push({ ...link, by: 'link' });
  }

  /** Whose files there are most of is known only when all are found. */
  #load(): void {
    const { follower } = this.#search;
    const tooMany = this.#files.tooMany(
      this.#inForce.flatMap(({ access }) => access.map(({ path }) => path)),
    );
    for (const { top, by, isNamed, access } of this.#inForce) {
      const read = follower.accessDiffers ? access : firstOfEach(access, this.#names);
      for (const { path, directory, link } of read)
        if (link !== undefined && this.#files.source.planted?.(link, undefined, path) === true)
          this.note(link, linkOfAnother(this.#files, path), directory);
        else if (tooMany.has(path)) this.note(link ?? path, TOO_MUCH, directory);
        else this.#add(path, link, directory, isNamed);
      if (by === 'link') continue;
      for (const [directory, path] of filesOver(this.#search, top))
        this.#add(this.#files.source.real(path), path, directory, true);
    }
  }

  /** @param link by which it was reached; undefined for a real path */
  #add(path: string, link: string | undefined, directory: string, isNamed: boolean): void {
    try {
      const file = this.#files.load(path, link === undefined ? undefined : { path: link });
      this.found.push({ file, directory, isNamed });
    } catch (error) {
      if (!(error instanceof SourceError)) throw error;
      this.note(link ?? path, error.message, directory);
    }
  }
}

const TOO_MANY_PATHS = `links lead here by ${MAX_PATHS} paths or more: others than these are not looked at`;
const TOO_LARGE =
  'the server serves this directory, and it has more than one run looks through: not looked through as a whole (give it too)';
const OTHER_FILE_SYSTEM =
  'another file system is mounted here: not looked into (give this directory too, if the server serves it)';
