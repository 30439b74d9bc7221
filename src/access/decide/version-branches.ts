import { sameEdits } from '../../edit';
import { type Scope, setsAccess } from '../policy';
import { ACCESS_RULE } from '../report';
import type { AccessGroup, RestatedBranch } from './group';
import { answersAs22, branchInPlaceOf, restatedBranch, sectionFor24 } from './restated-branch';
import { shutFromAbove } from './shut-above';

/**
 * Restates lines that their author wrote for 2.4, beside others for 2.2. Where they answer as 2.2 does they stay. Where they say
 * by themselves what those for 2.2 say they are rewritten to what 2.2 decides with all that stands above them; so they are where
 * a 2.2 runs the configuration, so that nothing but its answers has ever been in force. Otherwise they stay, and a finding says
 * so.
 */
export function restateVersionBranches(group: AccessGroup): AccessGroup {
  if (group.refusals.size > 0) return { ...group, unlike: unlikeBranches(group) };
  const { targets, run } = group;
  const { facts, collected } = run;
  if (group.modern !== undefined || facts.reading !== '2.2' || run.decidedEdits !== undefined) return group;
  const branches = new Map<Scope, RestatedBranch>();
  for (const scope of targets) {
    const holder = sectionFor24(scope, collected.scopes);
    // What lets nobody in has its text, whatever its lines say.
    if (holder === undefined || group.denied.has(scope) || group.denied.has(holder)) continue;
    const restated = restatedBranch(scope, group);
    if (restated !== undefined) branches.set(holder, restated);
  }
  if (branches.size === 0) return group;
  for (const scope of sharedOtherwise(branches, collected.scopes)) branches.delete(scope);
  return withoutKept({ ...group, versionBranches: branches });
}

/** Branches in a `.htaccess` that cannot be written stay, with the directory shut where the server's own files can say so. */
function withoutKept(group: AccessGroup): AccessGroup {
  const { run, versionBranches } = group;
  const branches = new Map(versionBranches);
  const rewrites = new Map(group.rewrites);
  const strict = new Map(group.strict);
  const shut = new Set<string>();
  for (const [scope, { rewrite }] of versionBranches) {
    if (run.tree.cannotWrite?.(scope.place.root) !== true) continue;
    const why = run.tree.keeps?.(scope.file, ACCESS_RULE, rewrite.edits);
    if (why === undefined) continue;
    branches.delete(scope);
    const text = shutFromAbove(scope, group, shut);
    if (text === undefined) continue;
    rewrites.set(scope, text);
    strict.set(scope, { denies: { kind: 'left-alone', why } });
  }
  if (branches.size === versionBranches.size) return group;
  return { ...group, versionBranches: branches, rewrites, strict };
}

/** Sections with lines for 2.2 alone that are not known to say what those for 2.4 do. */
function unlikeBranches(group: AccessGroup): readonly Scope[] {
  return group.targets.filter(
    (scope) =>
      scope.only22 > 0 &&
      setsAccess(scope) &&
      !answersAs22(scope, branchInPlaceOf(scope, group.run.collected), group),
  );
}

/** Sections whose lines for 2.4 stand in another too, as of a file included twice, where another text would be needed. */
function sharedOtherwise(
  branches: ReadonlyMap<Scope, RestatedBranch>,
  scopes: readonly Scope[],
): ReadonlySet<Scope> {
  const result = new Set<Scope>();
  const nodes = new Map<object, Scope>();
  for (const scope of branches.keys()) for (const { node } of scope.lines.for24) nodes.set(node, scope);
  for (const scope of scopes)
    for (const { node } of scope.lines.for24) {
      const first = nodes.get(node);
      if (first === undefined || first === scope) continue;
      const edits = branches.get(scope)?.rewrite.edits;
      if (edits !== undefined && sameEdits(branches.get(first)!.rewrite.edits, edits)) continue;
      result.add(first);
      if (edits !== undefined) result.add(scope);
    }
  return result;
}
