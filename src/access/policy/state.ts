import type { Section } from '../../syntax';
import {
  type Expr,
  FALSE,
  type MethodClass,
  type ServerTraits,
  TRUE,
  and,
  atom,
  covers,
  exprKey,
  not,
  or,
} from '../primitives';
import { hostsExpr } from './host-lists';
import {
  type Authorizer,
  type AuthorizerConfig,
  type HostPolicy,
  type RequireLine,
  type RequireNode,
  type Satisfy,
  type SectionPolicy,
  type SslCheck,
  type TlsPolicy,
  hasOwnTree,
} from './policy';
import { authzExpr, authzKey } from './require-tree';
import { type AuthorizerOrder, type Undecided, effectiveRequires } from './requires';
import { type ConditionalTest, type Reading, type Scope, policiesOf } from './scope';

/** What 2.2 has merged for a request so far (docs/facts/access-2.2.md): three parts, and what it takes to read them. */
export interface State {
  readonly hosts: HostPolicy | undefined;
  readonly requires: readonly RequireLine[] | undefined;
  /** The Require tree, where the configuration is read as 2.4 with mod_access_compat. */
  readonly authz: RequireNode | undefined;
  readonly satisfy: ReadonlyMap<MethodClass, Satisfy>;
  /** Whether somebody can log in by the AuthType in effect, which `AuthType None` lets nobody; undefined where there is none. */
  readonly authType: boolean | undefined;
  readonly authorizers: ReadonlyMap<Authorizer, AuthorizerConfig>;
  readonly ssl: SslCheck | undefined;
  readonly tls: TlsPolicy | undefined;
  /** In the rewrite, a section on the way has written a Require tree. */
  readonly tree: boolean;
  /** How a request came here, where that is asked for. */
  readonly when: readonly ReachCondition[];
}

/** One thing that is so, or not, of a request (or of the server) that reaches a state. */
export type ReachCondition =
  /** The deepest directory that the configuration names and the file lies in. */
  | { readonly kind: 'directory'; readonly path: string }
  | { readonly kind: 'match'; readonly scope: Scope; readonly is: boolean }
  | ({ readonly kind: 'config' } & ConditionalTest)
  /** The request is proxied: no Directory and no Files applies then. */
  | { readonly kind: 'proxied'; readonly is: boolean }
  /** The server that answers, of several. */
  | ReachedServer;

/** A server, or several of which a request to each has met the same. */
interface ReachedServer {
  readonly kind: 'server';
  /** A text that is the same for the same server. */
  readonly name: string;
  readonly traits: readonly ServerTraits[];
  /** The virtual hosts that it stands for; undefined for the main server. */
  readonly hosts: readonly (Section | undefined)[];
}

/** How a request came here, with the setting of some conditionals; undefined where that contradicts what is known. */
export function withConditions(
  when: readonly ReachCondition[],
  tests: readonly ConditionalTest[],
): readonly ReachCondition[] | undefined {
  const added: ReachCondition[] = [];
  for (const test of tests) {
    const { name, is } = test;
    const earlier = when.find((other) => other.kind === 'config' && other.name === name);
    if (earlier === undefined) added.push({ kind: 'config', ...test });
    else if (earlier.kind === 'config' && earlier.is !== is) return undefined;
  }
  return added.length === 0 ? when : [...when, ...added];
}

export const INITIAL: State = {
  hosts: undefined,
  requires: undefined,
  authz: undefined,
  satisfy: new Map(),
  authType: undefined,
  ssl: undefined,
  tls: undefined,
  authorizers: new Map(),
  tree: false,
  when: [],
};

/** What the model needs to know of the whole run. */
export interface Facts {
  readonly classes: readonly MethodClass[];
  readonly reading: Reading;
  /** 2.4 reads the names behind `Require user` and its like as expressions. */
  readonly escapes: boolean;
  readonly modules: AuthorizerOrder;
  /** The run shows every module, and none but httpd's own answers Require or asks for passwords. */
  readonly onlyKnownModules: boolean;
  /** `.htaccess` files without a server config or a named directory: the server may know theirs by another path. */
  readonly unplaced: boolean;
  /** The server runs on Windows, where file names begin with a drive letter. */
  readonly drives: boolean;
  /** SSLOptions StrictRequire of the servers, where it is the same for all. */
  readonly strictRequire: boolean;
  /** The host lists are asked before mod_ssl, by the order of LoadModule: 2.2 stops once one refuses. Undefined: not sure. */
  readonly hostsFirst: boolean | undefined;
}

const NO_SATISFY: State['satisfy'] = new Map();

/** What a section takes from the state before it, under a reading that is not that of a 2.2. */
function inheritedFrom(
  { hosts, satisfy, requires, authz }: State,
  policy: SectionPolicy,
  { reading }: Facts,
): Pick<State, 'hosts' | 'satisfy' | 'requires' | 'authz'> {
  const setsLists = policy.hosts !== undefined || policy.satisfy.length > 0;
  // mod_access_compat keeps Satisfy with the host lists, and merges neither (24 mod_access_compat.c: access_compat_dir_conf).
  if (reading === 'compat')
    return setsLists
      ? { hosts: undefined, satisfy: NO_SATISFY, requires, authz }
      : { hosts, satisfy, requires, authz };
  // A section for 2.4 says all by itself, as Require does without AuthMerging; what is for 2.2 takes nothing from such a section.
  if (policy.authz !== undefined)
    return { hosts: undefined, satisfy: NO_SATISFY, requires: undefined, authz };
  const isFor22 = setsLists || policy.requires !== undefined;
  return { hosts, satisfy, requires, authz: isFor22 ? undefined : authz };
}

/** Merges a section's own policy over what it inherits. */
export function mergePolicy(base: State, policy: SectionPolicy, facts: Facts): State {
  const inherited = facts.reading === '2.2' ? base : inheritedFrom(base, policy, facts);
  let { satisfy } = inherited;
  if (policy.satisfy.length > 0) {
    const merged = new Map(satisfy);
    for (const line of policy.satisfy)
      for (const method of facts.classes) if (covers(line.mask, method)) merged.set(method, line.value);
    satisfy = merged;
  }
  const authType = policy.authType ?? base.authType;
  return {
    hosts: policy.hosts ?? inherited.hosts,
    requires: policy.requires ?? inherited.requires,
    authz: policy.authz?.tree ?? inherited.authz,
    satisfy,
    authType,
    ssl: policy.ssl ?? base.ssl,
    tls: mergeTls(base.tls, policy.tls),
    authorizers:
      policy.authorizers.size > 0 ? new Map([...base.authorizers, ...policy.authorizers]) : base.authorizers,
    tree: base.tree || hasOwnTree(policy) || authType === true,
    when: base.when,
  };
}

/** What is in force where a section is merged over others (ssl_engine_config.c: ssl_config_perdir_merge). */
function mergeTls(base: TlsPolicy | undefined, added: TlsPolicy | undefined): TlsPolicy | undefined {
  if (added === undefined || base === undefined) return added ?? base;
  return {
    handshake: [...base.handshake.filter((line) => !added.handshake.some((other) => line.node.key === other.node.key)), ...added.handshake], // prettier-ignore
    requires: [...base.requires, ...added.requires],
    isLogin: added.isLogin ?? base.isLogin,
    strict: added.strict ?? base.strict,
  };
}

/** Equal for two that decide the same. */
function tlsKey(tls: TlsPolicy | undefined): string {
  if (tls === undefined) return '';
  const lines = [...tls.handshake, ...tls.requires];
  return `${tls.isLogin} ${tls.strict} ${lines.map(({ file, node }) => `${file.name}:${node.start}`).join(' ')}`;
}

/** The states with a section merged over them, under each setting of the conditionals that its lines are split over. */
export function statesWith(scope: Scope, statesBefore: readonly State[], facts: Facts): readonly State[] {
  return policiesOf(scope).flatMap(({ policy }) =>
    statesBefore.map((base) => mergePolicy(base, policy, facts)),
  );
}

/** Whether a 2.4 decides in a state: each, or one in which a section that was written for 2.4 has spoken last. */
export function isReadAs24({ authz }: State, { reading }: Facts): boolean {
  return reading === 'compat' || (reading === 'as-written' && authz !== undefined);
}

/** A decision for every method class, or why there is none. */
export type Decision =
  | { readonly exprs: readonly Expr[]; readonly mixed: boolean; readonly undecided?: undefined }
  | { readonly undecided: Undecided; readonly mixed?: undefined; readonly exprs?: undefined };

/**
 * What the server surely lets in in this state, one expression a method class: where it cannot be said which of the Require lines
 * count, none of them is taken to let anybody in.
 * @param nobodyLogsIn no AuthType is in force for any request: a Require line then lets nobody in (2.2 server/request.c:
 * ap_process_request_internal)
 */
export function surelyLetIn(state: State, facts: Facts, nobodyLogsIn = false): readonly Expr[] {
  const decision = decisionIn(state, facts);
  if (decision.undecided === undefined && !nobodyLogsIn) return decision.exprs;
  if (decision.undecided?.kind === 'maybe-configured') {
    const { module } = decision.undecided;
    const [first, second] = [true, false].map((configured) => {
      const authorizers = new Map([...state.authorizers, [module, { configured, authoritative: true }]]);
      return surelyLetIn({ ...state, authorizers }, facts, nobodyLogsIn);
    });
    return facts.classes.map((_, i) => and([first![i]!, second![i]!]));
  }
  return facts.classes.map((method) => {
    const hosts = hostCheck(state, method);
    const isAny = state.satisfy.get(method) === 'any';
    if (isReadAs24(state, facts)) {
      const users = state.authz === undefined ? FALSE : (authzExpr(state.authz, method) ?? TRUE);
      return (isAny ? or : and)([hosts, users]);
    }
    const live = effectiveRequires(state, facts, method);
    if (live === undefined) return hosts;
    const users =
      live.undecided === undefined && !nobodyLogsIn
        ? or(live.lines.map((line) => requireAtom(line, live.dbm)))
        : FALSE;
    return hostsWithUsers(state, method, users, facts);
  });
}

/** A line as a question to a provider of 2.4. @param dbm mod_authz_dbm answers group lines */
function requireAtom({ keyword, rest, origin }: RequireLine, dbm: boolean): Expr {
  return atom(dbm && keyword === 'group' ? 'dbm-group' : keyword, rest, origin);
}

/** The host lists, with a check for TLS that is part of them. */
function hostCheck(state: State, method: MethodClass): Expr {
  const lists = hostsExpr(state.hosts, method);
  const check = tlsCheck(state);
  return check === undefined ? lists : and([lists, check]);
}

/** `Require ssl` asks whether the server speaks TLS; where the connection's is another, the connection is asked. */
function tlsCheck({ ssl, tls }: State): Expr | undefined {
  const found: Expr[] = [];
  if (ssl?.kind === 'tree')
    found.push(ssl.byConnection ? atom('expr', "%{HTTPS} == 'on'", ssl.origin) : atom('ssl', '', ssl.origin));
  for (const { node, test, inTree } of tls?.requires ?? [])
    if (inTree === true) found.push(atom('expr', test!, node));
  return found.length === 0 ? undefined : and(found);
}

/** The host check and the Require lines, joined by Satisfy; with StrictRequire no password helps against the TLS check. */
function hostsWithUsers(state: State, method: MethodClass, users: Expr, facts: Facts): Expr {
  const hosts = hostCheck(state, method);
  if (state.satisfy.get(method) !== 'any') return and([hosts, users]);
  const check = tlsCheck(state);
  if (check === undefined || !(state.tls?.strict ?? facts.strictRequire)) return or([hosts, users]);
  const lists = hostsExpr(state.hosts, method);
  // A host list that refuses ends the asking, if it surely comes first.
  return facts.hostsFirst === true ? or([hosts, and([not(lists), users])]) : and([check, or([lists, users])]);
}

/** What 2.4 with mod_access_compat says: host lists and Require tree, joined by Satisfy (docs/facts/access-2.4.md). */
function compatDecision(state: State, facts: Facts): Decision {
  const exprs: Expr[] = [];
  for (const method of facts.classes) {
    const hosts = hostsExpr(state.hosts, method);
    const any = state.satisfy.get(method) === 'any';
    const decidedByHosts = any ? hosts.kind === 'true' : hosts.kind === 'false';
    if (state.authz === undefined && state.authType === true && !decidedByHosts)
      return { undecided: { kind: 'no-require' } };
    const authz = state.authz === undefined ? TRUE : (authzExpr(state.authz, method) ?? TRUE);
    exprs.push((any ? or : and)([hosts, authz]));
  }
  return { exprs, mixed: false };
}

/** Like {@link decisionIn}, but takes the 500 of a missing Require for what it is to a client: nobody gets in. */
export function decisionOrRefusal(state: State, facts: Facts, decision = decisionIn(state, facts)): Decision {
  return isMissingRequire(decision) ? { exprs: surelyLetIn(state, facts), mixed: false } : decision;
}

/** True if the decision is the 500 that 2.4 gives by itself where nothing is written. */
export function isMissingRequire(decision: Decision): boolean {
  return decision.undecided?.kind === 'no-require';
}

/** What the configuration's server says in a state, an expression a method class (docs/facts/access-rewrite.md). */
export function decisionIn(state: State, facts: Facts): Decision {
  if (isReadAs24(state, facts)) return compatDecision(state, facts);
  let mixed = false;
  const exprs: Expr[] = [];
  for (const method of facts.classes) {
    const hosts = hostCheck(state, method);
    const live = effectiveRequires(state, facts, method);
    if (live === undefined) {
      exprs.push(hosts);
      continue;
    }
    if (live.undecided !== undefined) return { undecided: live.undecided };
    mixed ||= live.mixed;
    const users = or(live.lines.map((line) => requireAtom(line, live.dbm)));
    exprs.push(hostsWithUsers(state, method, users, facts));
  }
  return { exprs, mixed };
}

export function decisionKey(decision: Decision): string {
  const { undecided, exprs, mixed } = decision;
  if (undecided === undefined) return exprs.map(exprKey).join(' | ') + (mixed ? '+' : '');
  return `?${undecided.kind} ${undecided.kind === 'maybe-configured' ? undecided.module : ''}`;
}

const hostKeys = new WeakMap<HostPolicy, string>();

/** Equal for two states that lead to the same decision in every later section. */
export function stateKey(state: State, facts: Facts): string {
  let hosts = '';
  if (state.hosts !== undefined) {
    const policy = state.hosts;
    hosts =
      hostKeys.get(policy) ?? facts.classes.map((method) => exprKey(hostsExpr(policy, method))).join('|');
    hostKeys.set(policy, hosts);
  }
  // Most states have little of what follows, and a large run has very many states.
  const { requires, authz, satisfy, authorizers } = state;
  let key = `${hosts}\n${state.authType} ${state.tree} ${state.ssl?.kind} ${tlsKey(state.tls)}\n`;
  key += authz === undefined ? '-' : facts.classes.map((method) => authzKey(authz, method)).join('|');
  if (requires !== undefined) {
    key += '\nr';
    for (const { keyword, rest, mask } of requires)
      key += `;${keyword} ${rest} ${mask.except} ${[...mask.names].join(' ')}`;
  }
  if (satisfy.size > 0) key += `\ns${facts.classes.map((method) => satisfy.get(method) ?? '').join(',')}`;
  if (authorizers.size > 0)
    key += `\na${[...authorizers]
      .map(([name, c]) => `${name}${c.authoritative}${c.configured}`)
      .sort()
      .join(',')}`;
  for (const test of state.when) key += `\nw${testKey(test)}`;
  return key;
}

/** Equal for two states to which a request comes in the same way. */
export function routeKey({ when }: State): string {
  return when.map(testKey).join('\n');
}

function testKey(test: ReachCondition): string {
  switch (test.kind) {
    case 'directory':
      return `d ${test.path}`;
    case 'match':
      return `m ${test.scope.order} ${test.is}`;
    case 'config':
      return `c ${test.name} ${test.is}`;
    case 'proxied':
      return `p ${test.is}`;
    case 'server':
      return `s ${test.name}`;
  }
}

/** The directory where a state is found; undefined where it may be in any, or in none. */
export function directoryIn({ when }: State): string | undefined {
  return when.find((test) => test.kind === 'directory')?.path;
}
