import type { Directive } from '../../syntax';
import { type MethodClass, type MethodMask, covers } from '../primitives';
import type { HostProblem } from './problems';
import type { SslLine } from './access-lines';

/** `Order`: what decides where both lists, or neither, match (docs/facts/access-2.2.md); mutual-failure is allow,deny. */
export type Order = 'allow,deny' | 'deny,allow';

/** What the parts of a policy have in common. */
interface PolicyLine {
  readonly mask: MethodMask;
  readonly origin: Directive;
}

export interface OrderLine extends PolicyLine {
  readonly order: Order;
}

/** What a word of `Allow from` or `Deny from` says (2.2 mod_authz_host.c: allow_cmd; docs/facts/access-2.2.md). */
export type HostSpec =
  | { readonly kind: 'all' }
  | { readonly kind: 'env'; readonly name: string; readonly negated: boolean }
  | { readonly kind: 'ip'; readonly text: string }
  | { readonly kind: 'host'; readonly text: string }
  /** A host name that no client can have: it never matches. */
  | { readonly kind: 'never'; readonly text: string; readonly why: HostProblem }
  /** 2.2 itself refuses the word. */
  | { readonly kind: 'invalid'; readonly text: string };

export interface HostLine extends PolicyLine {
  readonly allow: boolean;
  readonly words: readonly HostSpec[];
}

/** The host policy of a section: replaced as a whole by one with such a line (docs/facts/access-2.2.md). */
export interface HostPolicy {
  readonly orders: readonly OrderLine[];
  readonly lines: readonly HostLine[];
}

/** The 2.2 module that answers a `Require` keyword. */
export type Authorizer = 'owner' | 'groupfile' | 'dbm' | 'ldap' | 'user';

export interface RequireLine extends PolicyLine {
  readonly keyword: string;
  /** What stands after the keyword in the 2.2 text. */
  readonly source: string;
  /** What stands after the keyword in the 2.4 text, escaped for it. */
  readonly rest: string;
  /** True where the line as it stands means the same to 2.4. */
  readonly verbatim: boolean;
  /** A line in 2.4's words, which no module of 2.2 answers. */
  readonly isFor24?: true;
}

export type Satisfy = 'any' | 'all';

export interface SatisfyLine extends PolicyLine {
  readonly value: Satisfy;
}

/** What a section's directives say about one authorization module: a section with any of them replaces what it inherits. */
export interface AuthorizerConfig {
  readonly authoritative: boolean;
  readonly configured: boolean;
}

/** What one section sets by itself. A part that is undefined is inherited. */
export interface SectionPolicy {
  readonly hosts: HostPolicy | undefined;
  readonly requires: readonly RequireLine[] | undefined;
  /** What mod_authz_core reads in it, where it is read as 2.4 with mod_access_compat. */
  readonly authz: AuthzConfig | undefined;
  readonly satisfy: readonly SatisfyLine[];
  /** An AuthType by which somebody can log in; false for `AuthType None`, which 2.2 took for a type that no module knows. */
  readonly authType: boolean | undefined;
  readonly authorizers: ReadonlyMap<Authorizer, AuthorizerConfig>;
  readonly ssl?: SslCheck | undefined;
  /** What else it says to mod_ssl about clients. */
  readonly tls?: TlsPolicy | undefined;
}

/** Whether a section has something that becomes a Require tree of its own. */
export function hasOwnTree({ hosts, requires, authz, ssl, tls }: SectionPolicy): boolean {
  if ((hosts ?? requires ?? authz) !== undefined || ssl?.kind === 'tree') return true;
  return tls?.requires.some(({ inTree }) => inTree === true) === true;
}

/** What counts in mod_ssl but SSLRequireSSL: under `Satisfy Any` 2.2 mostly asks only the listed (docs/facts/access-2.2.md). */
export interface TlsPolicy {
  /** The last SSLVerifyClient, SSLCipherSuite and SSLVerifyDepth: what a client is asked for in another handshake. */
  readonly handshake: readonly SslLine[];
  readonly requires: readonly SslLine[];
  /** A certificate is a login: FakeBasicAuth. */
  readonly isLogin: boolean | undefined;
  readonly strict: boolean | undefined;
}

/** SSLRequireSSL: `check`: in 2.2's host check, before 2.4's Require lines; `tree`: the rewrite makes it a Require line. */
export interface SslCheck {
  readonly kind: 'check' | 'tree';
  /** A host without SSLEngine can be asked over TLS, by the connection of another. */
  readonly byConnection: boolean;
  readonly origin: Directive;
}

/** The lines of 2.2 that host lists, Require lines and Satisfy come from. */
export function linesOfPolicy(
  policy: Pick<SectionPolicy, 'hosts' | 'requires'> & Partial<Pick<SectionPolicy, 'satisfy'>>,
): readonly PolicyLine[] {
  const { hosts, requires, satisfy = [] } = policy;
  return [...(hosts?.orders ?? []), ...(hosts?.lines ?? []), ...(requires ?? []), ...satisfy];
}

export function orderFor(
  policy: HostPolicy,
  method: MethodClass,
): { order: Order; origin: Directive | undefined } {
  let found: OrderLine | undefined;
  for (const line of policy.orders) if (covers(line.mask, method)) found = line;
  return { order: found?.order ?? 'deny,allow', origin: found?.origin };
}

/** A `Require` line of 2.4, or a container of them (2.4 mod_authz_core.c: authz_section_conf). */
export type RequireNode =
  | {
      readonly kind: 'require';
      readonly negated: boolean;
      readonly provider: string;
      readonly args: string;
      readonly masks: readonly MethodMask[];
      readonly origin: Directive;
    }
  | {
      readonly kind: 'container';
      readonly op: 'and' | 'or';
      readonly negated: boolean;
      readonly children: RequireNode[];
    };

/** How a section's tree joins the one it inherits; undefined where it says nothing of it. */
export type Merging = 'and' | 'or' | 'off';

/** What one section, or several merged, say to mod_authz_core. */
export interface AuthzConfig {
  readonly tree: RequireNode | undefined;
  readonly merging: Merging | undefined;
}
