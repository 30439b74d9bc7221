import { resolvePath } from '../../config';
import type { ConfigFile, ConfigTree, FileSource } from '../../config/types';
import type { RunOptions, Transform } from '../../engine/types';
import { suggest } from '../../suggest';
import { UsageError } from '../trouble';

const NOT_NAMED = 'not named by --only';

/**
 * What `--only` keeps from being written. A word is the id of a rule, or else a file of the tree or a directory above some; where
 * rules and files are named, a change has to be of one and in one.
 * @throws UsageError for a word that is neither
 */
export function declinerFor(
  words: readonly string[],
  { files }: ConfigTree,
  transforms: readonly Transform[],
  source: FileSource,
  cwd: string,
): RunOptions['declines'] {
  if (words.length === 0) return undefined;
  const ids = transforms.map(({ id }) => id);
  const rules = new Set(words.filter((word) => ids.includes(word)));
  const named = new Set<ConfigFile>();
  const paths = words.filter((word) => !rules.has(word));
  for (const word of paths) {
    const absolute = resolvePath(cwd, word);
    const path = source.kind(absolute) === undefined ? absolute : source.real(absolute);
    const found = files.filter((file) => file.path === path || file.path.startsWith(`${path}/`));
    if (found.length === 0)
      throw new UsageError(
        `--only ${word}: neither a rule nor a file that this run reads${suggest(word, ids)}`,
      );
    for (const file of found) named.add(file);
  }
  return ({ rule, file }) =>
    (rules.size === 0 || rules.has(rule)) && (paths.length === 0 || named.has(file)) ? undefined : NOT_NAMED;
}
