import type { SslLines } from '../collect';
import { type Scope, type SslObstacle, directoryOf } from '../policy';
import { isWithin } from '../primitives';

/**
 * Sections with SSLRequireSSL as a part of their Require trees where it can meet a `Satisfy Any`, in all sections that can meet there.
 * @param scopes sections that can meet each other, and nothing else can
 * @param complete the run shows the whole server
 * @returns the sections, in their order, as they are to be decided
 */
export function withSslInTrees(ssl: SslLines, scopes: readonly Scope[], complete: boolean): readonly Scope[] {
  if (
    !ssl.isUsed ||
    ssl.isMust === true ||
    !scopes.some(saysAny) ||
    !scopes.some((scope) => scope.ssl.length > 0)
  )
    return scopes;
  const changed = new Map<Scope, Scope>();
  const withSsl = new Set(scopes.filter((scope) => scope.ssl.length > 0));
  // One that is in the tree takes those with it that the same request can meet.
  for (let reached = scopes.filter(saysAny); reached.length > 0;) {
    const next = [...withSsl].filter((scope) => reached.some((other) => mayMeet(scope, other)));
    for (const scope of next) {
      withSsl.delete(scope);
      changed.set(scope, intoTree(ssl, scope, complete));
    }
    reached = next;
  }
  // What is nested in a section that has changed stands in the changed one.
  return scopes.map((scope) => {
    const now = changed.get(scope) ?? scope;
    const parent = now.parent && changed.get(now.parent);
    return parent === undefined ? now : { ...now, parent };
  });
}

/** Whether one request can meet both: not those of two virtual hosts, nor of directories that lie beside each other. */
function mayMeet(a: Scope, b: Scope): boolean {
  if (a.vhost !== undefined && b.vhost !== undefined && a.vhost !== b.vhost) return false;
  const [inA, inB] = [directoryOf(a), directoryOf(b)];
  return inA === undefined || inB === undefined || isWithin(inA, inB) || isWithin(inB, inA);
}

function intoTree(lines: SslLines, scope: Scope, complete: boolean): Scope {
  const because = obstacle(lines, scope, complete);
  const { node } = scope.ssl[0]!;
  if (because !== undefined) {
    const problem = { kind: 'ssl-alternative', directive: node.name, because } as const;
    return { ...scope, problems: [...scope.problems, { node, problem }] };
  }
  const { ssl } = scope.policy;
  if (ssl === undefined) return scope;
  const tree = { ...ssl, kind: 'tree' } as const;
  return {
    ...scope,
    policy: { ...scope.policy, ssl: tree },
    variants: scope.variants?.map((variant) => ({ ...variant, policy: { ...variant.policy, ssl: tree } })),
    old: [...scope.old, ...scope.ssl],
  };
}

/** Why the checks of a section cannot become Require lines. */
function obstacle(lines: SslLines, { ssl }: Scope, complete: boolean): SslObstacle | undefined {
  if (ssl.some(({ node }) => node.key === 'sslrequire')) return 'expression';
  if (ssl.some(({ sure }) => !sure)) return 'conditional';
  if (!complete) return 'strict-not-shown';
  if (lines.isMust === undefined) return 'strict-not-everywhere';
  return lines.isOptional ? 'upgrade' : undefined;
}

function saysAny({ policy, variants = [] }: Scope): boolean {
  return [policy, ...variants.map((variant) => variant.policy)].some(({ satisfy }) =>
    satisfy.some(({ value }) => value === 'any'),
  );
}
