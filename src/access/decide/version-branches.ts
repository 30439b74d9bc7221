import { sameEdits } from '../../edit';
import { type Scope, setsAccess } from '../policy';
import { EMPTY_SET, isSamePattern } from '../primitives';
import { type RewrittenSection, rewriteBranch } from '../rewrite';
import { type VersionBranch, areTwins, branchFor24, branchesAgree } from '../verify';
import type { AccessGroup } from './group';
import { needsHostsNotSeen } from './refuse';

/**
 * Restates lines that their author wrote for 2.4, beside others for 2.2. Where they answer as 2.2 does they stay. Where they say
 * by themselves what those for 2.2 say they are rewritten to what 2.2 decides with all that stands above them. Otherwise they
 * stay, and a finding says so.
 */
export function restateVersionBranches(group: AccessGroup): AccessGroup {
  if (group.refusals.size > 0) return { ...group, unlike: unlikeBranches(group) };
  const { targets, inherited, run } = group;
  const { facts, collected } = run;
  if (group.modern !== undefined || facts.reading !== '2.2' || run.decidedEdits !== undefined) return group;
  const rewrites = new Map<Scope, RewrittenSection>();
  for (const scope of targets) {
    if (scope.only22 === 0 || scope.lines.old.length > 0) continue;
    const branch = branchInPlaceOf(scope, collected);
    const before = branch && inherited.statesBefore(scope);
    if (branch === undefined || before === undefined || needsHostsNotSeen(scope, before, run)) continue;
    if (branchesAgree(scope.policy, branch, before, facts)) continue;
    if (!areTwins(scope.policy, branch, before, facts)) continue;
    const result = rewriteBranch(scope, branch.scope, before, facts, () => inherited.statesByRoute(scope));
    // They may say it as they stand.
    if (result !== undefined && result.problem === undefined && result.edits.length > 0)
      rewrites.set(branch.scope, result);
  }
  if (rewrites.size === 0) return group;
  for (const scope of sharedOtherwise(rewrites, collected.scopes)) rewrites.delete(scope);
  return { ...group, versionBranches: rewrites };
}

/** Sections with lines for 2.2 alone that are not known to say what those for 2.4 do. */
function unlikeBranches({ targets, inherited, run: { collected, facts } }: AccessGroup): readonly Scope[] {
  return targets.filter((scope) => {
    if (scope.only22 === 0 || !setsAccess(scope)) return false;
    const branch = branchInPlaceOf(scope, collected);
    const before = branch && inherited.statesBefore(scope);
    return (
      branch === undefined || before === undefined || !branchesAgree(scope.policy, branch, before, facts)
    );
  });
}

/** What 2.4 reads in place of the lines of a section for 2.2. */
function branchInPlaceOf(
  scope: Scope,
  { scopes, mapping }: AccessGroup['run']['collected'],
): VersionBranch | undefined {
  const holder = sectionFor24(scope, scopes);
  return holder && branchFor24(holder, mapping);
}

/** The section with the lines that 2.4 reads in place of those for 2.2: the same, or another for the same place. */
export function sectionFor24(scope: Scope, scopes: readonly Scope[]): Scope | undefined {
  if (scope.lines.for24.length > 0) return scope;
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

/**
 * Sections whose lines for 2.4 stand in another one too, as those of a file that is included twice, where another text would be
 * needed.
 */
function sharedOtherwise(
  rewrites: ReadonlyMap<Scope, RewrittenSection>,
  scopes: readonly Scope[],
): ReadonlySet<Scope> {
  if (rewrites.size === 0) return EMPTY_SET;
  const result = new Set<Scope>();
  const nodes = new Map<object, Scope>();
  for (const scope of rewrites.keys()) for (const { node } of scope.lines.for24) nodes.set(node, scope);
  for (const scope of scopes)
    for (const { node } of scope.lines.for24) {
      const first = nodes.get(node);
      if (first === undefined || first === scope) continue;
      const edits = rewrites.get(scope)?.edits;
      if (edits !== undefined && sameEdits(rewrites.get(first)!.edits, edits)) continue;
      result.add(first);
      if (edits !== undefined) result.add(scope);
    }
  return result;
}
