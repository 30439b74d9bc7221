import type { ConfigFile, ConfigTree, FileSource } from '../../config/types';

const IGNORE_FILE = '.httpdcodemodignore';

/**
 * Which files the `.httpdcodemodignore` files in the working directory, in the directories given, and above them name, in the syntax of
 * `.gitignore`. Files further below are not used: whoever may write there must not decide what a run leaves alone.
 * @returns undefined where there is no such file
 * @throws SourceError
 */
export function ignoredFiles(
  tree: ConfigTree,
  source: FileSource,
  cwd: string,
): ((file: ConfigFile) => string | undefined) | undefined {
  const lists = [...new Set([cwd, ...tree.directories].flatMap(upwards))]
    .map((directory) => (directory === '/' ? '/' : `${directory}/`))
    .filter((directory) => source.kind(directory + IGNORE_FILE) === 'file')
    .map((directory) => {
      // Loaded only if there is such a file.
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

/** A directory and all above it; absolute. */
function upwards(directory: string): string[] {
  const all = [directory];
  for (let end = directory.lastIndexOf('/'); end > 0; end = directory.lastIndexOf('/', end - 1))
    all.push(directory.slice(0, end));
  return directory === '/' ? all : [...all, '/'];
}
