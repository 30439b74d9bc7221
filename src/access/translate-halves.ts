import { sameEdits } from '../edit';
import type { InheritedStates } from './inherit';
import { type Scope, setsAccess } from './policy';
import { EMPTY_SET, isSamePattern } from './primitives';
import { type AccessRun, needsHostsNotSeen } from './report';
import { type RewrittenSection, rewriteHalf } from './rewrite';
import { areTwins, halfFor24, halvesAgree } from './verify';

/**
 * What becomes of lines that their author wrote for 2.4, beside others for 2.2: where they answer as 2.2 does they stay. Where they say by
 * themselves what those for 2.2 say they are rewritten to what 2.2 decides with all that stands above them. Otherwise they stay, and a finding says so.
 * @param modern a section of the group is written for 2.4 alone: no 2.2 has read it
 * @returns the sections whose lines for 2.4 are rewritten
 */
export function rewriteHalves(
  targets: readonly Scope[],
  inherited: InheritedStates,
  run: AccessRun,
  modern: Scope | undefined,
): ReadonlyMap<Scope, RewrittenSection> {
  const rewrites = new Map<Scope, RewrittenSection>();
  if (modern !== undefined || run.facts.reading !== '2.2' || run.decidedEdits !== undefined) return rewrites;
  const { scopes, mapping } = run.collected;
  for (const scope of targets) {
    if (scope.only22 === 0 || scope.old.length > 0) continue;
    const holder = holderOf(scope, scopes);
    const half = holder && halfFor24(holder, mapping);
    const before = half && inherited.statesBefore(scope);
    if (half === undefined || before === undefined) continue;
    const { facts } = run;
    if (needsHostsNotSeen(scope, before, run)) continue;
    if (halvesAgree(scope.policy, half, before, facts)) continue;
    if (!areTwins(scope.policy, half, before, facts)) continue;
    const result = rewriteHalf(scope, half.scope, before, facts, () => inherited.cases(scope));
    // They may say it as they stand.
    if (result !== undefined && result.problem === undefined && result.edits.length > 0)
      rewrites.set(half.scope, result);
  }
  for (const scope of sharedOtherwise(rewrites, scopes)) rewrites.delete(scope);
  return rewrites;
}

/** Sections with lines for 2.2 alone that are not known to say what those for 2.4 do. */
export function unlikeHalves(
  targets: readonly Scope[],
  inherited: InheritedStates,
  { collected, facts }: AccessRun,
): readonly Scope[] {
  return targets.filter((scope) => {
    if (scope.only22 === 0 || !setsAccess(scope)) return false;
    const holder = holderOf(scope, collected.scopes);
    const half = holder && halfFor24(holder, collected.mapping);
    const before = half && inherited.statesBefore(scope);
    return half === undefined || before === undefined || !halvesAgree(scope.policy, half, before, facts);
  });
}

/** The section with the lines that 2.4 reads in place of those for 2.2: the same, or another for the same place. */
export function holderOf(scope: Scope, scopes: readonly Scope[]): Scope | undefined {
  if (scope.lines24.length > 0) return scope;
  const others = scopes.filter(
    (other) =>
      other !== scope &&
      other.only24 > 0 &&
      other.only22 === 0 &&
      other.kind === scope.kind &&
      other.vhost === scope.vhost &&
      other.parent === scope.parent &&
      other.section?.key === scope.section?.key &&
      other.section?.open.rest === scope.section?.open.rest &&
      isSamePattern(other.pattern, scope.pattern),
  );
  return others.length === 1 ? others[0] : undefined;
}

/** Sections whose lines for 2.4 stand in another one too, as those of a file that is included twice, where another text would be needed. */
function sharedOtherwise(
  rewrites: ReadonlyMap<Scope, RewrittenSection>,
  scopes: readonly Scope[],
): ReadonlySet<Scope> {
  if (rewrites.size === 0) return EMPTY_SET;
  const result = new Set<Scope>();
  const nodes = new Map<object, Scope>();
  for (const scope of rewrites.keys()) for (const { node } of scope.lines24) nodes.set(node, scope);
  for (const scope of scopes)
    for (const { node } of scope.lines24) {
      const first = nodes.get(node);
      if (first === undefined || first === scope) continue;
      const edits = rewrites.get(scope)?.edits;
      if (edits !== undefined && sameEdits(rewrites.get(first)!.edits, edits)) continue;
      result.add(first);
      if (edits !== undefined) result.add(scope);
    }
  return result;
}
