import type { SslLines } from '../collect';
import { meetingGroups } from '../inherit';
import type { Scope, SslObstacle } from '../policy';
import { plus } from '../primitives';

/**
 * Makes SSLRequireSSL a part of the Require trees where it can meet a `Satisfy Any`, in all sections that can meet there.
 * @param scopes sections that can meet each other, and nothing else can
 * @param complete the run shows the whole server
 */
export function sslIntoTrees(ssl: SslLines, scopes: readonly Scope[], complete: boolean): void {
  if (
    !ssl.isUsed ||
    ssl.isMust === true ||
    !scopes.some(saysAny) ||
    !scopes.some((scope) => scope.ssl.length > 0)
  )
    return;
  const relevant = scopes.filter(
    (scope) =>
      scope.ssl.length + scope.old.length + scope.requires.length > 0 || scope.own.authType !== undefined,
  );
  for (const group of meetingGroups(relevant)) {
    if (!group.some(saysAny)) continue;
    for (const scope of group) if (scope.ssl.length > 0 && !scope.sslSettled) intoTree(ssl, scope, complete);
  }
}

function intoTree(lines: SslLines, scope: Scope, complete: boolean): void {
  scope.sslSettled = true;
  const because = obstacle(lines, scope, complete);
  const { node } = scope.ssl[0]!;
  if (because !== undefined) {
    scope.problems = plus(scope.problems, {
      node,
      problem: { kind: 'ssl-alternative', directive: node.name, because },
    });
    return;
  }
  const { ssl } = scope.own;
  if (ssl === undefined) return;
  const tree = { ...ssl, kind: 'tree' } as const;
  scope.own = { ...scope.own, ssl: tree };
  scope.settings = scope.settings?.map((one) => ({ ...one, own: { ...one.own, ssl: tree } }));
  scope.old = [...scope.old, ...scope.ssl];
}

/** Why the checks of a section cannot become Require lines. */
function obstacle(lines: SslLines, { ssl }: Scope, complete: boolean): SslObstacle | undefined {
  if (ssl.some(({ node }) => node.key === 'sslrequire')) return 'expression';
  if (ssl.some(({ sure }) => !sure)) return 'conditional';
  if (!complete) return 'strict-not-shown';
  if (lines.isMust === undefined) return 'strict-not-everywhere';
  return lines.isOptional ? 'upgrade' : undefined;
}

function saysAny({ own, settings = [] }: Scope): boolean {
  return [own, ...settings.map((one) => one.own)].some(({ satisfy }) =>
    satisfy.some(({ value }) => value === 'any'),
  );
}
