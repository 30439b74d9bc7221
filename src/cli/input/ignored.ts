import type { ConfigFile, ConfigTree, FileSource } from '../../config/types';
import { SourceError } from '../../config/types';
import type { RunOptions } from '../../engine/types';
import { oneLine, plural } from '../../report';
import type { Io } from '../io';
import type { ConvertOptions } from '../options';
import { UsageError } from '../trouble';
import { IgnoreList } from './ignore-patterns';

const IGNORE_FILE = '.httpdcodemodignore';
/** Bytes of an ignore file. */
const MAX_BYTES = 64 * 1024;
/** Lines of one ignore file that are named because they are not used. */
const MAX_NAMED = 3;

type Ignoring = Pick<RunOptions, 'leaveAlone' | 'honours'>;

/**
 * What of a tree is to be left as it is, as ignore files and `--exclude` have it, and whose comments count. What is passed over
 * is named on stderr.
 * @throws UsageError for a pattern of `--exclude` that cannot be used: what it names must not be written
 */
export function ignoringOf(
  tree: ConfigTree,
  source: FileSource,
  { exclude, honourIgnores }: Pick<ConvertOptions, 'exclude' | 'honourIgnores'>,
  io: Io,
  cwd: string = io.cwd,
): Ignoring {
  const excluded = new IgnoreList(exclude);
  const [bad] = excluded.unused;
  if (bad !== undefined) throw new UsageError(`--exclude '${shortened(exclude[bad.line - 1]!)}': ${bad.why}`);
  const isTrusted = honourIgnores || io.uid !== 0 ? undefined : trustOf(tree, source);
  const note = (line: string): void => io.stderr.write(`httpd-codemod: ${oneLine(line)}\n`);
  const lists = ignoreLists(tree, source, cwd, isTrusted, note);
  const base = cwd === '/' ? '/' : `${cwd}/`;
  const isExcluded = (path: string): boolean =>
    (path.startsWith(base) && excluded.ignores(path.slice(base.length))) || excluded.ignores(path.slice(1));
  const isIgnored = (path: string): boolean =>
    lists.some(
      ({ directory, list }) => path.startsWith(directory) && list.ignores(path.slice(directory.length)),
    );
  const leaveAlone = ({ path, name }: ConfigFile): string | undefined => {
    if (isIgnored(path)) return `${name} is ignored`;
    return exclude.length > 0 && isExcluded(path) ? `${name} is excluded` : undefined;
  };
  return {
    ...(lists.length + exclude.length > 0 && { leaveAlone }),
    ...(isTrusted !== undefined && { honours: ({ path }: ConfigFile) => isTrusted(path) }),
  };
}

/**
 * Whose words root follows: those of root, and of the owner of the server's main configuration file. What other users write in
 * their files must not decide what is converted.
 */
function trustOf(tree: ConfigTree, source: FileSource): ((path: string) => boolean) | undefined {
  if (source.owners === undefined) return undefined;
  const owners = (path: string): readonly number[] => source.owners?.(path) ?? [];
  const main = tree.isServer ? tree.roots[0] : undefined;
  const trusted = new Set([0, ...(main === undefined ? [] : owners(main.path))]);
  return (path) => {
    const found = owners(path);
    return found.length > 0 && found.every((owner) => trusted.has(owner));
  };
}

/**
 * The `.httpdcodemodignore` files in the working directory, in the directories given, and above them. Files further below are not
 * used: whoever may write there must not decide what a run leaves alone.
 * @param note told of files, and of lines in them, that are not used
 */
function ignoreLists(
  tree: ConfigTree,
  source: FileSource,
  cwd: string,
  isTrusted: ((path: string) => boolean) | undefined,
  note: (line: string) => void,
): readonly { readonly directory: string; readonly list: IgnoreList }[] {
  return [...new Set([cwd, ...tree.directories].flatMap(upwards))].flatMap((above) => {
    const directory = above === '/' ? '/' : `${above}/`;
    const path = directory + IGNORE_FILE;
    if (source.kind(path) !== 'file') return [];
    const name = path.startsWith(`${cwd}/`) ? path.slice(cwd.length + 1) : path;
    if (isTrusted?.(path) === false) {
      note(
        `${name} is passed over: it belongs neither to root nor to the owner of the configuration (--honour-ignores takes it)`,
      );
      return [];
    }
    try {
      if ((source.stat?.(path)?.size ?? 0) > MAX_BYTES)
        throw new SourceError(path, 'ETOOBIG', `is larger than ${MAX_BYTES / 1024} KB`);
      const list = new IgnoreList(
        source
          .read(path)
          .replace(/^\xef\xbb\xbf/, '')
          .split('\n'),
      );
      for (const { line, why } of list.unused.slice(0, MAX_NAMED))
        note(`${name}:${line}: ${why}; it is passed over`);
      const more = list.unused.length - MAX_NAMED;
      if (more > 0) note(`${name}: ${plural(more, 'more line')} passed over`);
      return [{ directory, list }];
    } catch (error) {
      if (!(error instanceof SourceError)) throw error;
      note(`${name} is passed over: ${error.message}`);
      return [];
    }
  });
}

function shortened(text: string): string {
  return text.length > 60 ? `${text.slice(0, 57)}...` : text;
}

/** A directory and all above it; absolute. */
function upwards(directory: string): string[] {
  const all = [directory];
  for (let end = directory.lastIndexOf('/'); end > 0; end = directory.lastIndexOf('/', end - 1))
    all.push(directory.slice(0, end));
  return directory === '/' ? all : [...all, '/'];
}
