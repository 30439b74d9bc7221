import type { ConfigTree } from '../config';
import { collect } from './collect';
import { factsOf } from './facts';
import { splitUnread } from './governor';
import { answer22 } from './model22';
import { answer24 } from './model24';
import type { AccessRequest, Answer } from './request';
import type { Scope } from './scope';
import { ScopeIndex } from './scopeindex';
import { matchScopes } from './match';
import { requestsTo, targetsFor } from './witness';

/** Sections whose neighbourhood is asked; of more than these an even sample. */
const MAX_SCOPES = 600;

/** A request that the versions answer differently. */
export interface Difference {
  /** The sections it meets in the configuration as it was. */
  readonly met: readonly Scope[];
  readonly message: string;
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
): Difference[] {
  const old = collect(before);
  const facts = factsOf(old, before);
  const roots = [undefined, ...before.unreached];
  const result: Difference[] = [];
  const renewed = collect(after);
  for (const root of roots) {
    const inWorld = (scope: Scope): boolean =>
      scope.place.root.role !== 'unreached' || scope.place.root.path === root?.path;
    const scopes = splitUnread(old.scopes.filter(inWorld)).live;
    const targets = scopes.filter(
      (scope) => changed(scope) && (root === undefined) === (scope.place.root.role !== 'unreached'),
    );
    if (targets.length === 0) continue;
    const oldIndex = new ScopeIndex(scopes);
    const newIndex = new ScopeIndex(splitUnread(renewed.scopes.filter(inWorld)).live);
    const stride = Math.max(1, Math.ceil(targets.length / MAX_SCOPES));
    for (let i = 0; i < targets.length; i += stride) {
      const scope = targets[i]!;
      const vhost = scope.vhost;
      const here = (one: Scope): boolean => one.vhost === undefined || sameSection(one, vhost);
      for (const target of targetsFor(scope, neighbours(scope, scopes, i), old.mapping).slice(0, 40)) {
        const candidates22 = oldIndex.candidates(target).filter(here);
        const candidates24 = newIndex.candidates(target).filter(here);
        if (candidates24.some((one) => one.old.length > 0)) continue;
        const found = firstDifference(candidates22, candidates24, target, facts);
        if (found !== undefined) {
          result.push(found);
          break;
        }
      }
    }
  }
  return result;

  function firstDifference(
    candidates22: readonly Scope[],
    candidates24: readonly Scope[],
    target: { uri: string; filename: string },
    known: typeof facts,
  ): Difference | undefined {
    for (const request of requestsTo(target, candidates22)) {
      const was = answer22(candidates22, known, request);
      const is = answer24(candidates24, request);
      if (was !== is && was !== '?' && is !== '?')
        return { met: matchScopes(candidates22, request), message: tell(request, was, is) };
    }
    return undefined;
  }
}

/** Sections of the two trees are told to be the same by the place of their text; virtual hosts keep their order. */
function sameSection(scope: Scope, vhost: Scope['vhost']): boolean {
  return scope.vhost === vhost || scope.vhost?.open.rest === vhost?.open.rest;
}

/** The sections that a target for a scope is combined with: all in a small run, those next to it in a large one. */
function neighbours(scope: Scope, scopes: readonly Scope[], at: number): readonly Scope[] {
  if (scopes.length <= 200) return scopes;
  const global = scopes.filter((one) => one.kind !== 'htaccess' && one.pattern.kind !== 'path').slice(0, 20);
  return [...global, ...scopes.slice(Math.max(0, at - 20), at + 20), scope];
}

const WORDS: Readonly<Record<Answer, string>> = {
  P: 'admits',
  U: 'asks for a password',
  F: 'refuses',
  E: 'answers 500',
  '?': 'cannot be told',
};

function tell(request: AccessRequest, was: Answer, is: Answer): string {
  const client = request.host === undefined ? request.address : `${request.host} (${request.address})`;
  const variables = request.env.size === 0 ? '' : `, ${[...request.env].join(' and ')} set`;
  const who =
    request.user === undefined ? 'without a password' : request.groups.size > 0 ? `as a user of ${[...request.groups].join(', ')}` : /^[\x01\x02]/.test(request.user) ? 'as a user not named' : `as ${request.user}`; // prettier-ignore
  return `${request.method} ${request.uri} (${request.filename}) from ${client}${variables} ${who}: 2.2 ${WORDS[was]}, the rewrite ${WORDS[is]}`;
}
