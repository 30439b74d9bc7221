import type { ConfigFile, ConfigTree } from '../config/types';
import {
  answerOf22,
  answerOf24,
  answerAsWritten,
  answerOfToday,
  READ_IN_22,
  isToStay,
  wantedOf,
  MetSections,
  type JudgeClient,
  type JudgeRequest,
  type Letter,
} from './answer';
import { type Line, ReadError, Unreadable, isGlob } from './text';
import { checkReadable, checkWellFormed, type ReadVersion } from './reading';
import { type JudgeTarget, type PlacedSection, hostsOf, sectionsOf } from './questions';
import { type AccessFiles, type Assumptions, TreeSite, type MetOnWay, documentRootOf, wayOf } from './site';

/** What a request meets in one version, and the answer for each client. */
export interface ServedRequest {
  readonly way: MetOnWay;
  /** @throws Unreadable */
  answer(client: JudgeClient): Letter;
}

/** A request to a 2.4 with mod_access_compat, answered as a person wants it to be. */
export interface WantedRequest extends ServedRequest {
  /** What that is, in words. */
  readonly wanted: string;
}

/** One version's reading of a tree, which is asked about many requests. */
export class ServedTree {
  readonly site: TreeSite;
  readonly #hosts: readonly Line[];
  readonly #checked = new Map<Line | undefined, Unreadable | undefined>();
  readonly #proxied = new Map<Line | undefined, readonly string[]>();
  /** Bodies that have been checked. */
  readonly #read = new Set<readonly Line[]>();
  readonly #started = new Set<readonly Line[]>();
  /** Whether slashes are merged where no line says it: since 2.4.39, in a server that is read as a whole. */
  readonly #merges: boolean;

  /** @throws Unreadable, ReadError */
  constructor(
    tree: ConfigTree,
    files: AccessFiles,
    roots: readonly ConfigFile[],
    version: ReadVersion,
    assumptions: Assumptions,
  ) {
    this.site = new TreeSite(tree, files, roots, version, assumptions);
    this.#hosts = hostsOf(this.site.lines);
    this.#merges = version === '2.4' && tree.isServer && (tree.target ?? MERGING) >= MERGING;
  }

  /** The URL in which sections are looked for: several slashes are one, unless MergeSlashes is Off (request.c). */
  seen({ host: number, uri }: Pick<JudgeTarget, 'host' | 'uri'>): string {
    if (!this.#merges || !uri.includes('//')) return uri;
    const ofHost = number < 0 ? [] : (this.#hosts[number]?.body ?? []);
    const line = [...this.site.lines, ...ofHost].findLast(({ name }) => name === 'mergeslashes');
    return line?.words[0]?.toLowerCase() === 'off' ? uri : uri.replace(/\/{2,}/g, '/');
  }

  /** Whether the requests to a server come over TLS; undefined where no server is said to speak it. */
  isOverTls({ host: number }: Pick<JudgeTarget, 'host'>): boolean | undefined {
    const bodies = [this.site.lines, ...this.#hosts.map(({ body = [] }) => body)];
    return bodies.some(speaksTls) ? speaksTls(bodies[number + 1] ?? []) : undefined;
  }

  get hostCount(): number {
    return this.#hosts.length;
  }

  /** @throws Unreadable */
  at(target: JudgeTarget): ServedRequest {
    const { site } = this;
    const way = this.#checkedWay(target);
    for (const { unsure } of way.sections) if (unsure) throw new Unreadable('IfModule');
    for (const body of way.bodies) {
      if (this.#read.has(body)) continue;
      checkReadable(body, site);
      this.#read.add(body);
    }
    for (const { body = [] } of way.sections) {
      if (this.#started.has(body)) continue;
      checkWellFormed(body, site.version);
      this.#started.add(body);
    }
    const met = new MetSections(way.bodies);
    const inFull = this.#inFull(target);
    return {
      way,
      answer: (client) => {
        if (way.ends !== undefined) return way.ends;
        return site.version === '2.2'
          ? answerOf22(met, client, this.#order(), READ_IN_22)
          : answerOf24(met, inFull(client), site.compat);
      },
    };
  }

  /**
   * A request to sections in which lines of both versions meet, where a person has answered what they are to say.
   * @returns undefined where lines of one version alone are met, or nobody has
   * @throws Unreadable
   */
  wantedAt(target: JudgeTarget, tree: ConfigTree): WantedRequest | undefined {
    const way = this.#checkedWay(target);
    const wanted =
      tree.chosen && wantedOf(way.bodies, (body) => this.#placesOf(body, way, tree), tree.chosen);
    return wanted && this.#wanted(target, way, wanted);
  }

  /**
   * A request to lines of 2.2 alone, to which a 2.4 with mod_access_compat answers today what a person wants to stay.
   * @returns undefined where nobody has said so, or what it answers cannot be read
   */
  todayAt(target: JudgeTarget, tree: ConfigTree): WantedRequest | undefined {
    try {
      const way = this.#checkedWay(target);
      const stays =
        tree.chosen && isToStay(way.bodies, (body) => this.#placesOf(body, way, tree), tree.chosen);
      return stays === true ? this.#wanted(target, way, 'as-today') : undefined;
    } catch (error) {
      if (isUnread(error)) return undefined;
      throw error;
    }
  }

  /** @throws Unreadable */
  #checkedWay({ host: number, uri, filename, without }: JudgeTarget): MetOnWay {
    const host = number < 0 ? undefined : this.#hosts[number];
    this.#check(undefined, uri);
    if (host !== undefined) this.#check(host, uri);
    return wayOf(this.site, { host, uri: this.seen({ host: number, uri }), filename, without });
  }

  /** @throws Unreadable */
  #wanted(target: JudgeTarget, way: MetOnWay, wanted: 'as-today' | 'as-written'): WantedRequest {
    if (way.ends !== undefined) throw new Unreadable('a file that may not say it');
    for (const { unsure } of way.sections) if (unsure) throw new Unreadable('IfModule');
    const { namesFilledIn } = this.site;
    for (const body of way.bodies) checkReadable(body, { version: '2.4', compat: true, namesFilledIn });
    const inFull = this.#inFull(target);
    return {
      way,
      wanted: wanted === 'as-today' ? 'today 2.4' : 'what was answered',
      answer: (client) =>
        wanted === 'as-today'
          ? answerOfToday(way.bodies, inFull(client))
          : answerAsWritten(way.bodies, inFull(client), this.#order()),
    };
  }

  /** What a client asks, with what the server knows of it. */
  #inFull(target: JudgeTarget): (client: JudgeClient) => JudgeRequest {
    const { host: number, filename } = target;
    const uri = this.seen(target);
    const host = number < 0 ? undefined : this.#hosts[number];
    const documentRoot = documentRootOf(this.site, host);
    const serverName = nameOf(host?.body?.findLast(({ name }) => name === 'servername')?.words[0] ?? '');
    return (client) => ({ ...client, uri, filename, isDirectory: false, documentRoot, serverName });
  }

  #places: readonly PlacedSection[] | undefined;

  /** The file of a section or `.htaccess`, and the directory that it is for. */
  #placesOf(body: readonly Line[], { sections }: MetOnWay, { files }: ConfigTree): readonly string[] {
    const section = sections.find((candidate) => candidate.body === body);
    if (section === undefined) {
      const path = body[0]?.file ?? '';
      return [path, ...(files.find((file) => file.path === path)?.directories ?? [])];
    }
    this.#places ??= sectionsOf(this.site.lines);
    const placed = this.#places.find((candidate) => candidate.section === section);
    const directory = [section, ...(placed?.around ?? [])].find(({ name }) => name === 'directory')?.words[0];
    return directory === undefined ? [section.file] : [section.file, directory.replace(/(?!^)\/+$/, '')];
  }

  /** The modules that decide about users, where it is known in which order they are asked. */
  #order(): readonly string[] | undefined {
    const { loaded } = this.site;
    return loaded.includes('authz_user') && loaded.includes('authz_groupfile') ? loaded : undefined;
  }

  /** Checks that it is known what the lines of a server do to a URL. @throws Unreadable */
  #check(host: Line | undefined, uri: string): void {
    let problem = this.#checked.get(host);
    const lines = host?.body ?? this.site.lines;
    if (problem === undefined && !this.#checked.has(host))
      this.#checked.set(host, (problem = problemIn(lines.filter(({ name }) => name !== 'virtualhost'))));
    if (problem !== undefined) throw problem;
    let proxied = this.#proxied.get(host);
    if (proxied === undefined) {
      proxied = lines.flatMap((line) => (line.name === 'proxypass' ? (line.words[0] ?? '') : []));
      this.#proxied.set(host, proxied);
    }
    if (proxied.some((prefix) => uri.startsWith(prefix))) throw new Unreadable('ProxyPass');
  }
}

/** Whether the lines of a server turn TLS on. */
const speaksTls = (lines: readonly Line[]): boolean =>
  lines.findLast(({ name }) => name === 'sslengine')?.words[0]?.toLowerCase() === 'on';

/** The first release that takes several slashes for one (CHANGES 2.4.39). */
const MERGING = 39;

/** Lines of a server after which a URL, or a section, is for something else than it says. */
const MAPS =
  /^(?:(?:(?:wsgi)?script)?aliasmatch|virtual(?:documentroot|scriptalias)(?:ip)?|serverpath|proxypassmatch|usecanonicalname|allowcondbool|macro|use|order|allow|deny|satisfy|require|if|elseif|else)$/;

function problemIn(lines: readonly Line[]): Unreadable | undefined {
  for (const line of lines) {
    const { name, body, unsure } = line;
    if (MAPS.test(name)) return new Unreadable(name);
    if (name === 'ssloptions' && line.words.some((word) => /fakebasicauth/i.test(word)))
      return new Unreadable(name);
    const isPlaced = body !== undefined || /^(?:documentroot|(?:(?:wsgi)?script)?alias)$/.test(name);
    if (!isPlaced || name === 'proxy' || name === 'proxymatch') continue;
    const { words } = line;
    if (words.some((word) => /\$\{|[{<]%|\{\{|@[A-Z_]+@/.test(word))) return new Unreadable(name);
    if (unsure && name.endsWith('alias')) return new Unreadable(name);
    const [path = ''] = words.slice(name.endsWith('alias') ? 1 : 0);
    const isPath =
      name === 'documentroot' || name.endsWith('alias') || (name === 'directory' && path !== '~');
    if (isPath && !(path.startsWith('/') || (isGlob(path) && !name.endsWith('alias'))))
      return new Unreadable(name);
    if (isPath && /\/\/|\/\.\.?(?:\/|$)/.test(path)) return new Unreadable(name);
  }
  return undefined;
}

export function isUnread(error: unknown): boolean {
  return error instanceof Unreadable || error instanceof ReadError;
}

/** A ServerName as in Host: without scheme and port, in the letter case of httpd (server/vhost.c: fix_hostname). */
function nameOf(serverName: string): string {
  return serverName
    .replace(/^[a-z]+:\/\//i, '')
    .replace(/:\d*$/, '')
    .toLowerCase();
}
