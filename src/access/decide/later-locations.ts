import { type Facts, type Scope, type State, decisionIn, mergePolicy } from '../policy';
import { EMPTY_LIST, locationCovers } from '../primitives';
import type { AccessGroup } from './group';

/**
 * The Locations below one that let in everybody whatever stands above them: they are merged after it, and their own text takes
 * the place of its own, so that it says nothing about requests to them.
 */
export function locationsOpenedBelow({ met, inherited, run }: AccessGroup, scope: Scope): readonly string[] {
  if (scope.kind !== 'location' || scope.pattern.kind !== 'path') return EMPTY_LIST;
  const { path } = scope.pattern;
  const found: string[] = [];
  for (const other of met) {
    if (other.kind !== 'location' || other.pattern.kind !== 'path' || other.vhost !== scope.vhost) continue;
    const below = other.pattern.path;
    if (other.order < scope.order || below === path || !locationCovers(path, below)) continue;
    if (isPlain(other) && opens(other, inherited.statesBefore(other), run.facts)) found.push(below);
  }
  return found;
}

/** Whether both versions read the section, whatever conditionals say, and it has lines of its own that become others. */
function isPlain({ certain, variants, modern, outer, conditions, includes, lines, policy }: Scope): boolean {
  if (!certain || variants !== undefined || modern !== undefined || includes.length > 0) return false;
  return outer.length + conditions.length === 0 && lines.old.length > 0 && policy.hosts !== undefined;
}

function opens({ policy }: Scope, before: readonly State[] | undefined, facts: Facts): boolean {
  if (before === undefined || before.length === 0) return false;
  return before.every((base) => {
    const decision = decisionIn(mergePolicy(base, policy, facts), facts);
    return decision.undecided === undefined && decision.exprs.every(({ kind }) => kind === 'true');
  });
}
