import type { SslLines } from '../collect';
import { mayMeetLocation } from '../inherit';
import {
  linesByReader,
  type Facts,
  type Scope,
  type SectionPolicy,
  changesAccess,
  type SslLine,
  type SslObstacle,
  asksTlsFor22Alone,
  directoryOf,
  saysSatisfyAny,
} from '../policy';
import { EMPTY_LIST, mayBeOnOneWay } from '../primitives';

/** A check of TLS that stays where it stands: for all requests it is a must in 2.4, where 2.2 let some in by another way. */
export interface KeptCheck {
  readonly directive: string;
  readonly because: SslObstacle;
}

export interface SectionsWithSsl {
  readonly scopes: readonly Scope[];
  /** By section: a check that requests to it can meet, and that stays. */
  readonly keptChecks: ReadonlyMap<Scope, KeptCheck>;
}

/**
 * Sections with SSLRequireSSL as a part of their Require trees where it can meet a `Satisfy Any`, in all sections that can meet
 * there; or, where it cannot be that, as something that 2.2 never refused anybody by, since 2.4 refuses more.
 * @param scopes sections that can meet each other, and nothing else can
 * @param hostsFirst the host lists are asked before mod_ssl
 * @param complete the run shows the whole server
 * @param mayStay a check that cannot become a Require line may stay; otherwise its section is left as it is
 */
export function withSslInTrees(
  ssl: SslLines,
  scopes: readonly Scope[],
  hostsFirst: Facts['hostsFirst'],
  complete: boolean,
  mayStay: boolean,
): SectionsWithSsl {
  if (!ssl.isUsed || !scopes.some(saysSatisfyAny) || !scopes.some(asksForTls))
    return { scopes, keptChecks: new Map() };
  // Such a section decides differently, and has no line that its text could stand at.
  const isChangedAlone = scopes.some(
    (scope) => scope.policy.tls?.strict !== undefined && !changesAccess(scope) && !asksForTls(scope),
  );
  // Only with StrictRequire does the order count.
  const isOrderOpen =
    hostsFirst === undefined &&
    (ssl.strict !== false || scopes.some(({ policy }) => policy.tls?.strict === true));
  const changed = new Map<Scope, Scope>();
  const stay = new Map<Scope, KeptCheck>();
  const withSsl = new Set(scopes.filter(asksForTls));
  // One that is in the tree takes those with it that the same request can meet.
  for (let reached = scopes.filter(saysSatisfyAny); reached.length > 0;) {
    const next = [...withSsl].filter(
      (scope) => saysSatisfyAny(scope) || reached.some((other) => mayMeet(scope, other)),
    );
    for (const scope of next) {
      withSsl.delete(scope);
      const because = isChangedAlone
        ? 'strict-not-everywhere'
        : obstacleOf(ssl, scope, complete, isOrderOpen);
      // What SSLRequire alone asks may have an <If>, see planTlsLines.
      if (because !== undefined && !asksForSsl(scope) && !isFor22(scope)) continue;
      changed.set(scope, changedFor(scope, because, mayStay));
      if (because !== undefined) stay.set(scope, { directive: checksIn(scope)[0]!.node.name, because });
    }
    reached = next;
  }
  // What is nested in a section that has changed stands in the changed one.
  const result = scopes.map((scope) => {
    const now = changed.get(scope) ?? scope;
    const parent = now.parent && changed.get(now.parent);
    return parent === undefined ? now : { ...now, parent };
  });
  return { scopes: result, keptChecks: checksBeside(result, [...stay]) };
}

/** The checks that stay among lines of both kinds: none becomes a Require line. @param scopes as mod_access_compat reads them */
export function checksAmongMixed(scopes: readonly Scope[]): SectionsWithSsl['keptChecks'] {
  const all = scopes.flatMap((scope) => {
    const [line] = scope.ssl;
    return line === undefined ? [] : [[scope, { directive: line.node.name, because: 'mixed' }] as const];
  });
  return checksBeside(scopes, all);
}

/** The SSLRequireSSL lines of a section, and the SSLRequire lines that a Require can say. */
const checksIn = (scope: Scope): readonly SslLine[] =>
  asksTlsFor22Alone(scope)
    ? EMPTY_LIST
    : scope.ssl.filter(({ node, test }) => node.key === 'sslrequiressl' || test !== undefined);

const asksForSsl = ({ ssl }: Scope): boolean => ssl.some(({ node }) => node.key === 'sslrequiressl');

/** Whether no 2.4 reads one of these. */
const isFor22 = (scope: Scope): boolean => checksIn(scope).some((line) => line.isFor22);

const asksForTls = (scope: Scope): boolean => checksIn(scope).length > 0;

/** More pairs than this are not looked at: each section is then taken to meet a check. */
const MAX_PAIRS = 1_000_000;

/** None where no section says `Satisfy Any`: there a check is a must in both versions. */
function checksBeside(
  scopes: readonly Scope[],
  all: readonly (readonly [Scope, KeptCheck])[],
): SectionsWithSsl['keptChecks'] {
  const found = new Map<Scope, KeptCheck>();
  if (all.length === 0 || !scopes.some(saysSatisfyAny)) return found;
  const areTooMany = scopes.length * all.length > MAX_PAIRS;
  for (const scope of scopes) {
    const check = areTooMany ? all[0]![1] : all.find(([other]) => mayMeet(other, scope))?.[1];
    if (check !== undefined) found.set(scope, check);
  }
  return found;
}

/** Whether one request can meet both: not of two virtual hosts, or of directories or URLs beside each other. */
export function mayMeet(a: Scope, b: Scope): boolean {
  if (a.vhost !== undefined && b.vhost !== undefined && a.vhost !== b.vhost) return false;
  if (a.kind === 'location' && b.kind === 'location') return mayMeetLocation(a, b);
  return mayBeOnOneWay(directoryOf(a), directoryOf(b));
}

/** A section with its check in the Require tree, or without it: what stays as it is is a must in 2.4. */
function changedFor(scope: Scope, obstacle: SslObstacle | undefined, mayStay: boolean): Scope {
  const lines = checksIn(scope);
  if (obstacle === undefined) return intoTree(scope);
  const { node } = lines.find((line) => line.node.key === 'sslrequiressl') ?? lines[0]!;
  if (mayStay && lines.every(({ isReadBy24 }) => isReadBy24)) return withPolicy(scope, { ssl: undefined });
  const problem = { kind: 'ssl-alternative', directive: node.name, because: obstacle } as const;
  const refused = { ...scope, problems: [...scope.problems, { node, problem }] };
  if (!isFor22(scope)) return refused;
  // What inherits from it lets in nobody whom StrictRequire may have kept out.
  const { tls = { handshake: [], requires: [], isLogin: undefined } } = scope.policy;
  return withPolicy(refused, { tls: { ...tls, strict: true } });
}

function intoTree(scope: Scope): Scope {
  const { ssl, tls } = scope.policy;
  const checks = checksIn(scope).map((line) => ({ ...line, readBy22: true, readBy24: !line.isFor22 }));
  const requires = tls?.requires.map((line) => (line.test === undefined ? line : { ...line, inTree: true }));
  const inTree = {
    ssl: ssl && ({ ...ssl, kind: 'tree' } as const),
    ...(tls === undefined || requires === undefined ? {} : { tls: { ...tls, requires } }),
  };
  const lines = linesByReader([...scope.lines.all, ...checks], scope.lines.beside);
  return { ...withPolicy(scope, inTree), lines };
}

function withPolicy(scope: Scope, changed: Partial<Pick<SectionPolicy, 'ssl' | 'tls'>>): Scope {
  const policies = scope.policies?.map((each) => ({ ...each, policy: { ...each.policy, ...changed } }));
  return { ...scope, policy: { ...scope.policy, ...changed }, policies };
}

/** Why the checks of a section cannot become Require lines. */
function obstacleOf(
  lines: SslLines,
  scope: Scope,
  complete: boolean,
  isOrderOpen: boolean,
): SslObstacle | undefined {
  if (checksIn(scope).some(({ sure }) => !sure)) return 'conditional';
  // Whose place is not known may meet all: for its sake no other section asks for TLS.
  if (!complete || (scope.parent ?? scope).placeUnknown) return 'strict-not-shown';
  if (lines.strict === undefined) return 'strict-not-everywhere';
  if (isOrderOpen) return 'order-not-known';
  return lines.isOptional ? 'upgrade' : undefined;
}
