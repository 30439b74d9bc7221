import { type FileSource, SourceError, remember } from '../../src/config';
import {
  type JudgeClient,
  type Letter,
  type Line,
  MetSections,
  ReadError,
  type ReadVersion,
  Unreadable,
  type MetOnWay,
  answerOf22,
  answerOf24,
  documentRootOf,
  everyLine,
  filenameOf,
  isKnown,
  startsWith,
  uselessRequire,
  wayOf,
} from '../../src/judge';
import { DiskSite, type Start } from './disk-site';
import { nameIn, virtualHostFor } from './virtual-hosts';

/** A request as a client sends it. */
export interface PlainRequest extends JudgeClient {
  readonly path: string;
  /** Name of the server as the client asked for it. */
  readonly to: string;
  readonly port: number;
  /** The Host header. */
  readonly host: string;
}

/** An answer like {@link Letter}; X: the server does not start; `?`: what is asked cannot be read here. */
export type PlainAnswer = Letter | 'X' | '?';

/** A way, and its sections as clients are held against them. */
interface Reached extends MetOnWay {
  readonly met: MetSections;
  readonly documentRoot: string;
  readonly serverName: string;
}

/** What each httpd has without LoadModule: 2.2 as it is built by default with shared modules, 2.4 as Debian builds it. */
export const STATICS: Readonly<Record<ReadVersion, readonly string[]>> = {
  '2.2': ['core', 'http', 'so', 'mpm_prefork'],
  '2.4': ['core', 'http', 'so', 'watchdog', 'log_config', 'logio', 'version', 'unixd'],
};

/** Directives after which a URL does not mean what is read here. */
const UNREAD = new Set(
  `rewriteengine rewriterule redirect redirectmatch redirectpermanent redirecttemp userdir scriptalias scriptaliasmatch
   aliasmatch virtualdocumentroot dav action proxypass proxypassmatch serverpath authzgroupfileauthoritative authzuserauthoritative
   authzdefaultauthoritative authbasicauthoritative authgroupfileauthoritative usecanonicalname errordocument if else elseif allowcondbool`.split(
    /[ \n]+/,
  ),
);

/** An If that no request of a client meets says nothing about them. */
function isUnread({ name, rest, body }: Line): boolean {
  const isForSubrequests = name === 'if' && rest === '"-T %{IS_SUBREQ}"' && body?.length === 0;
  return UNREAD.has(name) && !isForSubrequests;
}

/**
 * A server as its files make it, read by a reader of its own and decided section by section, without anything that the product
 * decides with. It is there to be held against the product, and is itself held against real servers.
 */
export class PlainServer {
  readonly #disk: FileSource;
  readonly #site: DiskSite | undefined;
  readonly #ways = new Map<string, Reached | '?'>();
  /** Why the server does not start; undefined where it does. */
  readonly why: string | undefined;

  constructor(
    disk: FileSource,
    conf: string,
    start: Omit<Start, 'statics'>,
    statics = STATICS[start.version],
  ) {
    this.#disk = remember(disk);
    try {
      this.#site = new DiskSite(this.#disk, conf, { ...start, statics });
      this.why = unstartable(this.#site);
    } catch (error) {
      if (!(error instanceof ReadError || error instanceof SourceError)) throw error;
      this.why = error.message;
    }
  }

  answer(request: PlainRequest): PlainAnswer {
    if (this.why !== undefined || this.#site === undefined) return 'X';
    const goals = this.#goals(request);
    let answer: PlainAnswer = 'P';
    for (const uri of goals) {
      answer = this.#answerAt(uri, request, this.#site);
      if (answer !== 'P') break;
    }
    return answer;
  }

  /** The files whose lines have a say in a request. */
  filesFor(request: PlainRequest): ReadonlySet<string> {
    if (this.#site === undefined) return new Set();
    const way = this.#way(request.path, request, this.#site);
    return way === '?' ? new Set() : way.files;
  }

  /** A directory, and the index that is looked for in it. */
  #goals({ path }: PlainRequest): string[] {
    const uri = path.replace(/\?.*$/, '');
    return uri.endsWith('/') ? [uri, `${uri}index.html`] : [uri];
  }

  #answerAt(uri: string, request: PlainRequest, site: DiskSite): PlainAnswer {
    const way = this.#way(uri, request, site);
    if (way === '?') return '?';
    if (way.ends !== undefined) return way.ends;
    const asked = { ...request, isGroupFile };
    try {
      return site.version === '2.2'
        ? answerOf22(way.met, asked, [...site.modules])
        : answerOf24(way.met, {
            ...asked,
            uri,
            filename: way.filename,
            isDirectory: this.#disk.kind(way.filename) === 'directory',
            documentRoot: way.documentRoot,
            serverName: request.host === '' ? way.serverName : nameIn(request.host),
          });
    } catch (error) {
      if (error instanceof Unreadable) return '?';
      throw error;
    }
  }

  #way(uri: string, request: PlainRequest, site: DiskSite): Reached | '?' {
    const key = `${request.to} ${request.port} ${request.host} ${uri}`;
    let way = this.#ways.get(key);
    if (way === undefined) this.#ways.set(key, (way = this.#newWay(uri, request, site)));
    return way;
  }

  #newWay(uri: string, { to, port, host: name }: PlainRequest, site: DiskSite): Reached | '?' {
    const { lines, version } = site;
    const host = virtualHostFor(version, lines, { address: to, port, host: name });
    const outside = lines.filter((line) => line.name !== 'virtualhost');
    for (const line of everyLine([...outside, ...(host?.body ?? [])])) if (isUnread(line)) return '?';
    const way = wayOf(site, { host, uri, filename: filenameOf(site, host, uri) });
    for (const body of way.bodies) for (const line of everyLine(body)) if (isUnread(line)) return '?';
    const serverName = host?.body?.findLast((line) => line.name === 'servername')?.words[0] ?? '';
    return {
      ...way,
      documentRoot: documentRootOf(site, host),
      serverName,
      met: new MetSections(way.bodies),
    };
  }
}

/** The groups are known that stand in the group file of a tree. */
const isGroupFile = (path: string): boolean => path.endsWith('/htgroup');

/** Why httpd would not start with it: a line that it does not know, or takes in another way. */
function unstartable({ lines, version, modules }: DiskSite): string | undefined {
  const shown = ({ file, number, name, rest }: Line): string => `${file}:${number}: ${name} ${rest}`;
  for (const line of everyLine(lines))
    if (!isKnown(line, version, modules) || !startsWith(line, version)) return shown(line);
  const useless = version === '2.4' ? uselessRequire(lines) : undefined;
  return useless && shown(useless);
}
