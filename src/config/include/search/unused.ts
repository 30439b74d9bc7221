import { basename, dirname } from '../../source';
import type { LoadedFile } from '../files';
import type { GivenPaths } from './given-paths';
import type { IncludeReader } from '../follow';
import { hasMainName } from '../layout';

/** Directories only read by way of links or copies elsewhere: those of Debian's a2enmod, a2ensite and a2enconf. */
const AVAILABLE = /^(?:mods|sites|conf)-(?:available|disabled)$/;

/**
 * What a server does not load of the files that look like configuration, below the directories given: disabled modules and sites,
 * spare copies, files that wait to be renamed. Nothing of this is known where there is no server among what was given; and where
 * an Include leads to what is missing, only what lies in a directory of what is disabled. An Include whose path is a template's
 * may lead to a file of its name.
 * @param files found, and reached by nothing
 */
export function notInUse(
  files: readonly LoadedFile[],
  given: GivenPaths,
  roots: readonly LoadedFile[],
  follower: IncludeReader,
): readonly LoadedFile[] {
  if (!follower.isServer && !roots.some(({ path }) => hasMainName(path))) return [];
  const named = new Set(given.files.map(({ file }) => file));
  const isWhole = follower.isServer && follower.allProblems.length === 0;
  return files.filter(
    (file) =>
      !named.has(file) &&
      (AVAILABLE.test(basename(dirname(file.path))) ||
        (isWhole && !follower.leadToNothing.has(basename(file.path)))),
  );
}
