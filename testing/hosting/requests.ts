import { type Collected, collect, factsOf } from '../../src/access/collect';
import {
  ScopeIndex,
  type State24,
  decider22,
  decide24,
  placedScopes,
  scopesRead,
  state22,
  state24,
} from '../../src/access/models';
import { splitUnread } from '../../src/access/override';
import type { Scope, State } from '../../src/access/policy';
import type { AccessRequest } from '../../src/access/primitives';
import type { ConfigTree } from '../../src/config';
import { ACCOUNTS, type Draw, GROUP } from './draw';
import type { HostingServer } from './generate';

/** A request to one of the sites. */
export interface SiteRequest {
  readonly host: string;
  readonly method: string;
  readonly uri: string;
  /** What the URL stands for. */
  readonly filename: string;
  readonly address: string;
  readonly agent: string | undefined;
  readonly user: string | undefined;
}

const NAMES = [
  'index.html',
  'a.php',
  'a.inc',
  'a.gif',
  'a.zip',
  'install.php',
  'wp-config.php',
  '.htpasswd',
  'x/a.css',
];
const ADDRESSES = ['127.0.0.1', '10.0.0.1', '10.1.1.2', '10.2.0.1', '10.2.2.3', '10.3.1.4', '192.0.2.7'];
const METHODS = ['GET', 'GET', 'GET', 'POST', 'PUT', 'OPTIONS'];

/**
 * Which files of a site requests are made for: in each directory with a `.htaccess`, and in those that the server's configuration
 * names.
 */
export function filesAskedFor({ layout, places, sites }: HostingServer): readonly string[] {
  return sites.flatMap((site) => {
    const root = layout.documentRoot(places, site);
    return directoriesOf(site).flatMap((directory) => NAMES.map((name) => `${root}${directory}/${name}`));
  });
}

function directoriesOf(site: HostingServer['sites'][number]): readonly string[] {
  const named = ['intranet', 'data', 'webstat-data', ...site.accessFiles.keys()];
  return ['', ...named.filter((path) => path !== '').map((path) => `/${path}`)];
}

/** Requests drawn evenly over sites, directories, files, clients and methods. */
export function drawRequests(server: HostingServer, count: number, draw: Draw): readonly SiteRequest[] {
  const { layout, places, sites } = server;
  const pick = <T>(list: readonly T[]): T => list[draw(list.length)]!;
  return Array.from({ length: count }, () => {
    const site = pick(sites);
    const path = `${pick(directoriesOf(site))}/${pick(NAMES)}`;
    const stock = draw(12) === 0 ? pick(layout.stock(places)) : undefined;
    return {
      host: draw(12) === 0 ? 'unknown.example' : site.name,
      method: pick(METHODS),
      uri: stock?.uri ?? path,
      filename: stock?.filename ?? layout.documentRoot(places, site) + path,
      address: pick(ADDRESSES),
      agent: draw(6) === 0 ? 'harvester/1.0' : undefined,
      user: draw(2) === 0 ? undefined : pick(ACCOUNTS),
    };
  }).filter(
    ({ host, uri }) => host !== 'unknown.example' || layout.stock(places).some((stock) => stock.uri === uri),
  );
}

/** A configuration as its model answers for it. */
export type Answering = (request: SiteRequest) => string;

/** @returns the model of 2.2 for what a tree says, and that of 2.4 */
export function modelsOf(tree: ConfigTree): { readonly as22: Answering; readonly as24: Answering } {
  const collected = collect(tree);
  const facts = factsOf(collected, tree);
  const { live, overrides } = splitUnread(collected.scopes, collected.mapping, tree);
  const index = new ScopeIndex(live);
  const hosts = hostsByName(collected);
  // All modules that the servers ask for in conditionals are there, but for those of a control panel's own.
  const config = (name: string): boolean => !/suphp|ssl/.test(name);
  const met = (request: SiteRequest): readonly Scope[] => {
    const vhost = hosts.get(request.host) ?? hosts.get('');
    return placedScopes(index.candidates(request, vhost), request).filter((scope) =>
      overrides.files.isRead(scope, vhost),
    );
  };
  const asked = (request: SiteRequest): AccessRequest => ({
    ...request,
    host: undefined,
    env: new Set(request.agent === undefined ? [] : ['bad_bot']),
    groups: new Set(request.user !== undefined && GROUP.members.includes(request.user) ? [GROUP.name] : []),
    config,
  });
  return {
    as22(request) {
      const state: State = state22(scopesRead(met(request), config, '2.2'), facts, config);
      return decider22(state, facts)(asked(request));
    },
    as24(request) {
      const state: State24 = state24(scopesRead(met(request), config, '2.4'), config);
      return decide24(state, asked(request));
    },
  };
}

/** The virtual hosts by their ServerName; under the empty name the one that takes all other requests. */
function hostsByName({ mapping }: Collected): ReadonlyMap<string, Scope['vhost']> {
  const found = new Map<string, Scope['vhost']>();
  for (const vhost of mapping.hostsExcept(new Set([undefined]))) {
    if (!found.has('')) found.set('', vhost);
    for (const node of vhost?.body ?? [])
      if (node.kind === 'directive' && node.key === 'servername') found.set(node.args[0]!.value, vhost);
  }
  return found;
}
