import { below, dirname, join } from './paths';
import { type FileSource, SourceError } from '../types';

/** A path that leads to another directory through a symbolic link: httpd reads the `.htaccess` files behind it by this path too. */
export interface LinkedPath {
  readonly path: string;
  readonly target: string;
}

/** The symbolic links in these paths, as far as the paths exist: each as the leading part of a path, with its real path. */
export function linkedPathsAlong(source: FileSource, paths: Iterable<string>): LinkedPath[] {
  const links = new Map<string, string>();
  const seen = new Set<string>();
  const existence = new Map<string, boolean>([['/', true]]);
  /** Nothing exists below a missing directory: for a configuration that was copied from its server, most paths need no disk access. */
  function isThere(path: string): boolean {
    let known = existence.get(path);
    if (known === undefined)
      existence.set(path, (known = isThere(dirname(path)) && source.kind(path) !== undefined));
    return known;
  }
  for (const path of paths)
    for (let at = path; at !== '/' && !seen.has(at); at = dirname(at)) {
      seen.add(at);
      if (!isThere(at)) continue;
      const target = realOf(source, at);
      if (target === at) break;
      if (target !== undefined) links.set(at, target);
    }
  return [...links].map(([path, target]) => ({ path, target }));
}

function realOf(source: FileSource, path: string): string | undefined {
  try {
    return source.real(path);
  } catch (error) {
    if (!(error instanceof SourceError)) throw error;
    return undefined;
  }
}

/** The paths by which these links lead to a directory. */
export function pathsTo(directory: string, links: readonly LinkedPath[]): string[] {
  return links.flatMap(({ path, target }) => {
    const rest = below(directory, target);
    return rest === undefined ? [] : [rest === '' ? path : join(path, rest)];
  });
}
