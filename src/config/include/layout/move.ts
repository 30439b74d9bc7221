import { basename, below, dirname, join, resolvePath } from '../../source';
import { type FileSource, SourceError } from '../../types';

/** A configuration lies elsewhere than on its server: what the server calls `from` is `to` here. Neither ends with a slash. */
export interface CopiedPlace {
  /** `''` for the whole file system, `C:` for a drive. */
  readonly from: string;
  readonly to: string;
}

/**
 * Where distributions have their configuration: they look there without a ServerRoot line, or their ServerRoot is elsewhere
 * (Gentoo's is /usr/lib64/apache2, that of macOS /usr). Of two that a path ends with the later is meant.
 */
const HOMES = ['/etc/apache2', '/private/etc/apache2', '/etc/httpd', '/etc/httpd/conf'];

/** Where servers have their configuration, one without a ServerRoot line included. */
const SYSTEM_DIRECTORIES = ['/etc', '/opt', '/usr'];

/** Where a server's configuration lies, and what it says of that. */
export interface ConfigurationPlace {
  /** The main file: a real path. */
  readonly directory: string;
  /** The main file itself, where there is one. */
  readonly main?: string | undefined;
  /** The main file as it was given, where that is by a link. */
  readonly givenAs?: string | undefined;
  /** The ServerRoot line. */
  readonly declared: string | undefined;
  /** --server-root */
  readonly given: string | undefined;
}

/**
 * Whether the server's paths are those of the files that are read. They are of a source that holds nothing but what a run is
 * about; of this machine's disk they are where the configuration lies below its ServerRoot, or where packages put it: else it is
 * a copy of another server's, and what this machine has at the same paths is another server's, or nobody's.
 */
export function isHere(source: FileSource, place: ConfigurationPlace): boolean {
  return source.isMachine !== true || isAtHome(source, place);
}

/** Like the function above, where only the place of the configuration counts. */
export function isAtHome(source: FileSource, place: ConfigurationPlace): boolean {
  const { directory, givenAs } = place;
  return isHome(source, directory, place) || (givenAs !== undefined && isHome(source, givenAs, place));
}

function isHome(source: FileSource, directory: string, { declared, given }: ConfigurationPlace): boolean {
  if (declared !== undefined && declared !== '/' && declared.startsWith('/')) {
    const homes = [declared, ...realPathOf(source, declared)];
    if (homes.some((home) => below(directory, home) !== undefined)) return true;
    return HOMES.some((home) => below(directory, home) !== undefined) && given === undefined;
  }
  if (declared?.startsWith('/') === false) return false;
  const home = HOMES.findLast((path) => directory.endsWith(path));
  if (home !== undefined && home !== directory) return false;
  return SYSTEM_DIRECTORIES.some((path) => below(directory, path) !== undefined);
}

function realPathOf(source: FileSource, path: string): string[] {
  try {
    return [source.real(path)];
  } catch (error) {
    if (!(error instanceof SourceError)) throw error;
    return [];
  }
}

/**
 * Finds out what a configuration was copied with: the directory around it that is called as its ServerRoot is that ServerRoot,
 * and as far up as the names agree, so are the directories around both.
 * @param directory of the main file: a real path
 * @param declared the ServerRoot line
 * @param given --server-root
 * @returns undefined for a configuration that lies on its server, and where the names do not tell
 */
export function moveOf(
  directory: string,
  declared: string | undefined,
  given: string | undefined,
): CopiedPlace | undefined {
  if (declared === '/' || (declared !== undefined && below(directory, declared) !== undefined))
    return undefined;
  const isDrive = declared?.startsWith('/') === false;
  const home =
    given === undefined && !isDrive ? HOMES.findLast((path) => directory.endsWith(path)) : undefined;
  if (home !== undefined) {
    const to = directory.slice(0, -home.length);
    return to === '' ? undefined : { from: '', to };
  }
  const root =
    declared ?? HOMES.find((path) => basename(path) !== 'conf' && basename(path) === basename(directory));
  if (root === undefined || below(directory, root) !== undefined) return undefined;
  const isSame = (a: string, b: string): boolean => (isDrive ? a.toLowerCase() === b.toLowerCase() : a === b);
  const top = given ?? likelyRoot(directory, (name) => isSame(name, basename(root)));
  if (top === undefined) return undefined;
  let [from, to] = [root, top === '/' ? '' : top];
  while (from !== '' && !/^[A-Za-z]:$/.test(from) && to !== '' && isSame(basename(from), basename(to)))
    [from, to] = [parentOf(from), parentOf(to)];
  return from === to ? undefined : { from, to };
}

/**
 * The root of a copy where no name tells: the nearest directory around the configuration below which one of the server's
 * directories lies. That of the whole machine is none. A directory that the configuration lies in itself, and that has one name
 * alone in common with the server's, is one that happens to be called so.
 * @param isOfCopy whether what lies at a path may have come with the configuration, and was not put beside it by others
 * @param paths of the server, absolute
 */
export function moveBySurroundings(
  isDirectory: (path: string) => boolean,
  isOfCopy: (path: string, top: string) => boolean,
  directory: string,
  paths: readonly string[],
): CopiedPlace | undefined {
  // Thousands of paths begin with few names, and where none of these is there, none of the paths is.
  const beginnings = new Set(paths.map((path) => /^\/[^/.]+(?=\/|$)/.exec(path)?.[0]));
  const mayHold = (top: string): boolean =>
    [...beginnings].some((beginning) => beginning === undefined || isDirectory(top + beginning));
  for (let to = directory; to !== '/'; to = dirname(to))
    for (const path of mayHold(to) ? paths : []) {
      const [from = ''] = /^[A-Za-z]:/.exec(path) ?? [];
      const local = localPath({ from, to }, path);
      if (local === undefined || local === to || !isDirectory(resolvePath('/', local))) continue;
      if (!isOfCopy(local, to)) continue;
      if (below(directory, local) === undefined || dirname(local) !== to) return { from, to };
    }
  return undefined;
}

/**
 * Whether what lies at a path below a directory may have come with a configuration. A directory like `/tmp` is everybody's: what
 * is of another user than root, the owner of the directory and that of the configuration was put there by somebody who wants it
 * read.
 * @param main the main file, or its directory
 */
export function surroundingsTest(
  source: FileSource,
  main: string | undefined,
): (path: string, top: string) => boolean {
  if (source.owners === undefined) return () => true;
  const owners = (path: string): readonly number[] => source.owners?.(path) ?? [];
  return (path, top) => {
    const [name = ''] = (below(path, top) ?? '').split('/');
    const trusted = new Set([0, ...owners(top), ...(main === undefined ? [] : owners(main))]);
    return owners(join(top, name)).every((owner) => trusted.has(owner));
  };
}

/** Whether paths are directories: below what is none, nothing is looked for. A configuration may name thousands of them. */
export function directoryTest(source: FileSource): (path: string) => boolean {
  const known = new Map([['/', true]]);
  const isDirectory = (path: string): boolean => {
    let found = known.get(path);
    if (found === undefined) {
      found = isDirectory(dirname(path)) && source.kind(path) === 'directory';
      known.set(path, found);
    }
    return found;
  };
  return isDirectory;
}

/** The nearest directory, from one upwards, with such a name. */
function likelyRoot(directory: string, isCalledSo: (name: string) => boolean): string | undefined {
  for (let at = directory; at !== '/'; at = dirname(at)) if (isCalledSo(basename(at))) return at;
  return undefined;
}

function parentOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')));
}

/** Where a path of the server lies here; undefined for what was not copied with the configuration. */
export function localPath({ from, to }: CopiedPlace, path: string): string | undefined {
  const rest = restOf(path, from);
  return rest === undefined ? undefined : rest === '' ? to || '/' : join(to, rest);
}

/** What the server calls a path here. */
export function serverPath({ from, to }: CopiedPlace, path: string): string | undefined {
  const rest = restOf(path, to);
  return rest === undefined ? undefined : rest === '' ? from || '/' : join(from, rest);
}

/** The part of a path below a directory, without slash. The letter of a drive has no case. */
export function restOf(path: string, directory: string): string | undefined {
  if (directory === '') return path.startsWith('/') ? path.slice(1) : undefined;
  const length = /^[A-Za-z]:/.test(directory) ? directory.length : 0;
  return below(
    path.slice(0, length).toLowerCase() + path.slice(length),
    directory.slice(0, length).toLowerCase() + directory.slice(length),
  );
}
