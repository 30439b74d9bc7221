import { hasCounterpart } from '../inherit';
import { type Scope, hasVersionBlocks } from '../policy';
import { EMPTY_LIST, EMPTY_SET } from '../primitives';
import type { AccessRun, GivenGroup, GroupOutcome, Refusal } from '../report';
import { addRegexEdits, keepDecidedTexts, refuseConflicts } from './conflicts';
import { denyShut, denyUnconvertible, shutReason } from './denied';
import type { AccessGroup, Pass } from './group';
import { inheritFromUnconverted, noteDeniedAbove } from './inherit-unconverted';
import { keepRefused } from './kept-refused';
import { outcomeOf } from './outcome';
import { restateForAllPlaces, restateInSections } from './places';
import { endOutOfContext, refuseByContext, refuseByLines } from './refuse';
import { restateEach } from './restate';
import { noteChecksThatStay, restatePlacesStrictly } from './strictest';
import { withoutBlocks } from './unwrap';
import { restateVersionBranches } from './version-branches';
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
  const modern = run.collected.shows22 ? undefined : met.find((scope) => scope.modern !== undefined);
  const isIdle =
    !hasOld &&
    !met.some((scope) => shutReason(scope, run) !== undefined) &&
    isNothingToJudge(met, modern !== undefined, run);
  const unwrapped = isIdle || modern !== undefined ? NONE : withoutBlocks(given);
  // All fields in one literal: after a spread each is added to the object by itself.
  return {
    met,
    targets,
    inherited,
    run,
    given,
    hasOldLines: hasOld || unwrapped.size > 0,
    modern,
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
    scope.only22 === 0 || hasCounterpart(scope, run.collected.scopes);
  return (isModern || met.every((scope) => scope.only22 > 0)) && met.every(isServed);
}
