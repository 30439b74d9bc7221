import { type Expr, and, atom, FALSE, keyOf, or } from './expr';
import { hostsExpr } from './hosts';
import { type MethodClass, covers } from './methods';
import type {
  Authorizer,
  AuthorizerConfig,
  HostPolicy,
  OwnPolicy,
  RequireLine,
  Satisfy,
  SslCheck,
} from './policy';
import type { ConfigTest, Scope } from './scope';
import { type AuthorizerOrder, liveRequires, requireText } from './requires';

/** What 2.2 has merged for a request so far (access-semantics A1): three independent parts, and what they need to be read. */
export interface State {
  readonly hosts: HostPolicy | undefined;
  readonly requires: readonly RequireLine[] | undefined;
  readonly satisfy: ReadonlyMap<MethodClass, Satisfy>;
  readonly authType: boolean;
  /** `AuthType None` is in effect. */
  readonly authNone: boolean;
  readonly authorizers: ReadonlyMap<Authorizer, AuthorizerConfig>;
  readonly ssl: SslCheck | undefined;
  /** In the rewrite, a section on the way has written a Require tree. */
  readonly tree: boolean;
  /** How a request came here, where that is asked for. */
  readonly when: readonly Test[];
}

/** One thing that is so, or not, of a request (or of the server) that reaches a state. */
export type Test =
  /** The deepest directory that the configuration names and the file lies in. */
  | { readonly kind: 'directory'; readonly path: string }
  | { readonly kind: 'match'; readonly scope: Scope; readonly is: boolean }
  | { readonly kind: 'config'; readonly name: string; readonly is: boolean }
  /** Something that no expression of 2.4 can ask. */
  | { readonly kind: 'untold'; readonly name: string };

/** How a request came here, with the setting of some conditionals added; undefined where that contradicts what is known of them. */
export function withTests(when: readonly Test[], tests: readonly ConfigTest[]): readonly Test[] | undefined {
  const added: Test[] = [];
  for (const { name, is } of tests) {
    const known = when.find((test) => test.kind === 'config' && test.name === name);
    if (known === undefined) added.push({ kind: 'config', name, is });
    else if (known.kind === 'config' && known.is !== is) return undefined;
  }
  return added.length === 0 ? when : [...when, ...added];
}

export const INITIAL: State = {
  hosts: undefined,
  requires: undefined,
  satisfy: new Map(),
  authType: false,
  authNone: false,
  ssl: undefined,
  authorizers: new Map(),
  tree: false,
  when: [],
};

/** What the model needs to know of the whole run. */
export interface Facts {
  readonly classes: readonly MethodClass[];
  readonly modules: AuthorizerOrder;
  /** The run shows every module, and none but httpd's own answers Require or asks for passwords. */
  readonly sealed: boolean;
}

/** Merges a section's own policy over what it inherits. */
export function merge(base: State, own: OwnPolicy, facts: Facts): State {
  let satisfy = base.satisfy;
  if (own.satisfy.length > 0) {
    const merged = new Map(base.satisfy);
    for (const line of own.satisfy)
      for (const method of facts.classes) if (covers(line.mask, method)) merged.set(method, line.value);
    satisfy = merged;
  }
  const authType = own.authType ?? base.authType;
  return {
    hosts: own.hosts ?? base.hosts,
    requires: own.requires ?? base.requires,
    satisfy,
    authType,
    ssl: own.ssl ?? base.ssl,
    authNone: own.authType === undefined ? base.authNone : !own.authType,
    authorizers:
      own.authorizers.size > 0 ? new Map([...base.authorizers, ...own.authorizers]) : base.authorizers,
    tree:
      base.tree ||
      own.hosts !== undefined ||
      own.requires !== undefined ||
      own.ssl?.kind === 'tree' ||
      authType,
    when: base.when,
  };
}

/** A decision for every method class, or why there is none. */
export type Decision =
  | { readonly exprs: readonly Expr[]; readonly mixed: boolean; readonly undecided?: undefined }
  | { readonly undecided: string };

/** What 2.2 says in this state, as an expression a method class (access-semantics D1). */
export function decide(state: State, facts: Facts): Decision {
  let mixed = false;
  const exprs: Expr[] = [];
  for (const method of facts.classes) {
    const lists = hostsExpr(state.hosts, method);
    const hosts = state.ssl?.kind === 'tree' ? and([lists, atom('ssl', state.ssl.origin)]) : lists;
    const live = liveRequires(state.requires, method, state.authorizers, facts.modules);
    if (live === undefined) {
      exprs.push(hosts);
      continue;
    }
    if (live.undecided !== undefined) return { undecided: live.undecided };
    mixed ||= live.mixed;
    const users =
      live.lines.length === 0
        ? FALSE
        : or(live.lines.map((line) => atom(requireText(line, live.dbm), line.origin)));
    exprs.push((state.satisfy.get(method) === 'any' ? or : and)([hosts, users]));
  }
  return { exprs, mixed };
}

export function decisionKey(decision: Decision): string {
  return decision.undecided !== undefined
    ? `?${decision.undecided}`
    : decision.exprs.map(keyOf).join(' | ') + (decision.mixed ? '+' : '');
}

const hostKeys = new WeakMap<HostPolicy, string>();

/** Equal for two states that no later section can tell apart. */
export function stateKey(state: State, facts: Facts): string {
  let hosts = '';
  if (state.hosts !== undefined) {
    const policy = state.hosts;
    hosts = hostKeys.get(policy) ?? facts.classes.map((method) => keyOf(hostsExpr(policy, method))).join('|');
    hostKeys.set(policy, hosts);
  }
  const requires = state.requires?.map(
    (line) => `${line.keyword} ${line.rest} ${line.mask.except} ${[...line.mask.names].join(' ')}`,
  );
  const satisfy = facts.classes.map((method) => state.satisfy.get(method) ?? '');
  const authorizers = [...state.authorizers]
    .map(([name, c]) => `${name}${c.authoritative}${c.configured}`)
    .sort();
  const when = state.when.map(testKey);
  return [
    hosts,
    requires?.join(';') ?? '-',
    satisfy,
    authorizers,
    state.authType,
    state.authNone,
    state.ssl?.kind,
    state.tree,
    when,
  ].join('\n');
}

export function testKey(test: Test): string {
  switch (test.kind) {
    case 'directory':
      return `d ${test.path}`;
    case 'match':
      return `m ${test.scope.order} ${test.is}`;
    case 'config':
      return `c ${test.name} ${test.is}`;
    case 'untold':
      return `u ${test.name}`;
  }
}
