import { type ConfigTree, linesOf, serversOf } from '../../config';
import { findsPattern } from '../../regex';
import type { Section } from '../../syntax';
import type { Collected } from '../collect';
import { type Site, fileOfUrl, findHost, hostForSite, placedIn } from '../explain';
import {
  BoundedMap,
  PathList,
  detached,
  getOrInsert,
  locationCovers,
  normalisePath,
  memo,
} from '../primitives';
import { DirectoryRules } from './directory-rules';
import type { RequestMeeting, Meetings } from './meeting';
import { UrlSorts } from './url-sorts';

/** A request as a log has it: byte strings. */
export interface LoggedAccess {
  /** The path of the URL, decoded. */
  readonly path: string;
  readonly method: string;
  /** An address, or the name that a server has looked up. */
  readonly client: string | undefined;
  /** `undefined`: the log has no such field; empty: nobody. */
  readonly user: string | undefined;
  readonly status: number | undefined;
  /** Lower case; empty where the request had none, and missing where the log does not say. */
  readonly headers: ReadonlyMap<string, string>;
  /** The server that answered, as far as the log says: a name with its port, or the virtual hosts whose log it is. */
  readonly server:
    Site | { readonly name: string } | { readonly hosts: readonly (Section | undefined)[] } | undefined;
}

/** What a request may meet, and what leaves that open. */
export interface RequestRoutes {
  readonly id: number;
  /** Each is met in turn: what one lets in comes to the next. */
  readonly chains: readonly (readonly RequestMeeting[])[];
  readonly isServerOpen: boolean;
  readonly isFileOpen: boolean;
  readonly isRewritten: boolean;
  /** A rule of a directory, AliasMatch or the like may lead it to a file that is not known. */
  readonly isLedOn: boolean;
  readonly isMappingOpen: boolean;
}

/** Servers that are asked where a log does not say which. */
const MAX_HOSTS = 30;
/** Sorts of URLs whose routes are remembered. */
const MOST_SORTS = 20_000;
/** Names of servers that are remembered: a log may have what clients call it. */
const MOST_NAMES = 10_000;
const MAX_INDEXES = 4;

const REDIRECTS = ['Redirect', 'RedirectMatch', 'RedirectTemp', 'RedirectPermanent'];

/** A program of which the rest of the path may be an argument. */
const PROGRAM = /\.(?:php[0-9]?|phtml|cgi|fcgi|pl|py|rb|asp|jsp|s?html?)(?=\/)/i;

/** Finds the servers and the sections that requests of a log come to. */
export class RouteFinder {
  readonly #placed: ReadonlySet<string>;
  readonly #rules: DirectoryRules;
  readonly #hosts = new BoundedMap<string, readonly (Section | undefined)[]>(MOST_NAMES);
  readonly #sorts = new Map<string, UrlSorts>();
  readonly #bySort = new BoundedMap<string, RequestRoutes>(MOST_SORTS);
  #directories: PathList | undefined;
  readonly #routes = new Map<string, RequestRoutes>();
  readonly #numbers = new Map<Section | undefined, number>();
  readonly #names = new WeakMap<readonly (Section | undefined)[], string>();

  constructor(
    private readonly tree: ConfigTree,
    private readonly old: Collected,
    private readonly meetings: Meetings,
  ) {
    this.#placed = new Set(placedIn(old));
    this.#rules = new DirectoryRules(tree);
  }

  hostsOf(server: LoggedAccess['server']): readonly (Section | undefined)[] {
    if (server !== undefined && 'hosts' in server) return server.hosts;
    const key =
      server === undefined ? '' : 'name' in server ? `name ${server.name}` : `${server.host} ${server.port}`;
    return getOrInsert(this.#hosts, detached(key), () => this.#findHosts(server));
  }

  #findHosts(server: Exclude<LoggedAccess['server'], { hosts: unknown }>): readonly (Section | undefined)[] {
    const { mapping } = this.old;
    const all = mapping.hostsExcept().slice(0, MAX_HOSTS);
    if (server === undefined) return all.length === 0 ? [undefined] : all;
    if ('port' in server) {
      const { vhost } = hostForSite(this.tree, server);
      return [vhost ?? (server.host === undefined ? undefined : findHost(this.tree, server.host))];
    }
    // A name without a port may be that of the site for each of several.
    const found = new Set([80, 443].map((port) => hostForSite(this.tree, { host: server.name, port }).vhost));
    const named = findHost(this.tree, server.name);
    return named === undefined ? [...found] : [...new Set([named, ...found])];
  }

  /** The file that a URL leads to. @param path decoded */
  fileOf(vhost: Section | undefined, path: string): string {
    return fileOfUrl(cleanUrl(path), vhost, this.old, this.tree).filename;
  }

  /** Where a request may lead. @param path decoded */
  of(hosts: readonly (Section | undefined)[], path: string): RequestRoutes {
    const uri = cleanUrl(path);
    const names = getOrInsert(this.#names, hosts, () =>
      hosts.map((vhost) => this.#numberOf(vhost)).join(' '),
    );
    // What a doubled slash leads to hangs on the version, and on what looks at it.
    const isOpen = path.includes('//');
    const key = `${names} ${isOpen ? '//' : ''}${this.#sortOf(hosts, names, uri)}`;
    return getOrInsert(this.#bySort, detached(key), () => this.#find(hosts, uri, isOpen));
  }

  /** URLs with the same have the same routes: it tells all apart that {@link #find} asks about. */
  #sortOf(hosts: readonly (Section | undefined)[], names: string, uri: string): string {
    const sorts = getOrInsert(this.#sorts, names, () => this.#sortsFor(hosts));
    let all = sorts.of(uri);
    if (all === undefined) return uri;
    const program = PROGRAM.exec(uri);
    if (program !== null) all += ` ${sorts.of(uri.slice(0, program.index + program[0].length)) ?? uri}`;
    if (uri.endsWith('/'))
      for (const vhost of hosts)
        for (const name of this.#indexesOf(vhost)) all += ` ${sorts.of(uri + name) ?? uri}`;
    return all;
  }

  #sortsFor(hosts: readonly (Section | undefined)[]): UrlSorts {
    const { directories, locations } = this.meetings.places();
    this.#directories ??= new PathList([...this.#placed, ...directories, ...this.#rules.directories]);
    return new UrlSorts({
      tree: this.tree,
      old: this.old,
      hosts,
      directories: this.#directories,
      locations,
      sectionsAround: (target, vhost) => this.meetings.around(target, vhost),
    });
  }

  #numberOf(vhost: Section | undefined): number {
    return getOrInsert(this.#numbers, vhost, () => this.#numbers.size);
  }

  #find(hosts: readonly (Section | undefined)[], uri: string, isOpen: boolean): RequestRoutes {
    const { mapping } = this.old;
    const chains: (readonly RequestMeeting[])[] = [];
    let isFileOpen = false;
    let isMappingOpen = isOpen;
    let isRewritten = false;
    let isLedOn = false;
    for (const vhost of hosts) {
      const chainsBefore = chains.length;
      const { filename, sure } = fileOfUrl(uri, vhost, this.old, this.tree);
      const file = this.#placed.has(filename) ? `${filename}/` : filename;
      const first = this.meetings.of({ uri, filename: file }, vhost);
      const more = this.#alternatives(uri, file, vhost, first);
      chains.push([first], ...more);
      const led = this.#rules.of(file);
      isLedOn ||= led.isOpen || !sure;
      for (const target of led.files) this.#addChain(chains, first, { uri, filename: target }, vhost);
      for (const url of led.urls)
        this.#addChain(chains, first, { uri: url, filename: this.fileOf(vhost, url) }, vhost);
      isFileOpen ||= chains.length > chainsBefore + 1;
      isMappingOpen ||= !sure;
      isRewritten ||= mapping.rewrites.patternsFor(vhost, uri).length > 0;
    }
    const flags = [isFileOpen, isMappingOpen, isRewritten, isLedOn].map(Number).join('');
    const key = `${chains.map((chain) => chain.map(({ id }) => id).join('>')).join(' ')} ${flags} ${hosts.length}`;
    return getOrInsert(this.#routes, key, () => ({
      id: this.#routes.size + 1,
      chains,
      isServerOpen: hosts.length > 1,
      isFileOpen,
      isRewritten,
      isLedOn,
      isMappingOpen,
    }));
  }

  /** Adds what a request meets after its own sections, if that is something else. */
  #addChain(
    chains: (readonly RequestMeeting[])[],
    first: RequestMeeting,
    target: { readonly uri: string; readonly filename: string },
    vhost: Section | undefined,
  ): void {
    const met = this.meetings.of(target, vhost);
    if (met !== first && !chains.some((chain) => chain[0] === first && chain[1] === met))
      chains.push([first, met]);
  }

  /** What else a request may meet: the file of a program with a path behind its name, or an index file of a directory. */
  #alternatives(
    uri: string,
    filename: string,
    vhost: Section | undefined,
    first: RequestMeeting,
  ): (readonly RequestMeeting[])[] {
    const found: (readonly RequestMeeting[])[] = [];
    const program = PROGRAM.exec(filename);
    if (program !== null) {
      const path = filename.slice(0, program.index + program[0].length);
      const met = this.meetings.of({ uri, filename: path }, vhost);
      if (met !== first) found.push([met]);
    }
    if (filename.endsWith('/'))
      for (const name of this.#indexesOf(vhost)) {
        const index = { uri: `${uri.replace(/\/$/, '')}/${name}`, filename: filename + name };
        const met = this.meetings.of(index, vhost);
        if (met !== first && !found.some(([, other]) => other === met)) found.push([first, met]);
      }
    return found;
  }

  /** The names that DirectoryIndex lines of a server give, wherever in it they stand. */
  readonly #indexesOf = memo((vhost: Section | undefined): readonly string[] => {
    const names = this.#serverLines(vhost, ['DirectoryIndex']).flatMap(({ node }) =>
      node.args.map(({ value }) => value),
    );
    const files = names.filter((name) => !name.includes('/') && !/^(?:disabled|none)$/i.test(name));
    return [...new Set(files.length === 0 ? ['index.html'] : files)].slice(0, MAX_INDEXES);
  }, new Map());

  #serverLines(vhost: Section | undefined, names: readonly string[]): ReturnType<typeof linesOf> {
    const { main, all } = serversOf(this.tree);
    const server = vhost === undefined ? undefined : all.find(({ section }) => section === vhost);
    return [server, main].flatMap((found) => (found === undefined ? [] : linesOf(found, names)));
  }

  /** Whether a line of mod_alias answers a URL before anybody asks who gets in (mod_alias.c: translate_alias_redir). */
  readonly redirectsOf = memo((vhost: Section | undefined): ((path: string) => boolean) => {
    const lines = this.#serverLines(vhost, REDIRECTS);
    const tests = lines.map(({ node }) => {
      const words = node.args.map(({ value }) => value);
      const from =
        words.find((word) => (node.key === 'redirectmatch' ? !/^\w+$/.test(word) : word.startsWith('/'))) ??
        '';
      return node.key === 'redirectmatch'
        ? (url: string): boolean => findsPattern(from, url, false) === true
        : (url: string): boolean => from !== '' && locationCovers(from, url);
    });
    return (url) => tests.some((test) => test(url));
  }, new Map());
}

/** The path as httpd compares it: without dots and doubled slashes (server/util.c: ap_getparents, ap_no2slash). */
function cleanUrl(path: string): string {
  if (!/\/(?:\/|\.)/.test(path)) return path;
  const normal = normalisePath(path);
  return /\/\.{0,2}$/.test(path) && normal !== '/' ? `${normal}/` : normal;
}
