import {
  adding,
  type ConfigFile,
  type ConfigTree,
  type LoadOptions,
  loadTree,
  memory,
  type Reread,
  type RereadableTree,
  loadRereadable,
  resolvePath,
  isIncludeProblem,
} from '../../config';
import type { FileSource } from '../../config/types';
import type { CollectedServer } from '../../collect';
import { encode } from '../../report';
import type { Io } from '../io';
import type { ConvertOptions } from '../options';
import { Trouble } from '../trouble';
import { collectedIn } from './collected';
import { checkOutput } from './output-file';

/** A tree, and the way to read it again once some of its texts have changed. */
export interface Loaded extends RereadableTree {
  /** Which of these files, if they were there too, an Include of the tree would read. */
  readonly included: (files: ReadonlyMap<string, string>) => readonly ConfigFile[];
  /** The server, where a tar of one was given. */
  readonly collected?: CollectedServer;
}

/**
 * The tree of the paths given.
 * @param documents of files as they were read before
 * @throws SourceError for a path that cannot be used; OutputInUseError where the output would replace a file of the tree
 */
export function loadPaths(
  disk: FileSource,
  options: ConvertOptions,
  io: Io,
  onProgress: (filesRead: number) => void,
  documents?: LoadOptions['documents'],
): Loaded {
  const collected = collectedIn(disk, options, io);
  if (collected === undefined) checkServerRoot(disk, options, io);
  const paths = collected === undefined ? options.paths : [collected.config, ...collected.trees];
  const loadOptions =
    collected === undefined ? loadOptionsOf(options, io) : optionsOnServer(options, collected);
  const source = collected === undefined ? disk : collected.source;
  const { tree, reread, remembered } = loadRereadable(source, paths, {
    ...loadOptions,
    onProgress,
    ...(documents && { documents }),
  });
  if (options.output !== undefined && collected === undefined)
    checkBesideTree('--output', options.output, tree, remembered, io);
  const included: Loaded['included'] = (files) => {
    const more = loadTree(adding(remembered, files), paths, { ...loadOptions, before: tree });
    return [...more.includes.values()].flat().filter(({ path }) => files.has(path));
  };
  return { tree, reread, included, ...(collected && { collected }) };
}

/** @throws Trouble where no Include could be found below it */
function checkServerRoot(
  disk: FileSource,
  { serverRoot }: Pick<ConvertOptions, 'serverRoot'>,
  { cwd }: Io,
): void {
  if (serverRoot === undefined) return;
  const kind = disk.kind(resolvePath(cwd, serverRoot));
  if (kind !== 'directory')
    throw new Trouble(
      `--server-root ${serverRoot}: ${kind === undefined ? 'no such directory' : 'no directory'}`,
    );
}

/** Where the files of a run are, and the directory that paths in its options are relative to. */
export function placeOf(
  { collected }: Pick<Loaded, 'collected'>,
  disk: FileSource,
  { cwd }: Pick<Io, 'cwd'>,
): { readonly source: FileSource; readonly cwd: string } {
  return collected === undefined ? { source: disk, cwd } : { source: collected.source, cwd: '/' };
}

/** No path lies below it: on the server, every file is named in full. */
const NOWHERE = '/\0';

function optionsOnServer(
  { defines, serverRoot, unused, templates }: ConvertOptions,
  { defines: started, environment, mpm, compiled }: CollectedServer,
): LoadOptions {
  return {
    cwd: NOWHERE,
    defines: new Map([...started.map((name): [string, string] => [name, '']), ...defines]),
    env: environment,
    mpm22: mpm,
    compiled22: compiled,
    unused,
    templates,
    ...(serverRoot === undefined ? {} : { serverRoot }),
  };
}

/** @throws OutputInUseError where a file that is to be written is one of the tree */
export function checkBesideTree(
  option: '--output' | '--plan',
  file: string,
  tree: ConfigTree,
  source: FileSource,
  io: Io,
): void {
  const paths = tree.files.map(({ path }) => path);
  checkOutput(option, file, paths, 'a file of the configuration', source, io.cwd);
}

/**
 * Standard input as a tree of one file: a fragment, whatever it holds, for nothing else of its server is known.
 * @throws Trouble, SourceError
 */
export function loadStdin(options: ConvertOptions, io: Io): Loaded {
  const loadOptions = loadOptionsOf(options, io);
  // The place that it has on the disk, of which nothing else is read.
  const path = resolvePath(io.cwd, options.stdinName);
  const load = (text: string): ConfigTree => {
    const tree = loadTree(memory(new Map([[path, text]])), [options.stdinName], {
      ...loadOptions,
      env: new Map(),
    });
    const problems = tree.problems.filter((problem) => !isIncludeProblem(problem));
    return { ...tree, isServer: false, problems };
  };
  const text = readStdin(io);
  const reread: Reread = (texts) => load(texts.get(path) ?? text);
  return { tree: load(text), reread, included: () => [] };
}

function readStdin(io: Io): string {
  try {
    return io.stdin();
  } catch (error) {
    throw new Trouble(`standard input: ${encode((error as Error).message)}`);
  }
}

function loadOptionsOf({ defines, unused, templates, serverRoot }: ConvertOptions, io: Io): LoadOptions {
  const env = new Map<string, string>();
  for (const [name, value] of Object.entries(io.env)) if (value !== undefined) env.set(name, encode(value));
  return {
    defines,
    env,
    unused,
    templates,
    cwd: io.cwd,
    ...(serverRoot === undefined ? {} : { serverRoot }),
  };
}
