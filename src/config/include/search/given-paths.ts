import { basename, below, dirname, resolvePath } from '../../source';
import { type FileSource, SourceError } from '../../types';
import { likelyTops, hasDirective, hasSpareAccessName, holdsServerSection, isBinary } from '../layout';
import type { Files, LoadedFile } from '../files';

/** A file as it was given: its name and place may be those of a link. */
interface GivenFile {
  readonly file: LoadedFile;
  readonly base: string;
  readonly directory: string;
}

interface GivenDirectory {
  readonly path: string;
  readonly real: string;
}

export interface GivenPaths {
  readonly files: readonly GivenFile[];
  readonly directories: readonly GivenDirectory[];
}

/** @throws SourceError, its path as given */
export function readGiven(files: Files, paths: readonly string[], cwd: string): GivenPaths {
  const given = { files: [] as GivenFile[], directories: [] as GivenDirectory[] };
  for (const path of paths) {
    try {
      const absolute = resolvePath(cwd, path);
      const real = files.real(absolute, false);
      const kind = files.source.kind(absolute);
      if (kind === 'directory') given.directories.push({ path: absolute, real });
      else if (kind === 'file')
        given.files.push({
          file: readFile(files, real, absolute),
          base: basename(absolute),
          directory: dirname(absolute),
        });
      else throw new SourceError(path, 'EINVAL', 'neither a file nor a directory');
    } catch (error) {
      throw error instanceof SourceError ? new SourceError(path, error.code, error.message) : error;
    }
  }
  return given;
}

function readFile(files: Files, real: string, path: string): LoadedFile {
  const file = files.load(real, { path });
  const { text } = file.document;
  if (isBinary(text) && !hasDirective(text)) {
    throw new SourceError(real, 'EBINARY', 'not an httpd configuration (binary data)');
  }
  return file;
}

/** Whether a file given is for one directory: `.htaccess`, or as projects ship it, `htaccess.txt`, `ht.access`. */
export function isAccessFile({ file, base }: GivenFile, accessNames: ReadonlySet<string>): boolean {
  if (base === '.htaccess' || accessNames.has(base)) return true;
  return (/htaccess/i.test(base) || hasSpareAccessName(base)) && !holdsServerSection(file.document);
}

interface BoundaryOptions {
  readonly given: GivenPaths;
  readonly accessNames: ReadonlySet<string>;
  /** The ServerRoot that was read, and the one that was given. */
  readonly declared: string | undefined;
  readonly serverRoot: string | undefined;
}

/**
 * Tells which files lie in the paths given: those given and those below the directories given. Giving a configuration file also
 * gives its directory, the one above if that is called `conf`, `conf.d` or the like, and the ServerRoot around it.
 */
export function boundaryOf(source: FileSource, options: BoundaryOptions): (file: LoadedFile) => boolean {
  const inside = insideOf(source, options);
  const given = new Set(options.given.files.map(({ file }) => file));
  return (file) => given.has(file) || inside.some((directory) => below(file.path, directory) !== undefined);
}

/** Why a file may not be written, whatever is asked for; undefined where it may. */
export function refusalOf(source: FileSource, file: LoadedFile): string | undefined {
  if (
    file.direct ||
    !file.origins.every(
      ({ path, by, target = file.path }) => source.planted?.(path, by?.path, target) === true,
    )
  )
    return undefined;
  return 'it was reached through a link or an Include of another user than its owner';
}

function insideOf(
  source: FileSource,
  { given, accessNames, declared, serverRoot }: BoundaryOptions,
): string[] {
  const inside = given.directories.map(({ real }) => real);
  if (serverRoot !== undefined) inside.push(...realOf(source, serverRoot));
  const tops = declared === undefined ? [] : realOf(source, declared);
  for (const each of given.files) {
    if (isAccessFile(each, accessNames)) continue;
    const [ownDirectory = '/', ...above] = likelyTops(each.file.path);
    const root = tops.filter((top) => below(each.file.path, top) !== undefined);
    inside.push(ownDirectory, ...[...above, ...root].filter((path) => path !== '/'));
  }
  return [...new Set(inside)];
}

function realOf(source: FileSource, path: string): string[] {
  try {
    return path.startsWith('/') ? [source.real(path)] : [];
  } catch (error) {
    if (!(error instanceof SourceError)) throw error;
    return [];
  }
}
