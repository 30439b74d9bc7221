import { type Collected, factsOf } from '../../src/access/collect';
import { decider22, placedScopes, scopesRead, state22 } from '../../src/access/models';
import type { AccessRequest } from '../../src/access/primitives';
import { type Scope, regexOf } from '../../src/access/policy';
import type { ConfigTree } from '../../src/config';
import { USERS } from '../access/compare-model';
import type { HttpdRequest } from '../httpd/ask';
import type { WideTarget } from './trees';

/** Where trees are while they are converted, and the port of the server behind them. */
export const ROOT = '/srv/site';
export const ID = 'tree0z';
export const BACKEND = '8099';
export const PORT = '8080';

/** Puts in what a tree leaves open for the time of its conversion. */
export const filled = (text: string): string =>
  text
    .replaceAll('@ROOT@', ROOT)
    .replaceAll('@ID@', ID)
    .replaceAll('@PORT@', PORT)
    .replaceAll('@BACKEND@', BACKEND);

/** Which conditionals hold. @param defined the names that `<IfDefine>` finds */
export function settingOf(defined: readonly string[]): AccessRequest['config'] {
  const names = new Set(defined.map(filled));
  return (name) => {
    const [kind = '', word = ''] = name.split(' ');
    return kind === 'IfDefine' ? names.has(word) : word !== 'mod_nonexistent.c';
  };
}

/** What 2.2 says to a request for a target, by its model. */
export function answer22(
  collected: Collected,
  tree: ConfigTree,
  config: AccessRequest['config'],
): (target: WideTarget, request: HttpdRequest) => string {
  const facts = factsOf(collected, tree);
  const states = new Map<WideTarget, ReturnType<typeof state22>>();
  return (target, request) => {
    let state = states.get(target);
    if (state === undefined) {
      const met = scopesRead(metBy(target, collected.scopes), config, '2.2');
      states.set(target, (state = state22(met, facts, config)));
    }
    return decider22(state, facts)(asked(target, request, config));
  };
}

/** The sections that a request for a target meets, whatever conditionals say, in merge order. */
export function metBy(target: WideTarget, all: readonly Scope[]): Scope[] {
  const scopes = all.filter(({ vhost }) => vhost === undefined || nameOf(vhost) === target.host);
  const uri = filled(target.uri);
  if (target.backend === undefined)
    return placedScopes(scopes, { uri, filename: `${ROOT}/${filled(target.file!)}` });
  // Proxy takes the place of all that is about files; the main server's come first (2.2 mod_proxy.c: proxy_walk,
  // merge_proxy_config).
  const url = `http://127.0.0.1:${BACKEND}${filled(target.backend)}`;
  const proxies = scopes.filter((scope) => scope.kind === 'proxy' && covers(scope, url));
  const locations = scopes.filter(({ kind }) => kind === 'location');
  return [
    ...proxies.filter(({ vhost }) => vhost === undefined),
    ...proxies.filter(({ vhost }) => vhost !== undefined),
    ...placedScopes(locations, { uri, filename: '/' }),
  ];
}

function nameOf(vhost: Scope['vhost']): string | undefined {
  for (const node of vhost?.body ?? [])
    if (node.kind === 'directive' && node.key === 'servername') return node.args[0]?.value.split('.')[0];
  return undefined;
}

function covers(scope: Scope, url: string): boolean {
  const regex = regexOf(scope);
  if (regex !== undefined) return new RegExp(regex).test(url);
  const word = scope.section?.args[0]?.value ?? '';
  if (!word.includes('*')) return url.startsWith(word);
  return new RegExp(
    `^${word
      .split('*')
      .map((part) => part.replaceAll('.', '\\.'))
      .join('.*')}$`,
  ).test(url);
}

/** A request for a target as one to a model. */
export function asked(
  { uri, file, backend }: WideTarget,
  { method, src, user, headers }: HttpdRequest,
  config: AccessRequest['config'],
): AccessRequest {
  const name = user === undefined || user.includes(':') ? undefined : user;
  return {
    method: method ?? 'GET',
    uri: filled(uri),
    filename: filled(file ?? backend ?? ''),
    address: src!,
    host: undefined,
    env: new Set([...(headers?.['X-Let'] ? ['let_me_in'] : []), ...(headers?.['X-Block'] ? ['block'] : [])]),
    user: name,
    groups: new Set(name === undefined ? [] : [USERS[name]!]),
    config,
  };
}
