import type { ConfigTree } from '../../config';
import type { Section } from '../../syntax';
import type { Collected } from '../collect';
import { examplesOf } from '../mapping';
import { isWithin, normalisePath } from '../primitives';
import type { Site } from './virtual-host';

/** A request as somebody describes it, to be explained. */
export interface AccessQuestion {
  /** A URL path, or the absolute path of a file that the run knows the directory of. */
  readonly path: string;
  readonly method: string;
  readonly address: string;
  readonly host: string | undefined;
  /** With the right password; undefined without one. */
  readonly user: string | undefined;
  readonly groups: ReadonlySet<string>;
  /** Names of the variables that are set, lower case. */
  readonly env: ReadonlySet<string>;
  /** Headers whose value is known, by their names in lower case; empty for one that the request has not. */
  readonly headers?: ReadonlyMap<string, string>;
  readonly tls: boolean;
  /** ServerName, ServerAlias or address of a virtual host; undefined for the main server. */
  readonly vhost: string | undefined;
  /** Where a URL was sent to, instead of `vhost`; with `isFile`, where its referer was. */
  readonly site?: Site | undefined;
  /** The path is that of a file, wherever it lies: a line of an error log has it. */
  readonly isFile?: boolean;
}

export interface Located {
  /** The URL path; undefined where only the file is known. */
  readonly uri: string | undefined;
  readonly filename: string;
  /** What led from the one to the other, for people. */
  readonly by: string;
  readonly unknown: readonly string[];
}

/** The directories that sections name without a pattern. */
export function placedIn({ scopes }: Collected): readonly string[] {
  return scopes.flatMap(({ kind, pattern }) =>
    (kind === 'directory' || kind === 'htaccess') && pattern.kind === 'path' ? [pattern.path] : [],
  );
}

/** The file of a URL path: by Alias and DocumentRoot, else from the directory given or that of the `.htaccess`. */
export function fileOfUrl(
  path: string,
  vhost: Section | undefined,
  { mapping }: Collected,
  tree: ConfigTree,
): { readonly filename: string; readonly by: string; readonly sure: boolean } {
  const mapped = mapping.fileOf(vhost, path);
  if (mapped !== undefined) return mapped;
  const base = tree.directories[0] ?? tree.htaccess[0]?.directories[0];
  return tree.isServer || base === undefined
    ? { filename: clean(path), by: 'no DocumentRoot: the file is taken to be of the same path', sure: true }
    : { filename: clean(`${base}/${path}`), by: `taken from ${base}`, sure: true };
}

/** Finds the file and the URL of a path: by DocumentRoot and Alias, else from the directory given or that of the `.htaccess`. */
export function locate(
  { path, isFile = false }: Pick<AccessQuestion, 'path' | 'isFile'>,
  vhost: Section | undefined,
  collected: Collected,
  tree: ConfigTree,
): Located {
  const { mapping, scopes } = collected;
  const placed = placedIn(collected);
  const asDirectory = (filename: string): string =>
    filename.endsWith('/') || !placed.includes(filename) ? filename : `${filename}/`;
  const directories = [
    ...placed,
    ...tree.directories,
    ...(mapping.targets(vhost) ?? []).flatMap((target) => examplesOf(target, placed)),
  ];
  if (isFile || directories.some((base) => base !== '/' && isWithin(path, base))) {
    const [uri] = mapping.urlsOf(vhost, path);
    const lost =
      uri === undefined &&
      scopes.some(
        ({ kind, pattern }) => kind === 'location' && (pattern.kind !== 'path' || pattern.path !== '/'),
      );
    const unknown = lost
      ? ['the URL of the file, which Location sections look at: ask for the URL path']
      : [];
    return { uri, filename: asDirectory(clean(path)), by: 'a file path', unknown };
  }
  const { filename, by, sure } = fileOfUrl(path, vhost, collected, tree);
  const unknown = sure
    ? []
    : ['whether AliasMatch, UserDir or a document root with a variable maps the URL elsewhere'];
  return { uri: path, filename: asDirectory(filename), by, unknown };
}

function clean(path: string): string {
  const normal = normalisePath(path);
  return path.endsWith('/') && normal !== '/' ? `${normal}/` : normal;
}
