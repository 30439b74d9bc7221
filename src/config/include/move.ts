import { basename, below, dirname, join } from '../source';

/** A configuration lies elsewhere than on its server: what the server calls `from` is `to` here. Neither ends with a slash. */
export interface CopiedPlace {
  /** `''` for the whole file system, `C:` for a drive. */
  readonly from: string;
  readonly to: string;
}

/**
 * Where distributions have their configuration: they look there without a ServerRoot line, or their ServerRoot is elsewhere
 * (Gentoo's is /usr/lib64/apache2, that of macOS /usr).
 */
const HOMES = ['/etc/apache2', '/private/etc/apache2'];

/**
 * Finds out what a configuration was copied with: the directory around it that is called as its ServerRoot is that ServerRoot,
 * and as far up as the names agree, so are the directories around both.
 * @param directory of the main file: a real path
 * @param declared the ServerRoot line
 * @param given --server-root
 * @returns undefined for a configuration that lies on its server, and where the names do not tell
 */
export function moveOf(
  directory: string,
  declared: string | undefined,
  given: string | undefined,
): CopiedPlace | undefined {
  if (declared === '/' || (declared !== undefined && below(directory, declared) !== undefined))
    return undefined;
  const isDrive = declared?.startsWith('/') === false;
  const home =
    given === undefined && !isDrive ? HOMES.findLast((path) => directory.endsWith(path)) : undefined;
  if (home !== undefined) {
    const to = directory.slice(0, -home.length);
    return to === '' ? undefined : { from: '', to };
  }
  const root = declared ?? HOMES.find((path) => basename(path) === basename(directory));
  if (root === undefined || below(directory, root) !== undefined) return undefined;
  const isSame = (a: string, b: string): boolean => (isDrive ? a.toLowerCase() === b.toLowerCase() : a === b);
  const top = given ?? likelyRoot(directory, (name) => isSame(name, basename(root)));
  if (top === undefined) return undefined;
  let [from, to] = [root, top === '/' ? '' : top];
  while (from !== '' && !/^[A-Za-z]:$/.test(from) && to !== '' && isSame(basename(from), basename(to)))
    [from, to] = [parentOf(from), parentOf(to)];
  return from === to ? undefined : { from, to };
}

/** The nearest directory, from one upwards, with such a name. */
function likelyRoot(directory: string, isCalledSo: (name: string) => boolean): string | undefined {
  for (let at = directory; at !== '/'; at = dirname(at)) if (isCalledSo(basename(at))) return at;
  return undefined;
}

function parentOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')));
}

/** Where a path of the server lies here; undefined for what was not copied with the configuration. */
export function localPath({ from, to }: CopiedPlace, path: string): string | undefined {
  const rest = restOf(path, from);
  return rest === undefined ? undefined : rest === '' ? to || '/' : join(to, rest);
}

/** What the server calls a path here. */
export function serverPath({ from, to }: CopiedPlace, path: string): string | undefined {
  const rest = restOf(path, to);
  return rest === undefined ? undefined : rest === '' ? from || '/' : join(from, rest);
}

/** The part of a path below a directory, without slash. The letter of a drive has no case. */
export function restOf(path: string, directory: string): string | undefined {
  if (directory === '') return path.startsWith('/') ? path.slice(1) : undefined;
  const length = /^[A-Za-z]:/.test(directory) ? directory.length : 0;
  return below(path.slice(0, length).toLowerCase() + path.slice(length), directory.slice(0, length).toLowerCase() + directory.slice(length)); // prettier-ignore
}
