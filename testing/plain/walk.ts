import type { FileSource } from '../../src/config';
import {
  type Override,
  isRead,
  isWellFormed,
  overrideBelow,
  overrideByDefault,
  refusedLine,
} from './allowed';
import { type Configuration, Reader, globOf } from './configuration';
import { type Line, ReadError } from './lines';

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
export function wayOf(
  { lines, start, modules }: Configuration,
  disk: FileSource,
  { host, uri, filename: wanted }: Goal,
): Way {
  const all = [...lines.filter(({ name }) => name !== 'virtualhost'), ...(host?.body ?? [])];
  const filename = reached(disk, wanted);
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
  const end = (ends: 'F' | 'E', file?: string): Way => {
    if (file !== undefined) files.add(file);
    return { sections: met, ends, filename, files };
  };
  const directories = all.filter(({ name, words }) => name === 'directory' && words[0] !== '~');
  const accessName = all.findLast(({ name }) => name === 'accessfilename')?.words ?? ['.htaccess'];
  let override = overrideByDefault(start.version);
  let options: ReadonlySet<string> = new Set(start.version === '2.2' ? ['follow', 'indexes'] : ['follow']);
  const parts = filename.split('/').slice(1, disk.kind(filename) === 'directory' ? undefined : -1);
  for (let depth = 0; depth <= parts.length; depth++) {
    const at = `/${parts.slice(0, depth).join('/')}`;
    if (depth > 0 && isLink(disk, at) && !options.has('follow')) return end('F');
    for (const section of directories)
      if (coversDirectory(section, at, depth)) {
        meetSection(section);
        override = overrideBelow(override, section.body ?? [], modules);
        options = optionsBelow(options, section.body ?? []);
      }
    if (!isRead(override)) continue;
    const file = accessName
      .map((name) => `${at === '/' ? '' : at}/${name}`)
      .find((path) => disk.kind(path) === 'file');
    if (file === undefined) continue;
    const read = readAccessFile(file, disk, { lines, start, modules }, override);
    if (read === undefined) return end('E', file);
    files.add(disk.real(file));
    meet(read);
    options = optionsBelow(options, read);
  }
  if (isLink(disk, filename) && !options.has('follow')) return end('F');
  const regexes = all.filter(
    ({ name, words }) => name === 'directorymatch' || (name === 'directory' && words[0] === '~'),
  );
  const bySlashes = (line: Line): number => regexOf(line).split('/').length;
  for (const section of regexes.toSorted((a, b) => bySlashes(a) - bySlashes(b)))
    if (new RegExp(regexOf(section)).test(filename)) meetSection(section);
  // Those in a directory come with it, so behind the server's.
  const base = filename.slice(filename.lastIndexOf('/') + 1);
  for (const body of [all, ...met.slice()])
    for (const section of body) if (coversFile(section, base)) meetSection(section);
  for (const section of all) if (coversUri(section, uri)) meetSection(section);
  return { sections: met, filename, files };
}

/** As far as there are directories, and one name more: what stands behind that is no part of the file's name. */
function reached(disk: FileSource, wanted: string): string {
  const parts = wanted.replace(/(?<=.)\/$/, '').split('/');
  const last = parts.findIndex((_, i) => i > 0 && disk.kind(parts.slice(0, i + 1).join('/')) !== 'directory');
  return last < 0 ? parts.join('/') : parts.slice(0, last + 1).join('/');
}

/** The lines of a `.htaccess`; undefined where 500 is the answer. */
function readAccessFile(
  file: string,
  disk: FileSource,
  { start, modules }: Configuration,
  override: Override,
): Line[] | undefined {
  const reader = new Reader(disk, { ...start, statics: [...modules] });
  try {
    const { lines, conditionals } = reader.accessFile(file);
    return refusedLine(lines, conditionals, override, start.version, modules) === undefined
      ? lines
      : undefined;
  } catch (error) {
    if (error instanceof ReadError) return undefined;
    throw error;
  }
}

function isLink(disk: FileSource, path: string): boolean {
  const cut = path.lastIndexOf('/');
  const name = path.slice(cut + 1);
  const directory = path.slice(0, cut) || '/';
  return (
    disk.kind(directory) === 'directory' &&
    disk.list(directory).some((entry) => entry.name === name && entry.kind === 'link')
  );
}

function coversDirectory({ words }: Line, at: string, depth: number): boolean {
  const path = (words[0] ?? '').replace(/(?<=.)\/$/, '');
  if (path === '/') return depth === 0;
  return (
    path.split('/').length - 1 === depth && (/[*?[]/.test(path) ? globOf(path, true).test(at) : path === at)
  );
}

function coversFile({ name, words }: Line, base: string): boolean {
  if (name === 'filesmatch') return new RegExp(words[0] ?? '').test(base);
  if (name !== 'files') return false;
  if (words[0] === '~') return new RegExp(words[1] ?? '').test(base);
  const [word = ''] = words;
  return /[*?[]/.test(word) ? globOf(word).test(base) : word === base;
}

function coversUri({ name, words }: Line, uri: string): boolean {
  if (name === 'locationmatch') return new RegExp(words[0] ?? '').test(uri);
  if (name !== 'location') return false;
  if (words[0] === '~') return new RegExp(words[1] ?? '').test(uri);
  const path = words[0] ?? '';
  if (/[*?[]/.test(path)) return globOf(path, true).test(uri);
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
export function startsWith(line: Line, version: Configuration['start']['version']): boolean {
  return isWellFormed(line, { options: undefined }, version);
}
