import type { ConfigFile } from '../../config/types';
import { type Line, sampleOfGlob, samplesOfRegex } from '../text';
import { type AccessFiles, type TreeSite, documentRootOf, filenameOf, servedBy, urlsFor } from '../site';

/** Where a request is sent: which server answers, by its number among the virtual hosts, and what the URL maps to. */
export interface JudgeTarget {
  /** -1 for the main server. */
  readonly host: number;
  readonly uri: string;
  readonly filename: string;
  /** The `.htaccess` files that are taken not to be there. */
  readonly without?: ReadonlySet<string>;
}

/** A section of a server's files, with those around it, outermost first. */
export interface PlacedSection {
  readonly section: Line;
  readonly around: readonly Line[];
  /** The server that the request is for, as in {@link JudgeTarget}. */
  readonly host: number;
}

const SECTIONS = /^(?:directory|directorymatch|files|filesmatch|location|locationmatch)$/;

/** The sections of a server's files in which access is decided. */
export function sectionsOf(lines: readonly Line[]): PlacedSection[] {
  const found: PlacedSection[] = [];
  let hosts = 0;
  const visit = (body: readonly Line[], around: readonly Line[], host: number): void => {
    for (const section of body) {
      if (section.body === undefined) continue;
      if (section.name === 'virtualhost') visit(section.body, [], hosts++);
      else if (SECTIONS.test(section.name)) {
        found.push({ section, around, host });
        visit(section.body, [...around, section], host);
      }
    }
  };
  visit(lines, [], -1);
  return found;
}

export function hostsOf(lines: readonly Line[]): Line[] {
  return lines.filter(({ name, body }) => name === 'virtualhost' && body !== undefined);
}

const MAX_TARGETS = 12;
const MAX_HOSTS = 4;
const MAX_EVERYWHERE = 3;
/** Sections among which those below a directory are looked for. */
const MAX_LOOKED_AT = 500;
const FILE = 'w.html';

/** Chooses where requests go that meet a section or a `.htaccess`: alone, and with what stands below it. */
export class Targets {
  readonly #site: TreeSite;
  readonly #files: AccessFiles;
  readonly #hosts: readonly Line[];
  /** Who may answer what is for the main server, each with its number. */
  readonly #servers: readonly (readonly [number, Line | undefined])[];
  /** By directory: where those that serve from it stand among {@link #servers}. */
  #served: ReadonlyMap<string, readonly number[]> | undefined;
  readonly #sections: readonly PlacedSection[];
  /** Which URL leads where is known. */
  readonly #isMapped: boolean;
  /** First names in URLs of sections, and those of directories with a file of their own. */
  readonly #segments: readonly string[];
  /** Names by which a request for any directory meets sections that stand in none. */
  readonly #everywhere: readonly string[];

  constructor(site: TreeSite, files: AccessFiles, sections: readonly PlacedSection[], isServer: boolean) {
    this.#site = site;
    this.#files = files;
    this.#hosts = hostsOf(site.lines);
    this.#sections = sections;
    this.#isMapped = isServer;
    this.#segments = isServer ? namesForWildcards(sections.slice(0, MAX_LOOKED_AT), files.names()) : [];
    this.#everywhere = isServer
      ? namesEverywhere([
          ...sections.slice(0, MAX_LOOKED_AT).map(({ section }) => section),
          ...files.sections(),
        ])
      : [];
    const hosts = this.#hosts.map((server, i) => [i, server] as const);
    this.#servers = leavesRequests(site.lines) ? [[-1, undefined], ...hosts] : hosts;
  }

  ofAccessFile(file: ConfigFile, lines: readonly Line[]): JudgeTarget[] {
    const names = [...namesIn(lines), ...this.#everywhere];
    return limit(
      file.directories.flatMap((directory) => [
        ...names.flatMap((name) => this.#at(`${directory === '/' ? '' : directory}/${name}`)),
        ...this.#below(directory, names),
      ]),
    );
  }

  ofSection({ section, around, host }: PlacedSection): JudgeTarget[] {
    const isFiles = section.name.startsWith('files');
    const names = isFiles ? samplesOf(section) : namesIn(section.body ?? []);
    const holder = isFiles ? around.at(-1) : section;
    if (holder?.name.startsWith('location') === true)
      return withDoubled(
        limit(samplesOf(holder).flatMap((uri) => this.#fromUri(uri, names, host))),
        this.#isMapped,
      );
    const directories = holder === undefined ? this.#roots(host) : this.#directoriesOf(holder, host);
    return limit(
      directories.flatMap((path) => {
        const directory = `/${path.replace(/^\/+|\/+$/g, '')}`;
        const start = directory === '/' ? '' : directory;
        // What ends as such a section says is a file in 2.4.
        const whole = !isFiles && asksForEnd(section) ? this.#at(directory, host) : [];
        return [
          ...whole,
          ...[start, ...this.#servedBelow(start, host)].flatMap((top) =>
            names.flatMap((name) => this.#at(`${top}/${name}`, host)),
          ),
          ...this.#below(directory, names, host),
        ];
      }),
    );
  }

  /** What is served from a path, by any of the servers that it may be for. */
  #at(filename: string, host = -1): JudgeTarget[] {
    if (!this.#isMapped) return [{ host, uri: '/w-other', filename }];
    const found: JudgeTarget[] = [];
    for (const [number, server] of this.#serving(filename, host)) {
      const [uri] = urlsFor(this.#site, server, filename);
      if (uri !== undefined) found.push({ host: number, uri, filename });
      if (found.length === MAX_HOSTS) break;
    }
    return found;
  }

  #fromUri(given: string, names: readonly string[], host: number): JudgeTarget[] {
    const uri = given.startsWith('/') ? given : `/${given}`;
    const below = new Set([...names.slice(0, 3), ...this.#everywhere]);
    const uris = [uri, ...[...below].map((name) => `${uri.replace(/\/$/, '')}/${name}`)];
    if (!this.#isMapped) return uris.map((path) => ({ host, uri: path, filename: '/w-elsewhere/w' }));
    return this.#serversFor(host)
      .slice(0, MAX_HOSTS)
      .filter(([, server]) => documentRootOf(this.#site, server) !== '')
      .flatMap(([number, server]) =>
        uris.map((path) => ({ host: number, uri: path, filename: filenameOf(this.#site, server, path) })),
      );
  }

  /** The servers whose requests may meet a section: of the main server's each host, and itself where it has a port. */
  #serversFor(host: number): readonly (readonly [number, Line | undefined])[] {
    if (host >= 0) return [[host, this.#hosts[host]]];
    return this.#servers;
  }

  /** The servers of {@link #serversFor} that serve what a path is in: of thousands, few do. */
  #serving(filename: string, host: number): readonly (readonly [number, Line | undefined])[] {
    if (host >= 0) return this.#serversFor(host);
    const places = (this.#served ??= this.#placesByDirectory());
    const found = new Set<number>();
    for (let end = filename.length; end >= 0; end = end === 0 ? -1 : filename.lastIndexOf('/', end - 1))
      for (const place of places.get(filename.slice(0, end)) ?? []) found.add(place);
    return [...found].sort((a, b) => a - b).map((place) => this.#servers[place]!);
  }

  #placesByDirectory(): Map<string, number[]> {
    const places = new Map<string, number[]>();
    this.#servers.forEach(([, server], place) => {
      for (const directory of servedBy(this.#site, server)) {
        const list = places.get(directory);
        if (list === undefined) places.set(directory, [place]);
        else list.push(place);
      }
    });
    return places;
  }

  /** Directories below a section that a server serves from: there it is met, though no URL leads to its own directory. */
  #servedBelow(directory: string, host: number): readonly string[] {
    if (!this.#isMapped) return [];
    const found = new Set<string>();
    for (const [, server] of this.#serversFor(host))
      for (const path of servedBy(this.#site, server))
        if (path.startsWith(`${directory}/`) && found.size < MAX_HOSTS) found.add(path);
    return [...found];
  }

  /** Places of sections and `.htaccess` files below a directory: they say something of their own, or leave what stands above. */
  #below(directory: string, names: readonly string[], host = -1): JudgeTarget[] {
    const prefix = directory === '/' ? '/' : `${directory}/`;
    const paths = this.#files.below(directory, 2).slice(0, 2);
    for (const { section } of this.#sections.slice(0, MAX_LOOKED_AT)) {
      if (paths.length >= 4) break;
      const path = this.#placeOf(section, host);
      if (path?.startsWith(prefix) === true && path !== directory && !paths.includes(path)) paths.push(path);
    }
    return [FILE, ...names.filter((name) => name !== FILE).slice(-1)].flatMap((name) =>
      paths.flatMap((path) => this.#at(`${path}/${name}`, host)),
    );
  }

  /** The directory that a section is for, or to which its URL leads. */
  #placeOf({ name, words: [word = ''] }: Line, host: number): string | undefined {
    if (!word.startsWith('/')) return undefined;
    const path = sampleOfGlob(word).replace(/(?!^)\/+$/, '');
    if (name === 'directory') return path;
    if (name !== 'location' || !this.#isMapped) return undefined;
    return filenameOf(this.#site, this.#serversFor(host)[0]?.[1], path);
  }

  /**
   * Directories that a section is for. A regular expression that is not for whole paths finds itself below what is served;
   * a wildcard stands for names of other places, too.
   */
  #directoriesOf(section: Line, host: number): readonly string[] {
    const samples = samplesOf(section);
    const [glob = ''] = section.words;
    if (section.name === 'directory' && glob.includes('*'))
      return [...this.#segments.map((name) => sampleOfGlob(glob.replaceAll('*', name))), ...samples];
    if (!isUnanchored(section)) return samples;
    return samples.flatMap((sample) => [
      ...this.#roots(host).map((root) => `${root}/${sample.replace(/^\/+/, '')}`),
      sample,
    ]);
  }

  #roots(host: number): readonly string[] {
    if (!this.#isMapped) return ['/w-elsewhere'];
    const roots = this.#serversFor(host).map(([, server]) => documentRootOf(this.#site, server));
    return [...new Set(roots.filter((root) => root !== ''))].slice(0, MAX_HOSTS);
  }
}

/** Whether the virtual hosts leave requests to the main server: those at a port for which none of them takes all addresses. */
function leavesRequests(lines: readonly Line[]): boolean {
  const hosts = hostsOf(lines);
  if (hosts.length === 0) return true;
  const taken = new Set(
    hosts.flatMap(({ words }) =>
      words.flatMap((word) => /^(?:\*|_default_)(?::(\d+|\*))?$/i.exec(word)?.[1] ?? []),
    ),
  );
  if (taken.has('*') || hosts.some(({ words }) => words.some((word) => /^(?:\*|_default_)$/i.test(word))))
    return false;
  const listened = lines
    .filter(({ name }) => name === 'listen')
    .map(({ words: [word = ''] }) => word.replace(/^.*:/, ''));
  return listened.some((port) => !taken.has(port));
}

function namesForWildcards(sections: readonly PlacedSection[], directories: readonly string[]): string[] {
  const names = sections.flatMap(({ section: { name, words } }) =>
    name === 'location' ? (/^\/([^/*?[]+)/.exec(words[0] ?? '')?.[1] ?? []) : [],
  );
  const those = [...names.slice(0, MAX_EVERYWHERE), ...directories];
  return [...new Set(those)].filter((name) => name !== '').slice(0, 2 * MAX_EVERYWHERE);
}

/** Whether a section is for directories by a regex that asks for the end, and says more than to refuse, as a rule tells. */
function asksForEnd({ name, words: [word = '', regex = ''], body = [] }: Line): boolean {
  const asks = name === 'directorymatch' ? word.includes('$') : word === '~' && regex.includes('$');
  return asks && body.some((line) => /^(?:allow|require|satisfy)$/.test(line.name));
}

/** Whether the regular expression of a section may find something in the middle of a path. */
function isUnanchored({ name, words: [word = '', regex = ''] }: Line): boolean {
  if (word === '~') return !regex.startsWith('^');
  return name.endsWith('match') && !word.startsWith('^');
}

/** Names by which a request for any directory meets a section: of Files sections, and ends of unanchored URL patterns. */
function namesEverywhere(sections: readonly Line[]): string[] {
  const names = sections.flatMap((section) => {
    const isMet =
      section.name.startsWith('files') || (section.name.startsWith('location') && isUnanchored(section));
    return isMet ? samplesOf(section).map((sample) => sample.replace(/^.*\//, '')) : [];
  });
  return [...new Set(names)].filter((name) => name !== '').slice(0, MAX_EVERYWHERE);
}

/** Names of files: an ordinary one, and one for each Files section. */
function namesIn(lines: readonly Line[]): string[] {
  const samples = lines.filter(({ name }) => name.startsWith('files')).flatMap(samplesOf);
  return [...new Set([FILE, ...samples.slice(0, 4)])];
}

/** Paths, URLs or names that a section may be for. */
function samplesOf({ name, words: [word = '', regex = ''] }: Line): string[] {
  if (word === '~') return samplesOfRegex(regex);
  return name.endsWith('match') ? samplesOfRegex(word) : [sampleOfGlob(word)];
}

/** How many of them are also asked for by URLs with doubled slashes. */
const MAX_DOUBLED = 2;

/** URLs with doubled slashes behind the first name, or all, lead to the same files. */
function withDoubled(targets: readonly JudgeTarget[], isMapped: boolean): JudgeTarget[] {
  if (!isMapped) return [...targets];
  const doubled = targets.slice(0, MAX_DOUBLED).flatMap((target) => {
    const [, first = '', rest = ''] = /^\/([^/]*)(.*)$/s.exec(target.uri) ?? [];
    const uris = [`/${first}${rest.replaceAll('/', '//')}`, `//${first}${rest}`];
    return uris.filter((uri) => uri !== target.uri).map((uri) => ({ ...target, uri }));
  });
  return [...targets.slice(0, MAX_TARGETS - doubled.length), ...doubled];
}

function limit(targets: readonly JudgeTarget[]): JudgeTarget[] {
  const found = new Map<string, JudgeTarget>();
  for (const target of targets) {
    const key = `${target.host} ${target.uri} ${target.filename}`;
    if (target.filename.startsWith('/') && !found.has(key)) found.set(key, target);
    if (found.size === MAX_TARGETS) break;
  }
  return [...found.values()];
}
