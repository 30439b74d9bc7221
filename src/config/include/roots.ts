import type { Files, LoadedFile } from './files';
import { type FollowOptions, Follower } from './follow';
import { type Given, isAccessFile } from './given';
import { mainFiles } from './layout';
import { looksLikeConfig } from './plausible';
import { SourceError, type Unreadable } from '../types';

export interface Roots {
  readonly roots: readonly LoadedFile[];
  readonly follower: Follower;
}

/**
 * Finds what is read at server level: the files given, and the server config of the first given directory that has one, unless a
 * file given is a server config already. What another root includes is no root.
 */
export function findRoots(
  files: Files,
  given: Given,
  options: FollowOptions,
  unreadable: Unreadable[],
): Roots {
  const first = serverFiles(given, new Set());
  let found = followRoots(files, first, options);
  const kept = serverFiles(given, found.follower.accessNames);
  // A file whose name an AccessFileName gives is no root after all.
  if (kept.length < first.length || kept.some((file, i) => file !== first[i]))
    found = followRoots(files, kept, options);
  for (const { real } of found.follower.isServer ? [] : given.directories) {
    const mains = mainFiles(files.source, real).flatMap((path) => loadMain(files, path, unreadable));
    if (mains.length === 0) continue;
    const all = followRoots(files, [...new Set([...found.roots, ...mains])], options);
    const left = mains.filter((main) => all.roots.includes(main));
    if (left.length <= 1) return all;
    // Neither includes the other: one is left over from another packaging, and is told as not reached.
    const main = left.find((file) => followRoots(files, [file], options).follower.isServer) ?? left[0];
    return followRoots(
      files,
      all.roots.filter((file) => file === main || !left.includes(file)),
      options,
    );
  }
  return found;
}

function serverFiles(given: Given, accessNames: ReadonlySet<string>): LoadedFile[] {
  return [
    ...new Set(given.files.filter(({ base }) => !isAccessFile(base, accessNames)).map(({ file }) => file)),
  ];
}

/** Begins anew when a root turns out to be included: it must be read where it is included, not before. */
function followRoots(files: Files, roots: readonly LoadedFile[], options: FollowOptions): Roots {
  const follower = new Follower(files, options);
  for (const root of roots) follower.root(root, true);
  const kept = roots.filter((root) => !follower.isIncluded(root));
  return kept.length === roots.length ? { roots, follower } : followRoots(files, kept, options);
}

function loadMain(files: Files, path: string, unreadable: Unreadable[]): LoadedFile[] {
  try {
    const file = files.load(files.real(path, false), { path });
    return looksLikeConfig(file.document.text) ? [file] : [];
  } catch (error) {
    if (!(error instanceof SourceError)) throw error;
    unreadable.push({ path, name: files.nameOf(path), message: error.message });
    return [];
  }
}
