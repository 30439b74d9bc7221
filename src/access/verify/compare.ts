import type { ConfigTree } from '../../config';
import type { Section } from '../../syntax';
import { collect, factsOf } from '../collect';
import { findMixedSections } from '../inherit';
import type { UrlMapping } from '../mapping';
import {
  ScopeIndex,
  decide22,
  decide24,
  decideCompat,
  hostKey,
  placedScopes,
  refusesEveryUser,
  scopesRead,
  state22,
  state24,
  stateCompat,
} from '../models';
import { type FilesByHost, splitUnreadFiles } from '../override';
import type { Facts, Reading, RequireNode, Scope, State } from '../policy';
import type { AccessAnswer, AccessRequest } from '../primitives';
import { questionKey } from './question-text';
import { SectionShapes, chooseSections } from './section-choice';
import {
  type RequestTarget,
  type StateLookedAt,
  clientsFrom,
  conditionalSettings,
  anyTargets,
  targetsFor,
  valuesToTry,
} from './test-requests';

/** How much is asked: of a small configuration nearly everything, of a large one a sample of sections, targets and clients. */
const MAX_TARGETS = 40;
const MAX_CLIENTS = 300;
const BUDGET = 24_000;
const MAX_HOSTS = 3;

/** A request that the versions answer differently. */
export interface AnswerDifference {
  /** The sections it meets in the configuration as it was. */
  readonly met: readonly Scope[];
  readonly request: AccessRequest;
  readonly was: AccessAnswer;
  readonly is: AccessAnswer;
  /** How the configuration as it was is read. */
  readonly reading: Reading;
}

/**
 * Asks the 2.2 model of the configuration as it was and the 2.4 model of the rewrite the same requests: a check on the whole way from the
 * policy to the text. Sections that still need mod_access_compat are left out.
 * @param changed whether a section is part of the rewrite
 */
export function differences(
  before: ConfigTree,
  after: ConfigTree,
  changed: (scope: Scope) => boolean,
): AnswerDifference[] {
  const result: AnswerDifference[] = [];
  const old = collect(before);
  const renewed = collect(after);
  for (const root of [undefined, ...before.unreached]) {
    const isIncluded = (scope: Scope): boolean =>
      scope.place.root.role !== 'unreached' || scope.place.root.path === root?.path;
    const isTarget = (scope: Scope): boolean =>
      (root === undefined) === (scope.place.root.role !== 'unreached') && changed(scope);
    // Of most files that nothing includes there is nothing to ask, by either reading.
    const asks = (scope: Scope): boolean => isIncluded(scope) && isTarget(scope);
    if (!old.scopes.some(asks) && !collect(before, 'compat').scopes.some(asks)) continue;
    const onlyIncluded = (all: readonly Scope[]): readonly Scope[] =>
      before.unreached.length === 0 ? all : all.filter(isIncluded);
    const { live: scopes, overrides } = splitUnreadFiles(onlyIncluded(old.scopes), old.mapping);
    const after24 = splitUnreadFiles(onlyIncluded(renewed.scopes), renewed.mapping);
    const rewritten = { scopes: after24.live, files: after24.overrides.files };
    const mixed = findMixedSections(
      scopes,
      before,
      root && new Set(scopes.filter(({ place }) => place.root === root)),
    );
    const inMixed = ({ order }: Scope): boolean => mixed?.orders.has(order) === true;
    const plain = scopes.filter((scope) => isTarget(scope) && !inMixed(scope));
    const read = { scopes, files: overrides.files };
    result.push(...compare(plain, read, rewritten, old.mapping, factsOf(old, before)));
    if (mixed === undefined) continue;
    const targets = mixed.scopes.filter((scope) => isTarget(scope) && inMixed(scope));
    const { mapping } = mixed.collected;
    const readMixed = { scopes: mixed.scopes, files: mixed.overrides.files };
    result.push(...compare(targets, readMixed, rewritten, mapping, factsOf(mixed.collected, before)));
  }
  return result;
}

/** The sections of a configuration that are in use, and which host reads which `.htaccess`. */
interface LiveSections {
  readonly scopes: readonly Scope[];
  readonly files: FilesByHost;
}

/** Asks for each target the sections around it. */
function compare(
  targets: readonly Scope[],
  { scopes, files }: LiveSections,
  rewritten: LiveSections,
  mapping: UrlMapping,
  facts: Facts,
): AnswerDifference[] {
  if (targets.length === 0) return [];
  const result: AnswerDifference[] = [];
  const oldIndex = new ScopeIndex(scopes);
  const newIndex = new ScopeIndex(rewritten.scopes);
  const newHosts = hostsByKey(rewritten.files.hosts);
  const shapes = new SectionShapes(oldIndex, newIndex);
  const chosen = chooseSections(targets, shapes);
  const asked = chosen.length;
  const places = Math.max(3, Math.min(MAX_TARGETS, Math.floor(BUDGET / 100 / asked)));
  const clients = Math.max(12, Math.min(MAX_CLIENTS, Math.floor(BUDGET / asked / places)));
  const everywhere = globalScopes(scopes);
  const seen = new Set<string>();
  const noDifference = new Set<string>();
  const known = new Set([...scopes.map((scope) => scope.vhost), ...mapping.hostsExcept(new Set())]);
  const vhosts = shapes.oneOfEachFirst([...known].filter((vhost) => vhost !== undefined));
  for (let i = 0; i < asked; i++) {
    const scope = chosen[i]!;
    const around = neighbours(scope, scopes, everywhere);
    const inHosts = hostsOf(scope, vhosts, i).flatMap((vhost) =>
      targetsFor(scope, around, mapping, vhost)
        .slice(0, places)
        .map((target) => ({ target, vhost })),
    );
    // What no URL leads to is asked as another module may lead there; what Files and the like would add is not known then.
    const isMapped = inHosts.length > 0;
    const requests = isMapped
      ? inHosts
      : anyTargets(scope, around)
          .slice(0, places)
          .map((target) => ({ target, vhost: scope.vhost }));
    for (const { target, vhost } of requests) {
      const key = `${hostKey(vhost)} ${target.uri} ${target.filename}`;
      if (seen.has(key)) continue;
      seen.add(key);
      const met22 = placedScopes(oldIndex.candidates(target, vhost), target).filter((other) =>
        files.isRead(other, vhost),
      );
      if (!isMapped && met22.some(({ kind }) => kind !== 'directory' && kind !== 'htaccess')) continue;
      const newHost = newHosts.get(hostKey(vhost));
      const met24 = placedScopes(newIndex.candidates(target, vhost), target).filter((other) =>
        rewritten.files.isRead(other, newHost),
      );
      // Not of this rewrite: what still waits for mod_access_compat, and what its author wrote for each version apart.
      if (met24.some((other) => other.old.length + other.only22 + other.only24 > 0)) continue;
      const found = firstDifference(met22, met24, target, facts, clients, noDifference);
      if (found !== undefined) {
        result.push(found);
        break;
      }
    }
  }
  return result;
}

/** httpd takes the first of those with the same names. */
function hostsByKey(hosts: Iterable<Scope['vhost']>): ReadonlyMap<string, Scope['vhost']> {
  return new Map([...hosts].map((vhost) => [hostKey(vhost), vhost] as const).reverse());
}

/**
 * @param met22 the sections a target meets for 2.2; `met24` for 2.4
 * @param noDifference questions of these facts and this `most` that have found no difference: those like them need not be asked again
 */
export function firstDifference(
  met22: readonly Scope[],
  met24: readonly Scope[],
  target: RequestTarget,
  facts: Facts,
  most: number,
  noDifference: Set<string> = new Set(),
): AnswerDifference | undefined {
  for (const config of conditionalSettings(met22)) {
    const before = sourceModel(scopesRead(met22, config, '2.2'), facts, config);
    const after = state24(scopesRead(met24, config, '2.4'), config);
    const key = before.state && questionKey(before.state, after, target);
    if (key !== undefined && noDifference.has(key)) continue;
    for (const client of clientsFrom(valuesToTry([before.watched], [before.tree, after.tree]), most)) {
      const request: AccessRequest = { ...target, ...client, config };
      const was = before.answer(request);
      const is = decide24(after, request);
      if (was === is || was === '?' || is === '?' || before.isKnownDifference(request, was, is)) continue;
      return { met: scopesRead(met22, config, '2.2'), request, was, is, reading: facts.reading };
    }
    if (key !== undefined) noDifference.add(key);
  }
  return undefined;
}

interface SourceModel {
  /** Of a 2.2: requests in the same state get the same decision. */
  readonly state?: State;
  readonly watched: StateLookedAt;
  readonly tree?: RequireNode | undefined;
  answer(request: AccessRequest): AccessAnswer;
  /** Nobody gets in either way, and the run has said so. */
  isKnownDifference(request: AccessRequest, was: AccessAnswer, is: AccessAnswer): boolean;
}

/** The model of the server that the configuration was for, in the state that sections lead to. */
function sourceModel(met: readonly Scope[], facts: Facts, config: AccessRequest['config']): SourceModel {
  if (facts.reading === '2.2') {
    const state = state22(met, facts, config);
    return {
      state,
      watched: state,
      answer: (request) => decide22(state, facts, request),
      isKnownDifference: (request, was, is) =>
        (is === 'F' && was !== 'P' && refusesEveryUser(state, facts, request)) ||
        (is === 'E' && was === 'U' && state.authNone),
    };
  }
  const state = stateCompat(met, facts, config);
  return {
    watched: state.compat,
    tree: state.core.tree,
    answer: (request) => decideCompat(state, facts, request),
    isKnownDifference: () => false,
  };
}

/** The hosts whose requests are tried on a section: of the main server, that server and a few virtual hosts, others each time. */
function hostsOf(scope: Scope, vhosts: readonly Section[], turn: number): readonly Scope['vhost'][] {
  if (scope.vhost !== undefined) return [scope.vhost];
  const some = Math.min(vhosts.length, MAX_HOSTS);
  return [undefined, ...Array.from({ length: some }, (_, n) => vhosts[(turn * some + n) % vhosts.length])];
}

/** Sections of a large run that most requests may meet. */
function globalScopes(scopes: readonly Scope[]): readonly Scope[] {
  const found: Scope[] = [];
  for (const scope of scopes) {
    if (scope.kind !== 'htaccess' && scope.pattern.kind !== 'path' && scope.vhost === undefined)
      found.push(scope);
    if (found.length === 20) break;
  }
  return found;
}

/** The sections that a target for a scope is combined with: all in a small run, those next to it in a large one. */
function neighbours(scope: Scope, scopes: readonly Scope[], everywhere: readonly Scope[]): readonly Scope[] {
  if (scopes.length <= 100) return scopes;
  const at = scopes.indexOf(scope);
  return [...everywhere, ...scopes.slice(Math.max(0, at - 5), at + 5), scope];
}
