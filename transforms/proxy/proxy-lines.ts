import type { Place, Server } from '../../src/config';
import { serversOf } from '../../src/config';
import type { TransformContext } from '../../src/engine';
import type { Directive } from '../../src/syntax';
import { containersOf, isCarriedOver, isUnknown } from '../common/lines';
import { addTo } from '../../src/maps';

/** A ProxyPass or ProxyPassMatch as 2.2 read it. */
export interface Mapping {
  readonly node: Directive;
  readonly place: Place;
  readonly server: Server;
  /** The path that is mapped; inside `<Location>`, the path of the section. */
  readonly path: string;
  readonly isRegex: boolean;
  readonly inLocation: boolean;
  /** The URL, or `!`. */
  readonly url: string;
  /** `key=value` words. */
  readonly parameters: readonly string[];
}

/** Every ProxyPass and ProxyPassMatch, server by server in the order of reading. */
export function mappingsOf(context: TransformContext): Map<Server, Mapping[]> {
  const servers = serversOf(context.tree);
  const byServer = new Map<Server, Mapping[]>();
  const lines: { node: Directive; place: Place }[] = [];
  context.directives(['ProxyPass'], (node, place) => lines.push({ node, place }));
  context.directives(['ProxyPassMatch'], (node, place) => lines.push({ node, place }));
  for (const { node, place } of lines) {
    if (!isCarriedOver(place)) continue;
    const server = servers.of(place);
    const mapping = readMapping(node, place, server);
    if (mapping === undefined) continue;
    addTo(byServer, server, mapping);
  }
  return byServer;
}

function readMapping(node: Directive, place: Place, server: Server): Mapping | undefined {
  const container = containersOf(place).at(-1)?.section;
  if (container !== undefined && !container.key.startsWith('location')) return undefined;
  const words = node.args.map(({ value }) => value);
  const hasTilde = container === undefined && words[0] === '~';
  const [firstWord = '', ...rest] = hasTilde ? words.slice(1) : words;
  const location = container?.args.map(({ value }) => value) ?? [];
  const path = container === undefined ? firstWord : (location.at(-1) ?? '');
  const [url = '', ...wordsAfterUrl] = container === undefined ? rest : [firstWord, ...rest];
  if (isUnknown(path) || isUnknown(url)) return undefined;
  return {
    node,
    place,
    server,
    path,
    isRegex:
      hasTilde || node.key === 'proxypassmatch' || container?.key === 'locationmatch' || location[0] === '~',
    inLocation: container !== undefined,
    url,
    parameters: wordsAfterUrl.filter((word) => word.includes('=')),
  };
}

/** Whether the URL holds `$1` and the like behind its host, so that 2.2 finds it in no request. */
export const isMatchWorker = ({ isRegex, url }: Mapping): boolean =>
  isRegex && /^[a-z]+:\/\/[^/$]+\/[^$]*\$\d/i.test(url) && !/^balancer:/i.test(url);

/** Sorts lines in the order in which httpd reads them. */
export function inReadingOrder<T extends Pick<Mapping, 'node' | 'place'>>(
  context: TransformContext,
  lines: readonly T[],
): T[] {
  const files = new Map(context.tree.files.map((file, i) => [file, i]));
  return [...lines].sort(
    (a, b) => (files.get(a.place.file) ?? 0) - (files.get(b.place.file) ?? 0) || a.node.start - b.node.start,
  );
}

/** The name of the worker of a URL: scheme and host in small letters, without the usual port. */
export const workerName = (url: string): string =>
  lowerHost(url).replace(/^(http:\/\/[^/]*):80(?=\/|$)|^(https:\/\/[^/]*):443(?=\/|$)/, '$1$2');

/** The worker that a URL uses: of those with whose name it begins, host included, the one with the longest. */
export function workerFor<T>(
  url: string,
  workers: ReadonlyMap<string, T>,
): { readonly name: string; readonly worker: T } | undefined {
  const text = lowerHost(url);
  const host = hostOf(text).length;
  for (let end = text.length; end >= host; end--) {
    const name = text.slice(0, end);
    const worker = workers.get(name);
    if (worker !== undefined) return { name, worker };
  }
  return undefined;
}

const hostOf = (url: string): string => /^[a-z]+:\/\/[^/]*/i.exec(url)?.[0] ?? url;
const lowerHost = (url: string): string => hostOf(url).toLowerCase() + url.slice(hostOf(url).length);

/** A path and those above it, without trailing slashes: /a/b, /a and the empty path. */
export function pathAndAbove(path: string): string[] {
  const paths: string[] = [];
  for (let end = path.replace(/\/+$/, '').length; end >= 0; end = path.lastIndexOf('/', end - 1)) {
    paths.push(path.slice(0, end));
    if (end === 0) break;
  }
  return paths;
}
