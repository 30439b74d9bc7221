import { PART_DIRECTORIES } from './bases';
import { basename, below, byBytes, dirname, join } from './paths';
import { type FileSource, SourceError } from './types';

/** Directories in which nothing but AccessFileName files can matter to a server. */
const FOREIGN_DIRECTORIES = new Set(['.git', '.svn', '.hg', '.bzr', 'CVS', 'node_modules']);

/** Names in a directory of parts that are notes, data, backups or programs. */
const NOT_CONFIG =
  /^(?:\.|#|README|LICENSE|magic$|mime\.types$|charset\.conv$)|~$|\.(?:bak|crt|html?|js|key|md|old|orig|pem|php|pl|py|rb|rej|rpm(?:new|orig|save)|sh|swp|txt)$|\.(?:dpkg|ucf)-/i;

/** `httpd.conf`, and the templates it is shipped as: `httpd.conf.in`, `site.conf.erb`, `apache.conf-dist`. */
const LIKE_CONFIG = /\.conf(?:[.-][a-z0-9]+)*$|htaccess/i;

/** `htaccess.txt`, `.htaccess.sample`, `_htaccess`: a `.htaccess` that waits to be renamed. */
const LIKE_ACCESS = /^[._-]?htaccess\b/i;
const BACKUP = /~$|\.(?:bak|old|orig|rej|save|swp)$/i;

export interface Found {
  /** AccessFileName files: the real path, and the directory each stands in. */
  readonly access: { path: string; directory: string; name: string }[];
  /** Real paths of files whose name or place says that they may be configuration. */
  readonly candidates: string[];
  readonly unreadable: { path: string; message: string }[];
}

/**
 * Looks through everything below a directory. Only links are asked where they lead: the rest has its real path from its parent.
 * @param top the real path of the directory
 */
export function discover(source: FileSource, top: string, accessNames: ReadonlySet<string>): Found {
  const found: Found = { access: [], candidates: [], unreadable: [] };
  const directoryLinks: { path: string; target: string }[] = [];

  function link(path: string, name: string): void {
    const kind = source.kind(path);
    if (kind === undefined) return;
    const target = source.real(path);
    if (kind === 'file' && accessNames.has(name))
      found.access.push({ path: target, directory: dirname(path), name });
    else if (kind === 'file' && isCandidate(path, name)) found.candidates.push(target);
    else if (kind === 'directory' && below(target, top) !== undefined) directoryLinks.push({ path, target });
  }

  function directory(path: string, foreign: boolean): void {
    const parts = PART_DIRECTORIES.has(basename(path));
    const subdirectories: string[] = [];
    for (const { name, kind } of list(source, path, found).toSorted((a, b) => byBytes(a.name, b.name))) {
      if (kind === 'directory') subdirectories.push(name);
      else if (kind === 'link') link(join(path, name), name);
      else if (kind !== 'file') continue;
      else if (accessNames.has(name)) found.access.push({ path: join(path, name), directory: path, name });
      else if (!foreign && (parts || LIKE_CONFIG.test(name)) && isCandidate(join(path, name), name)) {
        found.candidates.push(join(path, name));
      }
    }
    for (const name of subdirectories) directory(join(path, name), foreign || FOREIGN_DIRECTORIES.has(name));
  }

  directory(top, false);
  addLinked(found, directoryLinks);
  return found;
}

function list(source: FileSource, path: string, found: Found): ReturnType<FileSource['list']> {
  try {
    return source.list(path);
  } catch (error) {
    if (!(error instanceof SourceError)) throw error;
    // What is gone since its parent was listed is no trouble.
    if (error.code !== 'ENOENT') found.unreadable.push({ path, message: error.message });
    return [];
  }
}

function isCandidate(path: string, name: string): boolean {
  if (LIKE_ACCESS.test(name)) return !BACKUP.test(name);
  return (LIKE_CONFIG.test(name) || PART_DIRECTORIES.has(basename(dirname(path)))) && !NOT_CONFIG.test(name);
}

/** A `.htaccess` also governs the paths that lead to its directory through a link; links behind links are left out. */
function addLinked(found: Found, links: readonly { path: string; target: string }[]): void {
  const access = [...found.access];
  for (const { path, target } of links) {
    for (const file of access) {
      const rest = below(file.directory, target);
      if (rest !== undefined)
        found.access.push({
          path: file.path,
          directory: rest === '' ? path : join(path, rest),
          name: file.name,
        });
    }
  }
}
