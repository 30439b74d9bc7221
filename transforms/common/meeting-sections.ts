import { type Frame, type Place, type Servers } from '../../src/config';
import { containersOf, isUnknown } from './lines';

/** Whether a request that meets one place has met another before: in every case, in some or in none. */
export type Meeting = 'always' | 'maybe' | 'never';

/** Where sections stand in the order in which a request meets them: server, directories, files, URLs. */
const RANKS: Readonly<Record<string, number>> = {
  directory: 1,
  directorymatch: 1,
  files: 2,
  filesmatch: 2,
  location: 3,
  locationmatch: 3,
  proxy: 1,
  proxymatch: 1,
};

/**
 * Whether the settings of `outer` are merged before those of `inner`, for the requests that get those of `inner`. Both may be in
 * conditionals, which are for the caller to look at. Places in the same section or at the same level never meet in this sense.
 */
export function meetsBefore(outer: Place, inner: Place, servers: Servers): Meeting {
  const [outerFrames, innerFrames] = [containersOf(outer), containersOf(inner)];
  const known = serverMeeting(outer, inner, servers);
  if (known === 'never') return 'never';
  const isSameRoot = outer.root === inner.root || (isOfServer(outer) && isOfServer(inner));
  const isAround = isSameRoot && outerFrames.every(({ section }, i) => innerFrames[i]?.section === section);
  if (isAround && isOfServer(outer)) {
    const deeper = innerFrames.length > outerFrames.length || servers.of(outer) !== servers.of(inner);
    return deeper ? known : 'never';
  }
  if (isAround) return innerFrames.length > outerFrames.length ? 'always' : 'never';
  if (outerFrames.length === 0 && isOfServer(outer)) return known;
  return both(known, sectionMeeting(outer, outerFrames, inner, innerFrames));
}

const both = (a: Meeting, b: Meeting): Meeting =>
  a === 'never' || b === 'never' ? 'never' : a === 'always' ? b : a;

const isOfServer = ({ root }: Place): boolean => root.role !== 'htaccess';

/** What the servers of both places say: a virtual host meets the main server's settings, and never those of another. */
function serverMeeting(outer: Place, inner: Place, servers: Servers): Meeting {
  if (!isOfServer(outer)) return 'maybe';
  const [outerServer, innerServer] = [servers.of(outer), servers.of(inner)];
  if (!isOfServer(inner)) {
    // A .htaccess is met on any server that maps a URL to its directory.
    if (outerServer.kind === 'fragment') return 'never';
    return outerServer.kind === 'main' ? 'always' : 'maybe';
  }
  if (outerServer === innerServer || outerServer === innerServer.parent) return 'always';
  return innerServer === outerServer.parent ? 'maybe' : 'never';
}

function sectionMeeting(
  outer: Place,
  outerFrames: readonly Frame[],
  inner: Place,
  innerFrames: readonly Frame[],
): Meeting {
  const [outerRank, innerRank] = [rankOf(outerFrames), rankOf(innerFrames)];
  if (outerRank > innerRank) return 'never';
  const [above, below] = [directoriesOf(outer, outerFrames), directoriesOf(inner, innerFrames)];
  if (above !== undefined && below !== undefined) {
    const covered = below.filter((directory) => above.some((path) => isAtOrBelow(directory, path)));
    if (covered.length === 0) return 'never';
    const isWhole = outerFrames.length === (isOfServer(outer) ? 1 : 0);
    return isWhole && covered.length === below.length ? 'always' : 'maybe';
  }
  const [outerPath, innerPath] = [plainPath(outerFrames.at(-1)), plainPath(innerFrames.at(-1))];
  if (outerRank === 2 && innerRank === 2 && outerPath !== undefined && innerPath !== undefined)
    return outerPath === innerPath ? 'maybe' : 'never';
  if (outerRank === 3 && outerPath !== undefined && innerPath !== undefined)
    return isAtOrBelow(innerPath, outerPath) ? 'always' : 'never';
  return 'maybe';
}

const rankOf = (frames: readonly Frame[]): number => RANKS[frames.at(-1)?.section.key ?? 'directory'] ?? 3;

/** The directories that a place is about, if it is in a `.htaccess` or a `<Directory>` without a pattern. */
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

function isAtOrBelow(path: string, above: string): boolean {
  const withSlash = (text: string): string => (text.endsWith('/') ? text : `${text}/`);
  return withSlash(path).startsWith(withSlash(above));
}
