import { requestsMayComeTo } from '../../src/access';
import {
  type ConfigTree,
  type Frame,
  type Place,
  type Server,
  type Servers,
  serversOf,
} from '../../src/config';
import { appendAll, type Section } from '../../src/syntax';
import { containersOf, isUnknown } from './lines';
import { addTo } from '../../src/maps';

/** Whether a request that meets one place has met another before: in every case, in some or in none. */
export type Meeting = 'always' | 'maybe' | 'never';

/** Where sections stand in the order in which a request meets them: server, directories, files, URLs. */
const RANKS: Readonly<Record<string, number>> = {
  __proto__: null!,
  directory: 1,
  directorymatch: 1,
  files: 2,
  filesmatch: 2,
  location: 3,
  locationmatch: 3,
  proxy: 1,
  proxymatch: 1,
};

/** What a place says about which requests meet it. */
interface PlaceFacts {
  readonly place: Place;
  readonly frames: readonly Frame[];
  /** None of a `.htaccess`. */
  readonly server: Server | undefined;
  readonly rank: number;
  /** The directories that it is about, if it is in a `.htaccess` or a `<Directory>` without a pattern. Each ends in a slash. */
  readonly directories: readonly string[] | undefined;
  /** The argument of the innermost section, if that is no pattern; and with a slash at its end. */
  readonly path: string | undefined;
  readonly pathWithSlash: string | undefined;
}

/** One of several places, and whether a request has met it before. */
interface MetPlace<T> {
  readonly item: T;
  /** Which of all it is. */
  readonly index: number;
  readonly meeting: Exclude<Meeting, 'never'>;
}

/**
 * Places in the order in which they are read, filed by what a place must say to meet them: a large server has thousands of
 * sections that set the same, and most meet none of the others.
 */
export class PlacesMet<T> {
  readonly #tree: ConfigTree;
  readonly #servers: Servers;
  readonly #items: readonly T[];
  readonly #facts: readonly PlaceFacts[];
  /** Places in a `.htaccess` or a plain `<Directory>`, by directory; places in a plain `<Location>`, by URL. */
  readonly #byDirectory = new Map<string, number[]>();
  readonly #byUrl = new Map<string, number[]>();
  readonly #others = new Map<Server | undefined, number[]>();
  readonly #bySection = new Map<Section, number[]>();

  constructor(items: readonly T[], placeOf: (item: T) => Place, tree: ConfigTree) {
    this.#tree = tree;
    this.#servers = serversOf(tree);
    this.#items = items;
    this.#facts = items.map((item) => factsOf(placeOf(item), this.#servers));
    for (const [i, { frames, rank, directories, pathWithSlash, server }] of this.#facts.entries()) {
      const section = frames.at(-1)?.section;
      if (section !== undefined) addTo(this.#bySection, section, i);
      if (directories !== undefined) for (const path of directories) addTo(this.#byDirectory, path, i);
      else if (rank === 3 && pathWithSlash !== undefined) addTo(this.#byUrl, pathWithSlash, i);
      else addTo(this.#others, server, i);
    }
  }

  /** The places whose settings are merged before those of a place, as {@link meetsBefore} has it. */
  before(place: Place): readonly MetPlace<T>[] {
    const inner = factsOf(place, this.#servers);
    const met: MetPlace<T>[] = [];
    for (const index of this.#candidates(inner)) {
      const outer = this.#facts[index]!;
      const meeting = meetsBefore(outer, inner);
      if (meeting !== 'never' && this.#haveRequests(outer, inner))
        met.push({ item: this.#items[index]!, index, meeting });
    }
    return met;
  }

  /** Whether the requests of one place may come to the other: those of a virtual host come to few users' files. */
  #haveRequests(outer: PlaceFacts, inner: PlaceFacts): boolean {
    if ((outer.server === undefined) === (inner.server === undefined)) return true;
    const [ofServer, ofFile] = outer.server === undefined ? [inner, outer] : [outer, inner];
    return requestsMayComeTo(this.#tree)(ofServer.place, ofFile.place.root);
  }

  /** All that may be met, and some that are not. */
  #candidates({ frames, rank, directories, pathWithSlash, server }: PlaceFacts): readonly number[] {
    const found: (readonly number[] | undefined)[] = frames.map(({ section }) =>
      this.#bySection.get(section),
    );
    if (directories === undefined) appendAll(found, this.#byDirectory.values());
    else for (const path of directories.flatMap(withAllAbove)) found.push(this.#byDirectory.get(path));
    if (rank === 3 && pathWithSlash === undefined) appendAll(found, this.#byUrl.values());
    else if (rank === 3) for (const url of withAllAbove(pathWithSlash!)) found.push(this.#byUrl.get(url));
    // What is read for all virtual hosts may be met by what stands in any.
    if (server?.parent === undefined) appendAll(found, this.#others.values());
    else for (const from of [server, server.parent, undefined]) found.push(this.#others.get(from));
    return [...new Set(found.flatMap((list) => list ?? []))].sort((a, b) => a - b);
  }
}

/** A path that ends in a slash, and the same cut off behind each other slash. */
function withAllAbove(path: string): readonly string[] {
  const found: string[] = [];
  for (let at = path.indexOf('/'); at >= 0; at = path.indexOf('/', at + 1)) found.push(path.slice(0, at + 1));
  return found;
}

function factsOf(place: Place, servers: Servers): PlaceFacts {
  const frames = containersOf(place);
  const path = plainPath(frames.at(-1));
  return {
    place,
    frames,
    server: place.root.role === 'htaccess' ? undefined : servers.of(place),
    rank: RANKS[frames.at(-1)?.section.key ?? 'directory'] ?? 3,
    directories: directoriesOf(place, frames)?.map(withSlash),
    path,
    pathWithSlash: path === undefined ? undefined : withSlash(path),
  };
}

/**
 * Whether the settings of `outer` are merged before those of `inner`, for the requests that get those of `inner`. Both may be in
 * conditionals, which are for the caller to look at. Places in the same section or at the same level never meet in this sense.
 */
function meetsBefore(outer: PlaceFacts, inner: PlaceFacts): Meeting {
  const known = serverMeeting(outer.server, inner.server);
  if (known === 'never') return 'never';
  const isOfServer = outer.server !== undefined;
  const isSameRoot = outer.place.root === inner.place.root || (isOfServer && inner.server !== undefined);
  const isAround = isSameRoot && outer.frames.every(({ section }, i) => inner.frames[i]?.section === section);
  const isDeeper = inner.frames.length > outer.frames.length;
  if (isAround && isOfServer) return isDeeper || outer.server !== inner.server ? known : 'never';
  if (isAround) return isDeeper ? 'always' : 'never';
  if (outer.frames.length === 0 && isOfServer) return known;
  return both(known, sectionMeeting(outer, inner));
}

const both = (a: Meeting, b: Meeting): Meeting =>
  a === 'never' || b === 'never' ? 'never' : a === 'always' ? b : a;

/** What the servers of both places say: a virtual host meets the main server's settings, and never those of another. */
function serverMeeting(outer: Server | undefined, inner: Server | undefined): Meeting {
  if (outer === undefined) return 'maybe';
  if (inner === undefined) {
    // A .htaccess is met on any server that maps a URL to its directory.
    if (outer.kind === 'fragment') return 'never';
    return outer.kind === 'main' ? 'always' : 'maybe';
  }
  if (outer === inner || outer === inner.parent) return 'always';
  return inner === outer.parent ? 'maybe' : 'never';
}

function sectionMeeting(outer: PlaceFacts, inner: PlaceFacts): Meeting {
  if (outer.rank > inner.rank) return 'never';
  const [above, below] = [outer.directories, inner.directories];
  if (above !== undefined && below !== undefined) {
    const covered = below.filter((directory) => above.some((path) => directory.startsWith(path)));
    if (covered.length === 0) return 'never';
    const isWhole = outer.frames.length === (outer.server === undefined ? 0 : 1);
    return isWhole && covered.length === below.length ? 'always' : 'maybe';
  }
  const isLiteral = outer.path !== undefined && inner.path !== undefined;
  if (outer.rank === 2 && inner.rank === 2 && isLiteral) return outer.path === inner.path ? 'maybe' : 'never';
  if (outer.rank === 3 && isLiteral)
    return inner.pathWithSlash!.startsWith(outer.pathWithSlash!) ? 'always' : 'never';
  return 'maybe';
}

function directoriesOf({ root }: Place, frames: readonly Frame[]): readonly string[] | undefined {
  if (root.role === 'htaccess') return root.directories;
  const path = frames[0]?.section.key === 'directory' ? plainPath(frames[0]) : undefined;
  return path === undefined ? undefined : [path];
}

function plainPath(frame: Frame | undefined): string | undefined {
  if (frame === undefined || frame.section.key.endsWith('match')) return undefined;
  const [path] = frame.section.args;
  if (path === undefined || frame.section.args.length > 1) return undefined;
  return isUnknown(path.value) || /[*?[\]$%]/.test(path.value) ? undefined : path.value;
}

const withSlash = (path: string): string => (path.endsWith('/') ? path : `${path}/`);
