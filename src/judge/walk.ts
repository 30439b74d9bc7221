import {
  type KnownModules,
  type Override,
  isRead,
  isWellFormed,
  overrideBelow,
  refusedLine,
} from './override';
import { type Line, ReadError } from './lines';
import { globMatches, isGlob } from './patterns';
import type { AccessFileLines, ReadVersion } from './reader';

/** A server as one version reads it, with what it knows of the disk. */
export interface Site {
  readonly version: ReadVersion;
  /** What stands in the server's files, Includes and conditionals carried out. */
  readonly lines: readonly Line[];
  readonly modules: KnownModules;
  /** What a `.htaccess` may say where no AllowOverride has spoken. */
  readonly override: Override;
  /** A path as far as it leads through directories, and one name more: what stands behind that is no part of the file's name. */
  reached(path: string): string;
  isDirectory(path: string): boolean;
  isLink(path: string): boolean;
  /** Whether a regular expression of the configuration finds something. @throws Unreadable where that is not certain */
  finds(pattern: string, text: string): boolean;
  /**
   * The file of one of these names in a directory; undefined where there is none. @throws ReadError where httpd cannot read it
   */
  accessFile(directory: string, names: readonly string[]): AccessFile | undefined;
}

export interface AccessFile {
  readonly path: string;
  /** Under all its names. */
  readonly paths: readonly string[];
  read(): AccessFileLines;
}

/** What a request meets on its way, in the order in which it counts, or why it ends. */
export interface Way {
  /** The lines of each section met. */
  readonly sections: readonly (readonly Line[])[];
  /** The status that the walk itself answers. */
  readonly ends?: 'F' | 'E';
  /** The name of the file, as far as there is one. */
  readonly filename: string;
  /** Files whose lines had a say. */
  readonly files: ReadonlySet<string>;
}

/** Where a request leads: the virtual host's lines, and the file that its URL maps to. */
export interface Goal {
  readonly host: Line | undefined;
  readonly uri: string;
  readonly filename: string;
}

/** The file that a URL stands for: Alias of the virtual host, then of the main server, then DocumentRoot. */
export function filenameOf(lines: readonly Line[], host: Line | undefined, uri: string): string {
  for (const { name, words } of [...(host?.body ?? []), ...lines]) {
    const [from = '', to = ''] = words;
    if (name !== 'alias') continue;
    const prefix = from.replace(/\/$/, '');
    if (
      uri === prefix ||
      (uri.startsWith(`${prefix}/`) && (from.endsWith('/') || uri[prefix.length] === '/'))
    )
      return to.replace(/\/$/, '') + uri.slice(prefix.length);
  }
  return documentRootOf(lines, host).replace(/\/$/, '') + uri;
}

/** As it is written; empty where no line says it. */
export function documentRootOf(lines: readonly Line[], host: Line | undefined): string {
  const isRoot = ({ name }: Line): boolean => name === 'documentroot';
  return (host?.body?.findLast(isRoot) ?? lines.findLast(isRoot))?.words[0] ?? '';
}

/** After request.c: ap_directory_walk, ap_file_walk, ap_location_walk. */
export function wayOf(site: Site, { host, uri, filename: wanted }: Goal): Way {
  const { lines, version, modules } = site;
  const all = [...lines.filter(({ name }) => name !== 'virtualhost'), ...(host?.body ?? [])];
  const filename = site.reached(wanted);
  const met: (readonly Line[])[] = [];
  const files = new Set<string>();
  const meet = (body: readonly Line[]): void => {
    met.push(body);
    for (const { file } of body) files.add(file);
  };
  // All of its lines may come by an Include.
  const meetSection = ({ body = [], file }: Line): void => {
    meet(body);
    files.add(file);
  };
  const end = (ends: 'F' | 'E'): Way => ({ sections: met, ends, filename, files });
  const directories = all.filter(({ name, words }) => name === 'directory' && words[0] !== '~');
  const accessName = all.findLast(({ name }) => name === 'accessfilename')?.words ?? ['.htaccess'];
  let { override } = site;
  let options: ReadonlySet<string> = new Set(version === '2.2' ? ['follow', 'indexes'] : ['follow']);
  const parts = filename.split('/').slice(1, site.isDirectory(filename) ? undefined : -1);
  for (let depth = 0; depth <= parts.length; depth++) {
    const at = `/${parts.slice(0, depth).join('/')}`;
    if (depth > 0 && site.isLink(at) && !options.has('follow')) return end('F');
    for (const section of directories)
      if (coversDirectory(section, at, depth)) {
        meetSection(section);
        override = overrideBelow(override, section.body ?? [], modules);
        options = optionsBelow(options, section.body ?? []);
      }
    if (!isRead(override)) continue;
    const file = site.accessFile(at, accessName);
    if (file === undefined) continue;
    for (const path of file.paths) files.add(path);
    const read = allowedLines(file, site, override);
    if (read === undefined) return end('E');
    meet(read);
    options = optionsBelow(options, read);
  }
  if (site.isLink(filename) && !options.has('follow')) return end('F');
  const regexes = all.filter(
    ({ name, words }) => name === 'directorymatch' || (name === 'directory' && words[0] === '~'),
  );
  const bySlashes = (line: Line): number => regexOf(line).split('/').length;
  for (const section of regexes.toSorted((a, b) => bySlashes(a) - bySlashes(b)))
    if (site.finds(regexOf(section), filename)) meetSection(section);
  // Those in a directory come with it, so behind the server's.
  const base = filename.slice(filename.lastIndexOf('/') + 1);
  for (const body of [all, ...met.slice()])
    for (const section of body) if (coversFile(site, section, base)) meetSection(section);
  for (const section of all) if (coversUri(site, section, uri)) meetSection(section);
  return { sections: met, filename, files };
}

/** The lines of a `.htaccess`; undefined where 500 is the answer. */
function allowedLines(
  file: AccessFile,
  { version, modules }: Site,
  override: Override,
): readonly Line[] | undefined {
  try {
    const { lines, conditionals } = file.read();
    return refusedLine(lines, conditionals, override, version, modules) === undefined ? lines : undefined;
  } catch (error) {
    if (error instanceof ReadError) return undefined;
    throw error;
  }
}

function coversDirectory({ words }: Line, at: string, depth: number): boolean {
  const path = (words[0] ?? '').replace(/(?<=.)\/$/, '');
  if (path === '/') return depth === 0;
  return (
    path.split('/').length - 1 === depth && (isGlob(path) ? globMatches(path, at, true) : path === at)
  );
}

function coversFile(site: Site, { name, words }: Line, base: string): boolean {
  if (name === 'filesmatch') return site.finds(words[0] ?? '', base);
  if (name !== 'files') return false;
  if (words[0] === '~') return site.finds(words[1] ?? '', base);
  const [word = ''] = words;
  return isGlob(word) ? globMatches(word, base) : word === base;
}

function coversUri(site: Site, { name, words }: Line, uri: string): boolean {
  if (name === 'locationmatch') return site.finds(words[0] ?? '', uri);
  if (name !== 'location') return false;
  if (words[0] === '~') return site.finds(words[1] ?? '', uri);
  const path = words[0] ?? '';
  if (isGlob(path)) return globMatches(path, uri, true);
  const plain = path.replace(/(?<=.)\/$/, '');
  return path === '/' || uri === plain || uri.startsWith(path.endsWith('/') ? path : `${path}/`);
}

const regexOf = ({ name, words }: Line): string => (name === 'directory' ? words[1] : words[0]) ?? '';

function optionsBelow(above: ReadonlySet<string>, body: readonly Line[]): ReadonlySet<string> {
  let now = above;
  for (const { name, words } of body) {
    if (name !== 'options') continue;
    const next = new Set(/^[+-]/.test(words[0] ?? '') ? now : []);
    for (const word of words.map((option) => option.toLowerCase())) {
      const bare = word.replace(/^[+-]/, '').replace('followsymlinks', 'follow').replace('all', 'follow');
      if (word.startsWith('-')) next.delete(bare);
      else next.add(bare);
    }
    now = next;
  }
  return now;
}

/** Whether a server starts with a line: it is known, and its arguments are such as it takes. */
export function startsWith(line: Line, version: ReadVersion): boolean {
  return isWellFormed(line, { options: undefined }, version);
}
