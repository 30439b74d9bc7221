import { below, dirname, join } from './paths';
import { type FileSource, SourceError } from '../types';

/** A path to another directory through a symbolic link: httpd reads the `.htaccess` files behind it by this path too. */
export interface LinkedPath {
  readonly path: string;
  readonly target: string;
}

/** The symbolic links in these paths, as far as the paths exist: each as the leading part of a path, with its real path. */
export function linkedPathsAlong(source: FileSource, paths: Iterable<string>): LinkedPath[] {
  const links = new Map<string, string>();
  const seen = new Set<string>();
  const existence = new Map<string, boolean>([['/', true]]);
  /** Nothing exists below a missing directory: of a configuration copied from its server, most paths need no look. */
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

/** Paths to one directory that are followed; nobody could say what a file is for that is reached by more. */
export const MAX_PATHS = 64;

/** The paths by which links lead to a directory, links that lie behind other links included. */
export class PathsByLinks {
  /** By target, and by path: one user may have made a hundred thousand to one directory. */
  readonly #byTarget = new Map<string, Map<string, LinkedPath>>();

  constructor(links: Iterable<LinkedPath>) {
    for (const link of links) {
      const known = this.#byTarget.get(link.target);
      if (known === undefined) this.#byTarget.set(link.target, new Map([[link.path, link]]));
      else if (!known.has(link.path)) known.set(link.path, link);
    }
  }

  /**
   * @param directories paths to the one directory
   * @returns these first, then those through links; a link that leads back above itself is gone through once
   */
  to(directories: readonly string[]): readonly string[] {
    if (this.#byTarget.size === 0) return directories.length < 2 ? directories : [...new Set(directories)];
    const found = new Map<string, readonly LinkedPath[]>(directories.map((path) => [path, []]));
    for (const [directory, used] of found)
      for (let at = directory; ; at = dirname(at)) {
        for (const link of this.#byTarget.get(at)?.values() ?? []) {
          if (found.size >= MAX_PATHS) return [...found.keys()];
          const rest = below(directory, link.target)!;
          const path = rest === '' ? link.path : join(link.path, rest);
          if (!used.includes(link) && !found.has(path)) found.set(path, [...used, link]);
        }
        if (at === '/') break;
      }
    return [...found.keys()];
  }
}
