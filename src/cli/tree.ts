import { type ConfigTree, loadTree, type LoadOptions, memory } from '../config';
import type { FileSource } from '../config/types';
import { encode } from '../report';
import type { Io } from './io';
import type { ConvertOptions } from './options';
import { Trouble } from './trouble';

/** The tree of the paths given. @throws SourceError for a path that cannot be used */
export function treeOfPaths(
  source: FileSource,
  options: ConvertOptions,
  io: Io,
  onProgress: (filesRead: number) => void,
): ConfigTree {
  return loadTree(source, options.paths, { ...loadOptions(options, io), onProgress });
}

/**
 * Standard input as a tree of one file: a fragment, whatever it holds, for nothing else of its server is known.
 * @throws Trouble, SourceError
 */
export async function treeOfStdin(options: ConvertOptions, io: Io): Promise<ConfigTree> {
  let text: string;
  try {
    text = await io.stdin();
  } catch (error) {
    throw new Trouble(`standard input: ${(error as Error).message}`);
  }
  // One flat name, so that it can neither hide in nor be taken for a place on the disk.
  const name = options.stdinName.replace(/\//g, '_');
  const source = memory(new Map([[`/${name}`, text]]));
  const tree = loadTree(source, [`/${name}`], { ...loadOptions(options, io), cwd: '/' });
  return {
    ...tree,
    isServer: false,
    problems: tree.problems.filter(({ code }) => !code.startsWith('include-')),
  };
}

function loadOptions(options: ConvertOptions, io: Io): LoadOptions {
  const { serverRoot } = options;
  const env = new Map<string, string>();
  for (const [name, value] of Object.entries(io.env)) if (value !== undefined) env.set(name, encode(value));
  return { defines: options.defines, env, cwd: io.cwd, ...(serverRoot === undefined ? {} : { serverRoot }) };
}
