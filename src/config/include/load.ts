import { boundaryOf } from './boundary';
import { Files, type FilesOptions, type LoadedFile, sortProblems } from './files';
import type { FollowOptions } from './follow';
import { filesAbove, findFiles } from './found';
import { readGiven } from './given';
import { homesOf } from './bases';
import { join, resolvePath } from '../source';
import { findRoots } from './roots';
import { type ConfigTree, type FileSource, type Role, SourceError, type Unreadable } from '../types';

export interface LoadOptions extends FilesOptions {
  /** Stands in for every ServerRoot: the directory that holds the configuration. Relative to `cwd`. */
  readonly serverRoot?: string;
  /** -D NAME=VALUE; the value is '' for a bare name. */
  readonly defines: ReadonlyMap<string, string>;
  readonly env: ReadonlyMap<string, string>;
  /** Look into directories, and let files be written, that lie outside of what is given but that links and Includes lead to. */
  readonly follow?: boolean;
}

/**
 * Reads the configuration that the given files and directories make up, as one tree.
 * @param paths byte strings, absolute or relative to `cwd`
 * @throws SourceError, its path as given, when one of `paths` cannot be used: `ENOENT`, `EACCES`, …, `EBINARY`, `ENOCONFIG`
 */
export function loadTree(source: FileSource, paths: readonly string[], options: LoadOptions): ConfigTree {
  const { cwd, defines, env } = options;
  const files = new Files(source, options);
  const serverRoot = options.serverRoot === undefined ? undefined : resolvePath(cwd, options.serverRoot);
  const follow: FollowOptions = { serverRoot, defines, env };

  const given = readGiven(files, paths, cwd);
  const unreadable: Unreadable[] = [];
  const { roots, follower } = findRoots(files, given, follow, unreadable);
  const { htaccess, candidates, unvisited } = findFiles(
    files,
    given,
    follower,
    unreadable,
    options.follow === true,
  );
  const all = new Set([...follower.edges.keys(), ...htaccess]);
  const loose = [...candidates].filter((file) => !all.has(file));
  for (const file of loose) follower.root(file, false);
  const unreached = loose.filter((file) => !follower.isIncluded(file));
  for (const file of follower.edges.keys()) all.add(file);
  if (all.size === 0 && unreadable.length === 0) {
    throw new SourceError(paths[0] ?? '', 'ENOCONFIG', 'no httpd configuration found');
  }

  files.outsideOf = boundaryOf(source, {
    given,
    accessNames: new Set([...follower.accessNames, '.htaccess']),
    declared: follower.declared,
    serverRoot,
    follow: options.follow === true,
  });
  setRole(unreached, 'unreached');
  setRole(roots, 'server');
  setRole(htaccess, 'htaccess');
  return {
    files: [...all],
    roots,
    htaccess: [...htaccess],
    unreached,
    directories: given.directories.map((directory) => directory.real),
    includes: follower.includes,
    isServer: follower.isServer,
    variables: follower.variables,
    build: follower.isServer ? findBuild(files, roots, given.directories, serverRoot) : undefined,
    defines: new Set(defines.keys()),
    problems: sortProblems([...all], follower.problems),
    unreadable,
    unvisited,
    accessDiffers: follower.accessDiffers,
    above: follower.isServer ? filesAbove(files, given, follower).filter((file) => !all.has(file)) : [],
  };
}

/** Beside the configuration, as it is below a ServerRoot, or in a copy of one. */
function findBuild(
  files: Files,
  roots: readonly LoadedFile[],
  directories: readonly { readonly real: string }[],
  serverRoot: string | undefined,
): LoadedFile | undefined {
  const homes = [
    ...(serverRoot === undefined ? [] : [serverRoot]),
    ...directories.map(({ real }) => real),
    ...roots.flatMap(({ path }) => homesOf(path)),
  ];
  for (const home of homes) {
    const path = join(home, 'build/config.nice');
    if (files.source.kind(path) !== 'file') continue;
    try {
      return files.load(files.real(path, false));
    } catch (error) {
      // What cannot be read adds nothing: the server runs without it.
      if (!(error instanceof SourceError)) throw error;
    }
  }
  return undefined;
}

function setRole(files: Iterable<LoadedFile>, role: Role): void {
  for (const file of files) file.role = role;
}
