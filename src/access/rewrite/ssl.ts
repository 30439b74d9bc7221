import type { SslLines } from '../collect';
import { meetingGroups } from '../inherit';
import type { Scope } from '../policy';
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
  const reason = reasonAgainst(lines, scope, complete);
  const { node } = scope.ssl[0]!;
  if (reason !== undefined) {
    scope.problems = plus(scope.problems, {
      node,
      message: `${node.name} was one way in among others under Satisfy Any and is a must in 2.4, and ${reason}`,
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
function reasonAgainst(lines: SslLines, { ssl }: Scope, complete: boolean): string | undefined {
  if (ssl.some(({ node }) => node.key === 'sslrequire')) return 'no Require says just what SSLRequire says';
  if (ssl.some(({ sure }) => !sure)) return 'it stands in a conditional block';
  if (!complete) return 'the run does not show whether StrictRequire made it a must in 2.2';
  if (lines.isMust === undefined) return 'StrictRequire, which made it a must in 2.2, is not set everywhere';
  return lines.isOptional ? 'SSLEngine optional lets it answer 426' : undefined;
}

function saysAny({ own, settings = [] }: Scope): boolean {
  return [own, ...settings.map((one) => one.own)].some(({ satisfy }) =>
    satisfy.some(({ value }) => value === 'any'),
  );
}
