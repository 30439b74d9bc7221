import type { Place, Server } from '../../src/config';
import { serversOf } from '../../src/config';
import type { TransformContext } from '../../src/engine';
import type { Directive } from '../../src/syntax';
import { containersOf, isCarriedOver, isUnknown } from '../shared/lines';

/** A ProxyPass or ProxyPassMatch as 2.2 read it. */
export interface Mapping {
  readonly node: Directive;
  readonly place: Place;
  readonly server: Server;
  /** The path that is mapped; of one inside of a `<Location>`, the path of that. */
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
  const all = new Map<Server, Mapping[]>();
  const found: { node: Directive; place: Place }[] = [];
  context.directives(['ProxyPass'], (node, place) => found.push({ node, place }));
  context.directives(['ProxyPassMatch'], (node, place) => found.push({ node, place }));
  for (const { node, place } of found) {
    if (!isCarriedOver(place)) continue;
    const server = servers.of(place);
    const mapping = readMapping(node, place, server);
    if (mapping === undefined) continue;
    const list = all.get(server);
    if (list === undefined) all.set(server, [mapping]);
    else list.push(mapping);
  }
  return all;
}

function readMapping(node: Directive, place: Place, server: Server): Mapping | undefined {
  const around = containersOf(place).at(-1)?.section;
  if (around !== undefined && !around.key.startsWith('location')) return undefined;
  const words = node.args.map(({ value }) => value);
  const tilde = around === undefined && words[0] === '~';
  const [first = '', ...rest] = tilde ? words.slice(1) : words;
  const location = around?.args.map(({ value }) => value) ?? [];
  const path = around === undefined ? first : (location.at(-1) ?? '');
  const [url = '', ...more] = around === undefined ? rest : [first, ...rest];
  if (isUnknown(path) || isUnknown(url)) return undefined;
  return {
    node,
    place,
    server,
    path,
    isRegex: tilde || node.key === 'proxypassmatch' || around?.key === 'locationmatch' || location[0] === '~',
    inLocation: around !== undefined,
    url,
    parameters: more.filter((word) => word.includes('=')),
  };
}

/** Sorted as httpd reads them: by their rank in a walk of the tree. */
export function inReadingOrder(context: TransformContext, mappings: readonly Mapping[]): Mapping[] {
  const files = new Map(context.tree.files.map((file, i) => [file, i]));
  return [...mappings].sort(
    (a, b) => (files.get(a.place.file) ?? 0) - (files.get(b.place.file) ?? 0) || a.node.start - b.node.start,
  );
}

/** A path and those above it, without slashes at their ends: /a/b, /a and the empty one. */
export function pathAndAbove(path: string): string[] {
  const all: string[] = [];
  for (let end = path.replace(/\/+$/, '').length; end >= 0; end = path.lastIndexOf('/', end - 1)) {
    all.push(path.slice(0, end));
    if (end === 0) break;
  }
  return all;
}
