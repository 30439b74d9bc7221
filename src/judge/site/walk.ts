import {
  type KnownModules,
  type Override,
  isRead,
  isWellFormed,
  overrideBelow,
  refusedLine,
  type AccessFileLines,
  type ReadVersion,
} from '../reading';
import { type Line, ReadError, globMatches, isGlob } from '../text';

/** A server as one version reads it, with what it knows of the disk. */
export interface JudgedSite {
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
  /** The file of one of these names in a directory, if any. @throws ReadError where httpd cannot read it */
  accessFile(directory: string, names: readonly string[]): AccessFile | undefined;
}

export interface AccessFile {
  readonly path: string;
  /** Under all its names. */
  readonly paths: readonly string[];
  read(): AccessFileLines;
}

/** What a request meets on its way, in the order in which it counts, or why it ends. */
export interface MetOnWay {
  /** The lines of each section, and of each `.htaccess`. */
  readonly bodies: readonly (readonly Line[])[];
  /** The sections among these, and those for directories that 2.4 alone meets. */
  readonly sections: readonly Line[];
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
  /** The `.htaccess` files that are taken not to be there. */
  readonly without?: ReadonlySet<string> | undefined;
}

/** The file that a URL stands for: Alias of the virtual host, then of the main server, then DocumentRoot. */
export function filenameOf(site: JudgedSite, host: Line | undefined, uri: string): string {
  for (const { words } of levelsOf(site, host)
    .reverse()
    .flatMap(({ aliases }) => aliases)) {
    const [from = '', to = ''] = words;
    const prefix = withoutSlash(from);
    if (
      uri === prefix ||
      (uri.startsWith(`${prefix}/`) && (from.endsWith('/') || uri[prefix.length] === '/'))
    )
      return withoutSlash(to) + uri.slice(prefix.length);
  }
  return withoutSlash(documentRootOf(site, host)) + uri;
}

/** The DocumentRoot of a server as it is written; empty where no line says it. */
export function documentRootOf(site: JudgedSite, host: Line | undefined): string {
  return levelsOf(site, host).findLast(({ root }) => root !== undefined)?.root ?? '';
}

/** After request.c: ap_directory_walk, ap_file_walk, ap_location_walk. */
export function wayOf(site: JudgedSite, { host, uri, filename: wanted, without }: Goal): MetOnWay {
  const { version, modules } = site;
  const levels = levelsOf(site, host);
  const filename = site.reached(wanted);
  const met: (readonly Line[])[] = [];
  const sections: Line[] = [];
  const files = new Set<string>();
  const meet = (body: readonly Line[]): void => {
    met.push(body);
    for (const { file } of body) files.add(file);
  };
  // All of its lines may come by an Include.
  const meetSection = (section: Line): void => {
    meet(section.body ?? []);
    sections.push(section);
    files.add(section.file);
  };
  const end = (ends: 'F' | 'E'): MetOnWay => ({ bodies: met, sections, ends, filename, files });
  const accessNames = levels.findLast(({ accessNames: names }) => names !== undefined)?.accessNames ?? [
    '.htaccess',
  ];
  let { override } = site;
  let options: ReadonlySet<string> = new Set(version === '2.2' ? ['follow', 'indexes'] : ['follow']);
  const parts = filename.split('/').slice(1, site.isDirectory(filename) ? undefined : -1);
  for (let depth = 0; depth <= parts.length; depth++) {
    const at = `/${parts.slice(0, depth).join('/')}`;
    if (depth > 0 && site.isLink(at) && !options.has('follow')) return end('F');
    for (const section of levels.flatMap((level) => level.directoriesAt(at))) {
      meetSection(section);
      override = overrideBelow(override, section.body ?? [], modules);
      options = optionsBelow(options, section.body ?? []);
    }
    if (!isRead(override)) continue;
    const file = site.accessFile(at, accessNames);
    if (file === undefined || without?.has(file.path) === true) continue;
    for (const path of file.paths) files.add(path);
    const read = allowedLines(file, site, override);
    if (read === undefined) return end('E');
    meet(read);
    options = optionsBelow(options, read);
  }
  if (site.isLink(filename) && !options.has('follow')) return end('F');
  const byRegex = levels.flatMap((level) => level.directoryRegexes);
  byRegex
    .filter((section) => site.finds(regexFor(site, section), filename))
    .sort((a, b) => slashesIn(a) - slashesIn(b))
    .forEach(meetSection);
  // What 2.4 answers by these is said there.
  sections.push(
    ...byRegex.filter((section) => !sections.includes(section) && site.finds(regexOf(section), filename)),
  );
  // Those in a directory come with it, so behind the server's.
  const base = filename.slice(filename.lastIndexOf('/') + 1);
  for (const body of [...levels.map(({ fileSections }) => fileSections), ...met.slice()])
    for (const section of body) if (coversFile(site, section, base)) meetSection(section);
  for (const section of levels.flatMap(({ locations }) => locations))
    if (coversUri(site, section, uri)) meetSection(section);
  return { bodies: met, sections, filename, files };
}

/** The URLs for which Alias or DocumentRoot lead to a path; not those that another Alias takes before. */
export function urlsFor(site: JudgedSite, host: Line | undefined, path: string): string[] {
  const found: string[] = [];
  const add = (from: string, to: string): void => {
    const { length } = withoutSlash(to);
    // A server has thousands of them, and most lead elsewhere.
    if (path.startsWith(withoutSlash(to)) && (path.length === length || path[length] === '/'))
      found.push(withoutSlash(from) + path.slice(length));
  };
  for (const { aliases } of levelsOf(site, host))
    for (const { words } of aliases) add(words[0] ?? '', words[1] ?? '');
  const root = documentRootOf(site, host);
  if (root !== '') add('', root);
  return found.filter((uri) => uri !== '' && filenameOf(site, host, uri) === path);
}

function withoutSlash(path: string): string {
  return path.endsWith('/') ? path.slice(0, -1) : path;
}

/** The directories that a server's own Alias and DocumentRoot, or those of the main server, lead to. */
export function servedBy(site: JudgedSite, host: Line | undefined): readonly string[] {
  const aliased = levelsOf(site, host).flatMap(({ aliases }) => aliases.map(({ words }) => words[1] ?? ''));
  return [documentRootOf(site, host), ...aliased].map(withoutSlash);
}

const levelsBySite = new WeakMap<JudgedSite, Map<Line | undefined, ServerLines>>();

/** The main server, and the virtual host that answers. */
function levelsOf(site: JudgedSite, host: Line | undefined): ServerLines[] {
  let known = levelsBySite.get(site);
  if (known === undefined) levelsBySite.set(site, (known = new Map()));
  const levelOf = (key: Line | undefined): ServerLines => {
    let level = known.get(key);
    if (level === undefined) known.set(key, (level = new ServerLines(key?.body ?? site.lines)));
    return level;
  };
  return host === undefined ? [levelOf(undefined)] : [levelOf(undefined), levelOf(host)];
}

/** What stands directly in a server, by what it is for: gone through once, not once for each request. */
class ServerLines {
  readonly aliases: readonly Line[];
  readonly root: string | undefined;
  readonly accessNames: readonly string[] | undefined;
  readonly directoryRegexes: readonly Line[];
  readonly fileSections: readonly Line[];
  readonly locations: readonly Line[];
  readonly #globs: readonly (readonly [order: number, section: Line])[];
  readonly #directories = new Map<string, (readonly [order: number, section: Line])[]>();

  constructor(lines: readonly Line[]) {
    const named = (pattern: RegExp): readonly Line[] => lines.filter(({ name }) => pattern.test(name));
    // mod_wsgi comes after mod_alias.
    this.aliases = [...named(/^(?:script)?alias$/), ...named(/^wsgiscriptalias$/)];
    this.root = named(/^documentroot$/).at(-1)?.words[0];
    this.accessNames = named(/^accessfilename$/).at(-1)?.words;
    this.fileSections = named(/^files(?:match)?$/);
    this.locations = named(/^location(?:match)?$/);
    const isRegex = ({ name, words }: Line): boolean => name === 'directorymatch' || words[0] === '~';
    const directories = named(/^directory(?:match)?$/);
    this.directoryRegexes = directories.filter(isRegex);
    const globs: (readonly [number, Line])[] = [];
    directories.forEach((section, order) => {
      if (isRegex(section)) return;
      const path = pathOf(section);
      if (isGlob(path)) globs.push([order, section]);
      else this.#directories.set(path, [...(this.#directories.get(path) ?? []), [order, section]]);
    });
    this.#globs = globs;
  }

  /** In the order of the file. */
  directoriesAt(path: string): readonly Line[] {
    const exact = this.#directories.get(path) ?? [];
    const byGlob = this.#globs.filter(([, section]) => isAt(pathOf(section), path));
    const all = byGlob.length === 0 ? exact : [...exact, ...byGlob].sort(([a], [b]) => a - b);
    return all.map(([, section]) => section);
  }
}

function pathOf({ words: [word = ''] }: Line): string {
  return word.replace(/(?<=.)\/$/, '');
}

/** `*` stands for the names of one level: a pattern covers paths of as many levels as it has itself. */
function isAt(glob: string, path: string): boolean {
  return glob.split('/').length === path.split('/').length && globMatches(glob, path, true);
}

/** The lines of a `.htaccess`; undefined where 500 is the answer. */
function allowedLines(
  file: AccessFile,
  { version, modules }: JudgedSite,
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

function coversFile(site: JudgedSite, { name, words }: Line, base: string): boolean {
  if (name === 'filesmatch') return site.finds(words[0] ?? '', base);
  if (name !== 'files') return false;
  if (words[0] === '~') return site.finds(words[1] ?? '', base);
  const [word = ''] = words;
  return isGlob(word) ? globMatches(word, base) : word === base;
}

function coversUri(site: JudgedSite, { name, words }: Line, uri: string): boolean {
  if (name === 'locationmatch') return site.finds(words[0] ?? '', uri);
  if (name !== 'location') return false;
  if (words[0] === '~') return site.finds(words[1] ?? '', uri);
  const path = words[0] ?? '';
  // Only a regex sees that slashes are doubled.
  const single = uri.replace(/\/{2,}/g, '/');
  if (isGlob(path)) return globMatches(path, single, true);
  const plain = path.replace(/(?<=.)\/$/, '');
  return path === '/' || single === plain || single.startsWith(path.endsWith('/') ? path : `${path}/`);
}

/** 2.2 matches directories so that an end is never found (2.2 server/request.c: REG_NOTEOL). */
function regexFor({ version }: JudgedSite, section: Line): string {
  const regex = regexOf(section);
  if (version !== '2.2') return regex;
  return regex.replace(/\\.|\[\^?\]?(?:\\.|\[:\^?\w+:\]|[^\]\\])*\]|\$/gs, (found) =>
    found === '$' ? '(?!)' : found,
  );
}

const slashesIn = (line: Line): number => regexOf(line).split('/').length;

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
