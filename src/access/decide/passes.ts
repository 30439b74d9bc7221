import { hasCounterpart } from '../inherit';
import { type NodeProblem, type Scope, hasVersionBlocks, isWrittenFor24 } from '../policy';
import { EMPTY_LIST, EMPTY_SET } from '../primitives';
import {
  type AccessRun,
  type GivenGroup,
  type GroupOutcome,
  isRefusedBy22,
  type Refusal,
  type SectionConversion,
} from '../report';
import { type RewrittenSection, allEdits } from '../rewrite';
import { assumptionsIn } from './assumptions';
import { carriedBlocks } from './carried';
import { addRegexEdits, keepDecidedTexts, refuseConflicts, editsNeeded } from './conflicts';
import { denyShut, denyUnconvertible, shutReason } from './denied';
import type { AccessGroup, Pass } from './group';
import { inheritFromUnconverted, noteDeniedAbove } from './inherit-unconverted';
import { keepRefused } from './kept-refused';
import { restateForAllPlaces, restateInSections } from './places';
import { endOutOfContext, refuseByContext, refuseByLines } from './refuse';
import { restateEach } from './restate';
import { noteChecksThatStay, restatePlacesStrictly } from './strictest';
import { withoutBlocks, blocksAround, replacedDifference } from './unwrap';
import { restateVersionBranches } from './restated-branch';
import { markVersion } from './version-mark';

/** The decision about a group, step by step. */
export const PASSES: readonly Pass[] = [
  denyShut,
  refuseByLines,
  denyUnconvertible,
  refuseByContext,
  inheritFromUnconverted,
  restateEach,
  keepDecidedTexts,
  restateInSections,
  endOutOfContext,
  restateForAllPlaces,
  restatePlacesStrictly,
  noteChecksThatStay,
  noteDeniedAbove,
  markVersion,
  addRegexEdits,
  refuseConflicts,
  keepRefused,
  denyUnconvertible,
  restateVersionBranches,
];

/** Decides the sections that can meet in one request: all are restated, or some stay and it is said why. */
export function decideGroup(given: GivenGroup): GroupOutcome {
  let group = begin(given);
  for (let next = 0; next < PASSES.length && group.ending === undefined; next++) {
    group = PASSES[next]!(group);
    if (group.toDeny.size === 0) continue;
    group = begin(given, new Map([...group.denied, ...group.toDeny]), group.remarks);
    next = -1;
  }
  return outcomeOf(group);
}

const NONE: ReadonlyMap<never, never> = new Map<never, never>();

/** A group before the first pass. @param denied the sections that are to let nobody in */
export function begin(
  given: GivenGroup,
  denied: ReadonlyMap<Scope, Refusal> = NONE,
  remarks: AccessGroup['remarks'] = EMPTY_LIST,
): AccessGroup {
  const { met, targets, inherited, run } = given;
  const hasOld = met.some(({ lines: { old } }) => old.length > 0);
  const modernScope = run.collected.shows22 ? undefined : met.find(isWrittenFor24);
  // What 2.2 itself refuses lets nobody in there, whatever 2.4 makes of the rest.
  const isRefusal = ({ problem }: NodeProblem): boolean =>
    isRefusedBy22(problem) || (problem.kind === 'limit-in-limit' && problem.version === '2.2');
  const isRefused = met.some(({ only22Count, problems }) => only22Count > 0 && problems.some(isRefusal));
  const isIdle =
    !hasOld &&
    !isRefused &&
    !met.some((scope) => shutReason(scope, run) !== undefined) &&
    isNothingToJudge(met, modernScope !== undefined, run);
  const unwrapped = isIdle || modernScope !== undefined ? NONE : withoutBlocks(given);
  // All fields in one literal: after a spread each is added to the object by itself.
  return {
    met,
    targets,
    inherited,
    run,
    given,
    hasOldLines: hasOld || unwrapped.size > 0,
    modernScope,
    denied,
    unwrapped,
    refusals: NONE,
    isKept: false,
    unknown: NONE,
    rewrites: NONE,
    strict: NONE,
    inSections: EMPTY_SET,
    places: NONE,
    versionBranches: NONE,
    unlike: EMPTY_LIST,
    remarks,
    toDeny: NONE,
    ending: isIdle ? 'nothing' : undefined,
  };
}

/** Whether a group without a line to rewrite is nothing to judge either. @param isModern something of it is written for 2.4 */
function isNothingToJudge(met: readonly Scope[], isModern: boolean, run: AccessRun): boolean {
  if (met.some(hasVersionBlocks)) return isModern || run.versionBlocks.difference(met) === undefined;
  // Nothing of 2.2 that 2.4 does not read the same, among sections written for 2.4.
  const isServed = (scope: Scope): boolean =>
    scope.only22Count === 0 || hasCounterpart(scope, run.collected.scopes);
  return (isModern || met.every((scope) => scope.only22Count > 0)) && met.every(isServed);
}

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
          isUnconverted(scope) ? undefined : editsNeeded(rewrites.get(scope)),
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
    // A section whose lines say the same in 2.4 comes out of its block all the same.
    const comesOut = unwrapped.has(scope) && blocksAround(scope).length > 0;
    if (rewritten !== undefined && (comesOut || allEdits(rewritten).length > 0))
      changed.push([scope, rewritten]);
  }
  if (changed.length === 0) return EMPTY_LIST;
  const assumptionsOf = assumptionsIn(group);
  const found: SectionConversion[] = [];
  for (const [scope, rewritten] of changed) {
    const isUnwrapped = unwrapped.has(scope);
    const replaces =
      versionBranches.get(scope)?.replaces ?? (isUnwrapped ? replacedDifference(scope, group) : undefined);
    const { file, edits, consumed, removals, copies, shuts, byName } = rewritten;
    // All fields in one literal, as in `begin`.
    found.push({
      file,
      edits,
      consumed,
      removals,
      copies,
      shuts,
      byName,
      scope,
      isBranch: versionBranches.has(scope),
      replaces,
      strict: strict.get(scope),
      blocks: isUnwrapped ? blocksAround(scope) : EMPTY_LIST,
      carried:
        run.facts.reading !== '2.2' || run.dual || versionBranches.has(scope) || rewritten.file !== scope.file
          ? EMPTY_LIST
          : (carriedBlocks(scope, run.collected) ?? EMPTY_LIST),
      assumptions: assumptionsOf(scope, rewritten.byName ?? EMPTY_LIST, replaces !== undefined),
    });
  }
  return found;
}
