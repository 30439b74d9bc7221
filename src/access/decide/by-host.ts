import { type Scope, hangsOnOrder } from '../policy';
import { type Rewrite, type RewrittenSection, rewriteByHost } from '../rewrite';
import type { AccessGroup } from './group';

/**
 * The text of a section of the main server, once for all and once more in the virtual hosts in which it decides otherwise;
 * undefined where it is no question of the host, or a copy there would come too late.
 */
export function restatedByHost(
  group: AccessGroup,
  scope: Scope,
  { problem }: Rewrite,
): RewrittenSection | undefined {
  const { inherited, run } = group;
  const because = problem?.kind === 'inherits' ? problem.because : problem;
  if (because?.kind !== 'depends-on-server' || run.decidedEdits !== undefined) return undefined;
  if (!isPlain(scope) || !isLastOfMain(scope, group.met)) return undefined;
  const routes = inherited.statesByRoute(scope);
  return routes && rewriteByHost(scope, routes, run.facts, run.tree);
}

const KINDS: ReadonlySet<Scope['kind']> = new Set(['directory', 'files', 'location']);

/** Whether the section stands in the main server itself, all in one place. */
function isPlain({ kind, place, section, vhost, parent, variants, certain, includes }: Scope): boolean {
  if (!KINDS.has(kind) || vhost !== undefined || parent !== undefined || section === undefined) return false;
  if (!certain || variants !== undefined || includes.length > 0) return false;
  return place.root.role !== 'htaccess' && place.chain.every((frame) => frame.section === section);
}

/** Whether no section of the main server is merged after one of the same kind that the same request can meet. */
function isLastOfMain(scope: Scope, met: readonly Scope[]): boolean {
  return met.every(
    (other) =>
      other === scope ||
      other.vhost !== undefined ||
      other.parent !== undefined ||
      other.order < scope.order ||
      !hangsOnOrder(scope, other),
  );
}
