import type { ConfigFile, ConfigTree, FileSource } from '../config/types';

export const IGNORE_FILE = '.httpdcodemodignore';

/**
 * Which files the `.httpdcodemodignore` files in the working directory and in the directories given name, in the syntax of `.gitignore`.
 * @returns undefined where there is no such file
 * @throws SourceError
 */
export function ignoredFiles(
  tree: ConfigTree,
  source: FileSource,
  cwd: string,
): ((file: ConfigFile) => string | undefined) | undefined {
  const lists = [...new Set([cwd, ...tree.directories])]
    .map((directory) => (directory === '/' ? '/' : `${directory}/`))
    .filter((directory) => source.kind(directory + IGNORE_FILE) === 'file')
    .map((directory) => {
      // Few have one, and all would wait for it.
      const ignore = require('ignore') as typeof import('ignore');
      return {
        directory,
        list: ignore({ ignorecase: false }).add(source.read(directory + IGNORE_FILE)),
      };
    });
  if (lists.length === 0) return undefined;
  const names = (path: string): boolean =>
    lists.some(
      ({ directory, list }) => path.startsWith(directory) && list.ignores(path.slice(directory.length)),
    );
  return ({ path, name }) => (names(path) ? `${name} is ignored` : undefined);
}
