import { type Facts, INITIAL, type Scope, type State, merge, ownUnder } from '../policy';
import { type AccessRequest, type Answer, OTHER_METHODS } from '../primitives';
import { matchScopes } from './match';
import { hostsAdmit } from './model22';
import { type State24, decide24, joinWalks } from './model24';

/**
 * What 2.4 with mod_access_compat says to a request (2.4 server/request.c: ap_process_request_internal; access-semantics B4): the host
 * lists and Satisfy of the last section that has any, and the Require tree.
 * @param scopes collected under the reading `compat`
 */
export function answerCompat(scopes: readonly Scope[], facts: Facts, request: AccessRequest): Answer {
  return decideCompat(stateCompat(matchScopes(scopes, request), facts, request.config), facts, request);
}

export interface StateCompat {
  readonly compat: State;
  readonly core: State24;
}

export function stateCompat(
  met: readonly Scope[],
  facts: Facts,
  config: AccessRequest['config'],
): StateCompat {
  const compat = met.reduce((state, scope) => merge(state, ownUnder(scope, config), facts), INITIAL);
  const whole = joinWalks(met, (scope) => ownUnder(scope, config).authz);
  return { compat, core: { tree: whole?.tree, authType: compat.authType, ssl: false } };
}

export function decideCompat({ compat, core }: StateCompat, facts: Facts, request: AccessRequest): Answer {
  const method = request.method === 'HEAD' ? 'GET' : request.method;
  const one = facts.classes.includes(method) ? method : OTHER_METHODS;
  const secure = compat.ssl === undefined || request.tls !== false;
  if (!secure && compat.ssl?.kind === 'must') return 'F';
  const admitted = secure && hostsAdmit(compat, one, request);
  if (compat.satisfy.get(one) === 'any') return admitted ? 'P' : decide24(core, request);
  return admitted ? decide24(core, request) : 'F';
}
