import {
  decider22,
  decide24,
  decideCompat,
  placedScopes,
  scopesRead,
  state22,
  state24,
  stateCompat,
} from '../../src/access/models';
import type { Facts, Scope } from '../../src/access/policy';
import type { AccessAnswer, AccessRequest } from '../../src/access/primitives';

/** The sections of a run that a version reads for a request, in merge order. */
export function matchScopes(
  scopes: readonly Scope[],
  request: AccessRequest,
  version: '2.2' | '2.4' = '2.2',
): Scope[] {
  return scopesRead(placedScopes(scopes, request), request.config, version);
}

/** What 2.2 says to a request. */
export function answer22(scopes: readonly Scope[], facts: Facts, request: AccessRequest): AccessAnswer {
  return decider22(state22(matchScopes(scopes, request), facts, request.config), facts)(request);
}

/** What 2.4 says to a request, mod_access_compat not loaded. */
export function answer24(scopes: readonly Scope[], request: AccessRequest): AccessAnswer {
  return decide24(state24(matchScopes(scopes, request, '2.4'), request.config), request);
}

/** What 2.4 with mod_access_compat says. @param scopes collected under the reading `compat` */
export function answerCompat(scopes: readonly Scope[], facts: Facts, request: AccessRequest): AccessAnswer {
  return decideCompat(stateCompat(matchScopes(scopes, request), facts, request.config), facts, request);
}
