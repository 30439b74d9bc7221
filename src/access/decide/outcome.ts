import type { Scope } from '../policy';
import { EMPTY_LIST } from '../primitives';
import type { SectionConversion, GroupOutcome } from '../report';
import { type RewrittenSection, allEdits } from '../rewrite';
import { GroupAssumptions } from './assumptions';
import { editsOf } from './conflicts';
import type { AccessGroup } from './group';
import { carriedBlocks } from './carried';
import { blocksAround, replacedDifference } from './unwrap';

const NONE: ReadonlyMap<never, never> = new Map<never, never>();

/** What a group that has gone through all passes comes to. */
export function outcomeOf(group: AccessGroup): GroupOutcome {
  const { met, targets, run, inherited, refusals, isKept, rewrites, unlike, remarks, ending } = group;
  const isEnded = ending !== undefined;
  const isUnconverted = (scope: Scope): boolean => isKept || refusals.has(scope);
  return {
    met,
    targets,
    run,
    inherited,
    refusals: isEnded ? NONE : refusals,
    conversions: isEnded || isKept ? EMPTY_LIST : conversionsOf(group),
    denied: isEnded || isKept ? EMPTY_LIST : [...group.denied.keys()],
    decided: isEnded
      ? EMPTY_LIST
      : targets.map((scope) => [
          scope.order,
          isUnconverted(scope) ? undefined : editsOf(rewrites.get(scope)),
        ]),
    unlike: isEnded ? EMPTY_LIST : unlike,
    notInContext: ending === 'not-in-context' ? targets : EMPTY_LIST,
    remarks,
  };
}

function conversionsOf(group: AccessGroup): readonly SectionConversion[] {
  const { met, rewrites, strict, unwrapped, versionBranches, run } = group;
  const changed: [Scope, RewrittenSection][] = [];
  for (const [scope, { rewrite }] of versionBranches) changed.push([scope, rewrite]);
  for (const scope of met) {
    const rewritten = rewrites.get(scope);
    if (rewritten !== undefined && allEdits(rewritten).length > 0) changed.push([scope, rewritten]);
  }
  if (changed.length === 0) return EMPTY_LIST;
  const assumptions = new GroupAssumptions(group);
  const found: SectionConversion[] = [];
  for (const [scope, rewritten] of changed) {
    const {
      file,
      edits,
      removals = EMPTY_LIST,
      copies = EMPTY_LIST,
      shuts = EMPTY_LIST,
      byName = EMPTY_LIST,
    } = rewritten;
    const isUnwrapped = unwrapped.has(scope);
    const replaces =
      versionBranches.get(scope)?.replaces ?? (isUnwrapped ? replacedDifference(scope, group) : undefined);
    found.push({
      scope,
      file,
      edits,
      removals,
      copies,
      shuts,
      isBranch: versionBranches.has(scope),
      replaces,
      strict: strict.get(scope),
      blocks: isUnwrapped ? blocksAround(scope) : EMPTY_LIST,
      carried:
        run.facts.reading !== '2.2' || run.dual || versionBranches.has(scope) || file !== scope.file
          ? EMPTY_LIST
          : (carriedBlocks(scope, run.collected) ?? EMPTY_LIST),
      assumptions: assumptions.of(scope, byName, replaces !== undefined),
    });
  }
  return found;
}
