import { readWords } from '../../syntax';
import {
  type EffectiveRequires,
  type Facts,
  type HostLine,
  INITIAL,
  type RequireLine,
  type Scope,
  type State,
  type SslLine,
  effectiveRequires,
  mergePolicy,
  orderFor,
  policyUnder,
} from '../policy';
import {
  type AccessAnswer,
  type AccessRequest,
  type Config,
  type MethodClass,
  OTHER_METHODS,
  addressMatches,
  covers,
  getOrInsert,
  inDomain,
  memo,
  moduleQuestion,
} from '../primitives';

/** The merged state of the sections a request meets. */
export function state22(met: readonly Scope[], facts: Facts, config: Config): State {
  return met.reduce((state, scope) => mergePolicy(state, policyUnder(scope, config), facts), INITIAL);
}

/**
 * What 2.2 says in a state (server/request.c: ap_process_request_internal; docs/facts/access-2.2.md), to many requests: which
 * Require lines count is found once for each method.
 */
export function decider22(state: State, facts: Facts): (request: AccessRequest) => AccessAnswer {
  const byMethod = new Map<MethodClass, EffectiveRequires | undefined>();
  return (request) => {
    const methodClass = classOf(request.method, facts);
    const live = getOrInsert(byMethod, methodClass, () => effectiveRequires(state, facts, methodClass));
    const { admitted, isFinal } = clientCheck(state, methodClass, facts, request);
    if ((state.satisfy.get(methodClass) ?? 'all') === 'all') {
      if (!admitted) return 'F';
      if (live === undefined) return 'P';
    } else {
      if (admitted) return 'P';
      if (live === undefined || isFinal) return 'F';
    }
    if (live.undecided !== undefined) return '?';
    // mod_authn_default asks for a password where no other module knows the AuthType; without any it has nothing to say.
    if (state.authType !== true) return state.authType === false ? 'U' : 'E';
    if (request.user === undefined) return 'U';
    return live.lines.some((line) => lineAdmits(line, request)) ? 'P' : 'U';
  };
}

/**
 * Whether a client meets what SSLRequire lines ask, as far as a Require line asks the same: what none asks is a must in both
 * versions. Without TLS neither asks (ssl_engine_kernel.c: ssl_hook_Access).
 */
export function meetsSslRequires(
  lines: readonly Pick<SslLine, 'test'>[] | undefined,
  { holds, tls, server }: AccessRequest,
): boolean {
  if (lines === undefined || holds === undefined || (server?.tls ?? tls) === false) return true;
  return lines.every(({ test }) => test === undefined || holds.has(moduleQuestion('expr', [test])));
}

/**
 * Whether the host lists and mod_ssl let a client in, and, if not, whether no password helps: not whom SSLRequireSSL refuses with
 * StrictRequire, if mod_ssl was asked, which it is not where a host list before it has refused (ssl_engine_kernel.c:
 * ssl_hook_UserCheck; server/request.c: access_checker runs until one refuses).
 */
export function clientCheck(
  state: State,
  methodClass: MethodClass,
  facts: Facts,
  request: AccessRequest,
): { readonly admitted: boolean; readonly isFinal: boolean } {
  const { ssl, tls } = state;
  const secure = (ssl === undefined || request.tls !== false) && meetsSslRequires(tls?.requires, request);
  const listed = hostsAdmit(state, methodClass, request);
  const isFinal = !secure && (tls?.strict ?? facts.strictRequire) && (listed || facts.hostsFirst !== true);
  return { admitted: secure && listed, isFinal };
}

/** True where 2.2 asks for a password that gets nobody in: 2.4 can say no such thing, and refuses. */
export function refusesEveryUser(state: State, facts: Facts, { method }: AccessRequest): boolean {
  const methodClass = classOf(method, facts);
  return effectiveRequires(state, facts, methodClass)?.lines.length === 0;
}

export function classOf(method: string, facts: Facts): MethodClass {
  const name = method === 'HEAD' ? 'GET' : method;
  return facts.classes.includes(name) ? name : OTHER_METHODS;
}

/** Whether Order, Allow and Deny let a client in; without any of them they do. */
export function hostsAdmit(state: State, method: string, request: AccessRequest): boolean {
  const policy = state.hosts;
  if (policy === undefined) return true;
  const hit = (allow: boolean): boolean =>
    policy.lines.some(
      (line) => line.allow === allow && covers(line.mask, method) && hostLineHits(line, request),
    );
  return orderFor(policy, method).order === 'allow,deny'
    ? hit(true) && !hit(false)
    : hit(true) || !hit(false);
}

export function hostLineHits(line: HostLine, request: AccessRequest): boolean {
  return line.words.some((word) => {
    switch (word.kind) {
      case 'all':
        return true;
      case 'env':
        return request.env.has(word.name.toLowerCase()) !== word.negated;
      case 'ip':
        return addressMatches(word.text, request.address);
      case 'host':
        return request.host !== undefined && inDomain(word.text, request.host);
      default:
        return false;
    }
  });
}

/** A line is asked again for every client. */
const namesOf = memo((line: RequireLine): readonly string[] =>
  readWords(line.source).map((word) => word.value),
);

function lineAdmits(line: RequireLine, request: AccessRequest): boolean {
  if (line.keyword === 'valid-user') return true;
  const names = namesOf(line);
  if (line.keyword === 'user') return names.includes(request.user!);
  if (line.keyword === 'group') return names.some((name) => request.groups.has(name));
  return request.holds?.has(moduleQuestion(line.keyword, names)) === true;
}
