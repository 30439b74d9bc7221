import { below, compilePathPattern, dirname, isPattern, join, resolvePath } from '../source';
import { type ConfigTree, type FileSource, type FileRole, SourceError, type UnreadablePath } from '../types';
import { likelyTops, looksLikeConfig, mainFiles, localPath, restOf, serverPath } from './layout';
import {
  boundaryOf,
  type GivenPaths,
  isAccessFile,
  linkOfAnother,
  readGiven,
  refusalOf,
  filesAbove,
  findFiles,
  ServerPlace,
  findServed,
  notInUse,
  templatesBeside,
} from './search';
import { Files, type FilesOptions, type LoadedFile, sortProblems } from './files';
import { IncludeReader, type FollowOptions } from './follow';
import { findStartNames, findStartVariables, withStartVariables } from './start';

export interface LoadOptions extends FilesOptions {
  /** Stands in for every ServerRoot: the directory that holds the configuration. Relative to `cwd`. */
  readonly serverRoot?: string;
  /** -D NAME=VALUE; the value is '' for a bare name. */
  readonly defines: ReadonlyMap<string, string>;
  readonly env: ReadonlyMap<string, string>;
  /** What `httpd -V` of the 2.2 calls its MPM, in lower case, where that is known. */
  readonly mpm22?: string | undefined;
  /** What `httpd -l` of the 2.2 lists, such as `mod_alias.c`, where that is known. */
  readonly compiled22?: readonly string[] | undefined;
  /** Read what looks like configuration of a server and is not in use, too. */
  readonly unused?: boolean;
  /** All files are templates, which other programs fill in before httpd sees them, whatever their names. */
  readonly templates?: boolean;
}

/**
 * Reads the configuration that the given files and directories make up, as one tree.
 * @param paths byte strings, absolute or relative to `cwd`
 * @throws SourceError, its path as given, when one of `paths` cannot be used: `ENOENT`, `EACCES`, …, `EBINARY`, `ENOCONFIG`
 */
export function loadTree(source: FileSource, paths: readonly string[], options: LoadOptions): ConfigTree {
  const { cwd, defines } = options;
  const files = new Files(source, options);
  const serverRoot = options.serverRoot === undefined ? undefined : resolvePath(cwd, options.serverRoot);
  const given = readGiven(files, paths, cwd);
  const follow: FollowOptions = {
    serverRoot,
    defines,
    env: options.env,
    givenPaths: pathsOf(given),
    givenAs: namesOfLinks(given),
  };
  const { roots, follower, place, env, unreadable } = findServer(files, given, follow);
  const found = findFiles(files, given, follower, unreadable, follower.isServer ? place : undefined);
  const { htaccess } = found;
  const all = new Set([...follower.edges.keys(), ...htaccess]);
  const notReached = [...found.candidates].filter((file) => !all.has(file));
  const unused = options.unused === true ? [] : notInUse(notReached, given, roots, follower);
  const loose = notReached.filter((file) => !unused.includes(file));
  for (const file of loose) follower.root(file, false);
  for (const file of follower.edges.keys()) all.add(file);
  if (all.size === 0 && unreadable.length === 0 && !found.hasPlanted)
    throw new SourceError(paths[0] ?? '', 'ENOCONFIG', 'no httpd configuration found');

  const above = filesAbove(files, given, follower, place).filter((file) => !all.has(file));
  const served = findServed(files, given, follower, place, found, new Set([...all, ...above]));
  const seen = [...served.seen, ...placeOnServer(place, given, follower, htaccess)];
  for (const file of [...above, ...served.htaccess]) {
    file.directories = [...new Set(file.directories.map((path) => place.server(path)))];
    all.add(file);
    htaccess.add(file);
  }
  files.outsideOf = (file) => refusalOf(source, file);
  files.isGiven = boundaryOf(source, {
    given,
    accessNames: new Set([...follower.accessNames, '.htaccess']),
    declared: follower.declared,
    serverRoot,
  });
  const planted = takePlanted(files, given, htaccess, place);
  for (const { file } of planted) all.delete(file);
  const unreached = loose.filter((file) => !follower.isIncluded(file));
  setRole(unreached, 'unreached');
  setRole(roots, 'server');
  setRole(htaccess, 'htaccess');
  const directories = given.directories.map(({ real }) => real);
  const startNames = follower.isServer ? findStartNames(files, roots) : undefined;
  const unread = new Map(found.unread.map((file) => [file.path, file]));
  return {
    files: [...all],
    roots,
    htaccess: [...htaccess],
    unreached,
    unused: unused.map(({ path, name }) => ({ path, name })),
    tops: [...directories, ...roots.map(({ path }) => likelyTops(path).at(-1)!), ...served.tops].map(
      (path) => ({ path, name: files.nameOf(path) }),
    ),
    directories,
    includes: follower.includes,
    isServer: follower.isServer,
    serverRoot: follower.declared,
    variables: withStartVariables(follower.variables, env, findStartVariables(files, roots)),
    build: follower.isServer ? findBuild(files, roots, given.directories, serverRoot) : undefined,
    defines: new Set([...defines.keys(), ...(startNames?.names ?? [])]),
    startNames,
    mpm22: options.mpm22,
    compiled22: options.compiled22,
    problems: sortProblems([...all], follower.allProblems),
    unreadable,
    unread: unreadable.map(({ path }) => unread.get(path) ?? files.unread(path, undefined)),
    unvisited: [...found.unvisited, ...served.unvisited, ...planted.flatMap(({ links }) => links)],
    accessDiffers: follower.accessDiffers,
    seen,
    absent: served.absent,
    tooMuch: files.tooMuch,
    templatesBeside: () => templatesBeside(source, [...all]),
  };
}

/**
 * Takes away the AccessFileName files that only links of other users than their owners lead to: what such a link brings into a
 * run is not its user's to say, and the run may not write it.
 */
function takePlanted(
  files: Files,
  given: GivenPaths,
  htaccess: Set<LoadedFile>,
  place: ServerPlace,
): readonly { readonly file: LoadedFile; readonly links: readonly UnreadablePath[] }[] {
  // Of a file that is given by name it is said why it stays.
  const byName = new Set(given.files.map(({ file }) => file));
  const taken = [...htaccess].filter(
    (file) => !file.direct && !byName.has(file) && file.outside !== undefined,
  );
  for (const file of taken) htaccess.delete(file);
  return taken.map((file) => ({
    file,
    links: file.origins.map(({ path, target }) => ({
      path: place.server(path),
      name: files.nameOf(path),
      message: linkOfAnother(files, file.path),
      // A link may stand for the directory, too.
      within: place.server(target === undefined ? dirname(path) : path),
    })),
  }));
}

/** What `findRoots` finds, where the server has its files, and the environment that counts. */
interface ServerFound extends Roots {
  readonly place: ServerPlace;
  readonly env: ReadonlyMap<string, string>;
  readonly unreadable: UnreadablePath[];
}

/**
 * Finds the server with the environment of this run where it is this machine's, and without it where it is a copy: what a
 * variable is called there says nothing of what it is here.
 */
function findServer(files: Files, given: GivenPaths, options: FollowOptions): ServerFound {
  const findWith = (env: FollowOptions['env']): ServerFound => {
    const unreadable: UnreadablePath[] = [];
    const follow = { ...options, env };
    const found = findRoots(files, given, follow, unreadable);
    return {
      ...found,
      place: serverPlace(files.source, found.roots, found.follower, follow),
      env,
      unreadable,
    };
  };
  const isOfMachine = files.source.isMachine === true && options.env.size > 0;
  if (!isOfMachine) return findWith(options.env);
  const found = findWith(new Map());
  return found.place.isAtHome ? findWith(options.env) : found;
}

/** Where the server of these roots has its files. */
function serverPlace(
  source: FileSource,
  roots: readonly LoadedFile[],
  follower: IncludeReader,
  { givenAs, givenPaths, serverRoot }: FollowOptions,
): ServerPlace {
  const [main] = roots;
  const directory = main === undefined ? '/' : dirname(main.path);
  const beside = [...givenPaths, ...roots.flatMap(({ path }) => likelyTops(path))];
  const place = {
    directory,
    main: main?.path,
    givenAs: givenAs(directory),
    declared: follower.declared,
    given: serverRoot,
  };
  return new ServerPlace(source, place, follower, beside);
}

/** Names what was given by a link as it was given. */
function namesOfLinks({ files, directories }: GivenPaths): (directory: string) => string | undefined {
  const links = [
    ...directories,
    ...files.map(({ file, directory }) => ({ path: directory, real: dirname(file.path) })),
  ].filter(({ path, real }) => path !== real);
  return (directory) => {
    for (const { path, real } of links) {
      const rest = below(directory, real);
      if (rest !== undefined) return rest === '' ? path : join(path, rest);
    }
    return undefined;
  };
}

function pathsOf({ files, directories }: GivenPaths): string[] {
  return [
    ...files.flatMap(({ file, directory, base }) => [file.path, join(directory, base)]),
    ...directories.flatMap(({ path, real }) => [path, real]),
  ];
}

/**
 * Gives the `.htaccess` files of a configuration that was copied with its directories the places that the server has them in.
 * @returns the directories of the server that were given in this way
 */
function placeOnServer(
  { source, move }: ServerPlace,
  { directories }: GivenPaths,
  { configured }: IncludeReader,
  htaccess: ReadonlySet<LoadedFile>,
): string[] {
  if (move === undefined) return [];
  const given = [...configured].filter((path) => {
    const local = localPath(move, path);
    return (
      local !== undefined &&
      source.kind(local) === 'directory' &&
      directories.some(({ real }) => below(local, real) !== undefined)
    );
  });
  const patterns = [...configured].filter(isPattern).map((pattern) => ({
    depth: pattern.split('/').length,
    matches: compilePathPattern(pattern),
  }));
  const isServed = (path: string): boolean =>
    given.some(
      (directory) => restOf(path, directory) !== undefined || restOf(directory, path) !== undefined,
    ) || patterns.some(({ depth, matches }) => matches(path.split('/').slice(0, depth).join('/')));
  for (const file of htaccess)
    file.directories = file.directories.map((directory) => {
      const path = serverPath(move, directory);
      // Of a copied file system, all lies where the server has it; of a copied directory, what lies beside it may be anything.
      return path !== undefined && (move.from === '' || isServed(path)) ? path : directory;
    });
  return given;
}

/** Beside the configuration, as it is below a ServerRoot, or in a copy of one. */
function findBuild(
  files: Files,
  roots: readonly LoadedFile[],
  directories: readonly { readonly real: string }[],
  serverRoot: string | undefined,
): LoadedFile | undefined {
  const tops = [
    ...(serverRoot === undefined ? [] : [serverRoot]),
    ...directories.map(({ real }) => real),
    ...roots.flatMap(({ path }) => likelyTops(path)),
  ];
  for (const top of tops) {
    const path = join(top, 'build/config.nice');
    if (files.source.kind(path) !== 'file') continue;
    try {
      return files.load(files.real(path, false));
    } catch (error) {
      // The server does not need this file: if it cannot be read, nothing follows.
      if (!(error instanceof SourceError)) throw error;
    }
  }
  return undefined;
}

function setRole(files: Iterable<LoadedFile>, role: FileRole): void {
  for (const file of files) file.role = role;
}

interface Roots {
  readonly roots: readonly LoadedFile[];
  readonly follower: IncludeReader;
}

/**
 * Finds what is read at server level: the files given, and the server config of the first given directory that has one (and
 * whose owner has a say in all of them), unless a file given is a server config already. What another root includes is no root.
 */
function findRoots(
  files: Files,
  given: GivenPaths,
  options: FollowOptions,
  unreadable: UnreadablePath[],
): Roots {
  const first = serverFiles(given, new Set());
  let found = followRoots(files, first, options);
  const rootFiles = serverFiles(given, found.follower.accessNames);
  // A file whose name an AccessFileName gives is no root after all.
  if (rootFiles.length < first.length || rootFiles.some((file, i) => file !== first[i]))
    found = followRoots(files, rootFiles, options);
  for (const { real } of found.follower.isServer ? [] : given.directories) {
    const mains = mainFiles(files.source, real)
      .flatMap((path) => loadMain(files, path, unreadable))
      .filter((main) => speaksForAll(files.source, main, given));
    if (mains.length === 0) continue;
    const all = followRoots(files, [...new Set([...found.roots, ...mains])], options);
    const mainRoots = mains.filter((main) => all.roots.includes(main));
    if (mainRoots.length <= 1) return all;
    // Neither includes the other: one is left over from another packaging, and is reported as not included.
    const main =
      mainRoots.find((file) => followRoots(files, [file], options).follower.isServer) ?? mainRoots[0];
    return followRoots(
      files,
      all.roots.filter((file) => file === main || !mainRoots.includes(file)),
      options,
    );
  }
  return found;
}

/**
 * Whether a main file that was found may be that of all paths given: it belongs to root, to the user of the run, or to the owner
 * of each. Of several users' directories none gets the sections, and the AllowOverride, that another user has written for it.
 */
function speaksForAll(source: FileSource, main: LoadedFile, { files, directories }: GivenPaths): boolean {
  const paths = [...files.map(({ file }) => file.path), ...directories.map(({ real }) => real)];
  return !paths.some(
    (path) => below(main.path, path) === undefined && source.planted?.(path, main.path, path) === true,
  );
}

function serverFiles(given: GivenPaths, accessNames: ReadonlySet<string>): LoadedFile[] {
  return [...new Set(given.files.filter((each) => !isAccessFile(each, accessNames)).map(({ file }) => file))];
}

/** Starts again when a root turns out to be included: it must be read where it is included, not before. */
function followRoots(files: Files, roots: readonly LoadedFile[], options: FollowOptions): Roots {
  const follower = new IncludeReader(files, options);
  for (const root of roots) follower.root(root, true);
  const rest = roots.filter((root) => !follower.isIncluded(root));
  return rest.length === roots.length ? { roots, follower } : followRoots(files, rest, options);
}

function loadMain(files: Files, path: string, unreadable: UnreadablePath[]): LoadedFile[] {
  try {
    const file = files.load(files.real(path, false), { path });
    return looksLikeConfig(file.document.text) ? [file] : [];
  } catch (error) {
    if (!(error instanceof SourceError)) throw error;
    unreadable.push({ path, name: files.nameOf(path), message: error.message });
    return [];
  }
}
