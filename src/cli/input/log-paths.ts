import { resolvePath } from '../../config';
import type { FileSource } from '../../config/types';
import type { Io } from '../io';
import { Trouble } from '../trouble';
import { type ConvertOptions, isCollected } from '../options';

/**
 * The options with what stands behind `--log` and is no log among the paths to convert: the option takes all words that follow
 * it, as a shell puts several names in place of a pattern.
 */
export function withLogPaths(options: ConvertOptions, source: FileSource, io: Io): ConvertOptions {
  const { log, paths } = options;
  const isPath = (word: string): boolean =>
    /\.conf$|(?:^|\/)\.htaccess$/.test(word) ||
    isCollected(word) ||
    (word !== '-' && source.kind(resolvePath(io.cwd, word)) === 'directory');
  const meant = log.filter(isPath);
  if (meant.length === 0) return options;
  if (meant.length === log.length)
    throw new Trouble(
      `--log wants the name of a log, and ${meant[0]!} is none: give it behind --log, and what is to be converted before`,
    );
  return Object.freeze({ ...options, paths: [...paths, ...meant], log: log.filter((word) => !isPath(word)) });
}
