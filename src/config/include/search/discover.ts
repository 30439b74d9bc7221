import { PART_DIRECTORIES, hasSpareAccessName } from '../layout';
import { type LinkedPath, basename, below, byBytes, dirname, join, resolvePath } from '../../source';
import { type FileSource, SourceError } from '../../types';

/** Directories in which nothing but AccessFileName files can matter to a server. */
const FOREIGN_DIRECTORIES = new Set(['.git', '.svn', '.hg', '.bzr', 'CVS', 'node_modules']);

/** Names in a directory of parts that are notes, data, backups or programs. */
const NOT_CONFIG =
  /^(?:\.|#|README|LICENSE|magic$|mime\.types$|charset\.conv$)|~$|\.(?:bak|crt|html?|js|key|md|old|orig|pem|php|pl|py|rb|rej|rpm(?:new|orig|save)|sh|swp|txt)$|\.(?:dpkg|ucf)-/i;

/** `httpd.conf`, and the templates it is shipped as: `httpd.conf.in`, `apache.conf-dist`; without an ending, `httpd-vhosts`. */
const LIKE_CONFIG =
  /\.conf(?:[.-][a-z0-9]+)*$|htaccess|^(?:[^.]*(?:vhost|virtual-?host)s?|(?:httpd|apache2?)[-_][^.]*)$/i;

const BACKUP = /~$|\.(?:bak|old|orig|rej|save|swp)$/i;

export interface FoundAccess {
  readonly path: string;
  readonly directory: string;
  readonly name: string;
  readonly link?: string;
}

/** What stands in the place of an AccessFileName file. */
export interface NoFile {
  readonly path: string;
  readonly name: string;
  readonly message: string;
  /** Both versions answer 403 to all that lies here (server/util.c: ap_pcfg_openfile; server/config.c: ap_parse_htaccess). */
  readonly isForbidden: boolean;
}

export interface DiscoveredFiles {
  /** AccessFileName files: the real path, the directory each stands in, and the link that leads there if one does. */
  readonly access: FoundAccess[];
  /** Files whose name or place says that they may be configuration: real paths. */
  readonly candidates: { path: string; link?: string }[];
  /** Links to directories that lie elsewhere. */
  readonly leaving: LinkedPath[];
  /** Links to nothing here that may lead to a directory where they were made, as far as their names tell. */
  readonly lost: string[];
  /** Links to directories that are looked through themselves. */
  readonly inner: LinkedPath[];
  readonly unreadable: { path: string; message: string }[];
  /** What has the name of an AccessFileName file, and is none. */
  readonly noFiles: NoFile[];
  /** Directories on which another file system is mounted: not looked into. */
  readonly mounts: string[];
  /** How many directories were looked into, and whether there are more than were asked for. */
  directories: number;
  isPartial: boolean;
}

/** What a walk keeps to where nobody has named the directory. */
export interface WalkBounds {
  /** Directories to look into. */
  readonly most: number;
  /** Stay on the file system that the directory lies on. */
  readonly oneFileSystem: boolean;
}

/** Levels of directories below one: more than any site has. */
const MAX_DEPTH = 256;
const TOO_DEEP = `more than ${MAX_DEPTH} levels below what is looked through: not looked into`;

/**
 * Looks through everything below a directory. Only links are asked where they lead: the rest has its real path from its parent.
 * @param top the real path of the directory
 * @param bounds none for a directory that was given
 */
export function discover(
  source: FileSource,
  top: string,
  accessNames: ReadonlySet<string>,
  bounds: WalkBounds = { most: Infinity, oneFileSystem: false },
): Readonly<DiscoveredFiles> {
  if (source.once === undefined) return walk(source, top, accessNames, bounds);
  const question = ['discover', top, bounds.most, bounds.oneFileSystem, ...accessNames].join('\0');
  return source.once(question, (fresh) => walk(fresh, top, accessNames, bounds));
}

function nothingFound(): DiscoveredFiles {
  return {
    access: [],
    candidates: [],
    leaving: [],
    lost: [],
    inner: [],
    unreadable: [],
    noFiles: [],
    mounts: [],
    directories: 0,
    isPartial: false,
  };
}

function walk(
  source: FileSource,
  top: string,
  accessNames: ReadonlySet<string>,
  { most, oneFileSystem }: WalkBounds,
): DiscoveredFiles {
  const found = nothingFound();

  function link(path: string, name: string): void {
    const kind = source.kind(path);
    if (kind !== 'file' && accessNames.has(name)) found.noFiles.push(noFile(source, path, name, kind));
    if (kind === undefined) {
      if (!name.includes('.') && !isLoop(source, path)) found.lost.push(path);
      return;
    }
    const target = ifThere(path, found, () => source.real(path));
    if (target === undefined) return;
    if (kind === 'file' && accessNames.has(name))
      found.access.push({ path: target, directory: dirname(path), name, link: path });
    else if (kind === 'file' && isCandidate(name, isForParts(dirname(path))))
      found.candidates.push({ path: target, link: path });
    else if (kind === 'directory' && below(target, top) === undefined) found.leaving.push({ path, target });
    else if (kind === 'directory') found.inner.push({ path, target });
  }

  /** Names with a slash lead below the directory that the file is for, or out of it by `..` (config.c: ap_parse_htaccess). */
  const namesOfPaths = [...accessNames].filter((name) => name.includes('/'));

  function byPath(directoryPath: string, name: string): void {
    const path = resolvePath(directoryPath, `./${name}`);
    const kind = source.kind(path);
    const target = kind === 'file' ? ifThere(path, found, () => source.real(path)) : undefined;
    if (target !== undefined)
      found.access.push({
        path: target,
        directory: directoryPath,
        name,
        ...(target !== path && { link: path }),
      });
    else if (kind !== undefined && kind !== 'file') found.noFiles.push(noFile(source, path, name, kind));
  }

  const device = oneFileSystem ? source.device?.(top) : undefined;

  function directory(path: string, foreign: boolean, depth: number): void {
    if (found.directories >= most) {
      found.isPartial = true;
      return;
    }
    if (depth > MAX_DEPTH) {
      found.unreadable.push({ path, message: TOO_DEEP });
      return;
    }
    if (device !== undefined && depth > 0 && source.device?.(path) !== device) {
      found.mounts.push(path);
      return;
    }
    found.directories++;
    const parts = isForParts(path);
    const subdirectories: string[] = [];
    for (const { name, kind } of [...list(source, path, found)].sort((a, b) => byBytes(a.name, b.name))) {
      if ((kind === 'directory' || kind === 'other') && accessNames.has(name))
        found.noFiles.push(noFile(source, join(path, name), name, kind));
      if (kind === 'directory') subdirectories.push(name);
      else if (kind === 'link') link(join(path, name), name);
      else if (kind !== 'file') continue;
      else if (accessNames.has(name)) found.access.push({ path: join(path, name), directory: path, name });
      else if (!foreign && isCandidate(name, parts)) {
        found.candidates.push({ path: join(path, name) });
      }
    }
    for (const name of namesOfPaths) byPath(path, name);
    for (const name of subdirectories)
      directory(join(path, name), foreign || FOREIGN_DIRECTORIES.has(name), depth + 1);
  }

  directory(top, false, 0);
  return found;
}

function noFile(
  source: FileSource,
  path: string,
  name: string,
  kind: ReturnType<FileSource['kind']>,
): NoFile {
  if (kind === undefined && !isLoop(source, path))
    return { path, name, message: LINK_TO_NOTHING, isForbidden: false };
  const what =
    kind === 'directory'
      ? 'a directory, not a file'
      : kind === undefined
        ? 'a link that leads back to itself'
        : 'no regular file';
  return {
    path,
    name,
    message: `${what}: httpd answers 403 to all that lies here, 2.2 and 2.4 alike: put a file in its place, or remove it`,
    isForbidden: true,
  };
}

const LINK_TO_NOTHING =
  'a link to nothing here: what its target says on the server is not known (give that too, or remove the link)';

function isLoop(source: FileSource, path: string): boolean {
  try {
    source.real(path);
    return false;
  } catch (error) {
    if (!(error instanceof SourceError)) throw error;
    return error.code === 'ELOOP';
  }
}

function list(source: FileSource, path: string, found: DiscoveredFiles): ReturnType<FileSource['list']> {
  return ifThere(path, found, () => source.list(path)) ?? [];
}

/** Asks about what stands in a directory. @returns undefined where that cannot be answered, or for what is no longer there */
function ifThere<T>(path: string, found: DiscoveredFiles, ask: () => T): T | undefined {
  try {
    return ask();
  } catch (error) {
    if (!(error instanceof SourceError)) throw error;
    // It may have been removed since its parent was listed.
    if (error.code !== 'ENOENT') found.unreadable.push({ path, message: error.message });
    return undefined;
  }
}

/** @param isPart the file stands in a directory of parts, where names say less */
function isCandidate(name: string, isPart: boolean): boolean {
  if (hasSpareAccessName(name)) return !BACKUP.test(name);
  return (isPart || LIKE_CONFIG.test(name)) && !NOT_CONFIG.test(name);
}

function isForParts(directory: string): boolean {
  return PART_DIRECTORIES.has(basename(directory));
}

/** How many directories are searched to decide whether a link to them is reported. */
const PROBED = 200;

/** False for a directory that holds no configuration, for instance logs, modules or pictures. */
export function mayHoldConfig(source: FileSource, top: string, accessNames: ReadonlySet<string>): boolean {
  const directories = [top];
  for (const path of directories) {
    if (directories.length > PROBED) return true;
    const parts = isForParts(path);
    let entries: ReturnType<FileSource['list']>;
    try {
      entries = source.list(path);
    } catch (error) {
      if (!(error instanceof SourceError)) throw error;
      return true;
    }
    for (const { name, kind } of entries) {
      if (kind === 'directory') directories.push(join(path, name));
      else if (accessNames.has(name) || isCandidate(name, parts)) return true;
    }
  }
  return false;
}
