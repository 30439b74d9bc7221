import { appendAll } from '../../../syntax';
import { type LinkedPath, below, byBytes, dirname, join } from '../../source';
import { type FileSource, SourceError } from '../../types';
import type { Files, LoadedFile } from '../files';
import type { GivenPaths } from './given-paths';

/**
 * The directories of the AccessFileName files that were given by themselves, each by the path that was given and its real path.
 * One that lies in a directory that was given too is looked through anyway.
 * @param known files of the run
 */
export function givenSingly(
  { source }: Files,
  { files, directories }: GivenPaths,
  known: ReadonlySet<LoadedFile>,
): LinkedPath[] {
  const found = new Map<string, string>();
  for (const { file, directory } of files) {
    // Any other file governs no directory.
    if (directory === '/' || !known.has(file) || file.directories.length === 0 || found.has(directory))
      continue;
    const target = source.real(directory);
    if (!directories.some(({ real }) => below(target, real) !== undefined)) found.set(directory, target);
  }
  return [...found].map(([path, target]) => ({ path, target }));
}

/** The directories that lie in none of the others. */
export function topmost(directories: readonly LinkedPath[]): LinkedPath[] {
  const found: LinkedPath[] = [];
  for (const directory of [...directories].sort((a, b) => byBytes(`${a.target}/`, `${b.target}/`))) {
    const last = found.at(-1);
    if (last === undefined || below(directory.target, last.target) === undefined) found.push(directory);
  }
  return found;
}

/**
 * The links to directories that stand beside files given by themselves, and between one of these and another below it. Where no
 * server is known no more is looked at: who gives a file or two does not mean all that lies below them.
 */
export function linksBeside(source: FileSource, directories: readonly LinkedPath[]): LinkedPath[] {
  // The links to one file's directory make no difference where there is no other file.
  if (directories.length < 2) return [];
  const tops = new Set(topmost(directories).map(({ target }) => target));
  const listed = new Set<string>();
  const found: LinkedPath[] = [];
  for (const { target } of directories)
    for (let at = target; !listed.has(at); at = dirname(at)) {
      listed.add(at);
      appendAll(found, linksIn(source, at));
      if (tops.has(at)) break;
    }
  return found;
}

function linksIn(source: FileSource, directory: string): LinkedPath[] {
  try {
    const links = source.list(directory).filter(({ kind }) => kind === 'link');
    const paths = links.map(({ name }) => join(directory, name));
    return paths
      .filter((path) => source.kind(path) === 'directory')
      .map((path) => ({ path, target: source.real(path) }));
  } catch (error) {
    // What cannot be listed by whoever may read a file in it: httpd, too, comes to the files by name.
    if (!(error instanceof SourceError)) throw error;
    return [];
  }
}
