import type { ConfigFile, ConfigTree, FileSource } from '../../config/types';

const IGNORE_FILE = '.httpdcodemodignore';

type IgnoreReason = (file: ConfigFile) => string | undefined;

/**
 * Why files are to be left as they are: an ignore file names them, or `--exclude` does.
 * @param patterns of `--exclude`, in the syntax of `.gitignore`; they go for paths relative to the working directory, and for full paths
 * @returns undefined where there is neither
 * @throws SourceError
 */
export function filesToLeave(
  tree: ConfigTree,
  source: FileSource,
  cwd: string,
  patterns: readonly string[],
): IgnoreReason | undefined {
  const ignored = ignoredFiles(tree, source, cwd);
  if (patterns.length === 0) return ignored;
  const ignore = require('ignore') as typeof import('ignore');
  const list = ignore({ ignorecase: false }).add([...patterns]);
  const base = cwd === '/' ? '/' : `${cwd}/`;
  const isExcluded = (path: string): boolean =>
    (path.startsWith(base) && list.ignores(path.slice(base.length))) || list.ignores(path.slice(1));
  return (file) => ignored?.(file) ?? (isExcluded(file.path) ? `${file.name} is excluded` : undefined);
}

/**
 * Which files the `.httpdcodemodignore` files in the working directory, in the directories given, and above them name, in the syntax of
 * `.gitignore`. Files further below are not used: whoever may write there must not decide what a run leaves alone.
 * @returns undefined where there is no such file
 * @throws SourceError
 */
function ignoredFiles(tree: ConfigTree, source: FileSource, cwd: string): IgnoreReason | undefined {
  const lists = [...new Set([cwd, ...tree.directories].flatMap(upwards))]
    .map((directory) => (directory === '/' ? '/' : `${directory}/`))
    .filter((directory) => source.kind(directory + IGNORE_FILE) === 'file')
    .map((directory) => {
      // Loaded only if there is such a file.
      const ignore = require('ignore') as typeof import('ignore');
      return {
        directory,
        list: ignore({ ignorecase: false }).add(
          source.read(directory + IGNORE_FILE).replace(/^\xef\xbb\xbf/, ''),
        ),
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
