import type { Level, Outcome } from '../../engine/types';
import { type AssumptionOfRun, assumptionsOf } from './assumptions';
import {
  mergeEqualFindings,
  type MergedFinding,
  needsPerson,
  type ReportedRun,
  sortedOutcomes,
} from './order';
import { isBlocker, stateOf } from './state';

/** What a rule changes. */
export interface RuleChanges {
  readonly rule: string;
  readonly changes: number;
  readonly files: number;
  /** How many of the changes rest on an assumption. */
  readonly assumed: number;
  /** How many refuse more than 2.2 did. */
  readonly strict: number;
  readonly outcomes: readonly Outcome[];
}

/** The findings about one kind of thing that is worth knowing. */
export interface KnownKind {
  readonly rule: string;
  readonly findings: readonly MergedFinding[];
}

/** A run in the order in which people read of it. */
export interface ReportParts {
  /** In the order of the changes' number, most first. */
  readonly done: readonly RuleChanges[];
  /** Assumptions that several changes may rest on. */
  readonly assumptions: readonly AssumptionOfRun[];
  /** Changes whose assumption stands in their message. */
  readonly assumed: readonly MergedFinding[];
  readonly known: readonly KnownKind[];
  /** What blocks the start or opens access first, then what refuses more, then the other questions, errors before warnings. */
  readonly questions: readonly MergedFinding[];
  /** What the script of the run does, in the order of the files. */
  readonly scripted: readonly MergedFinding[];
  readonly plan: PlanCounts;
}

/** What the last line says. */
export interface PlanCounts {
  readonly changes: number;
  readonly files: number;
  /** Assumptions and questions, each counted once, and places that were not looked at. */
  readonly toReview: number;
  readonly blockers: readonly MergedFinding[];
  /** Steps of the script. */
  readonly scripted: number;
}

/** @param failOn the lowest level that a person must resolve: what is only worth knowing is for them to do if it is `info` */
export function partsOf(result: ReportedRun, failOn: Level | 'never' = 'error'): ReportParts {
  const outcomes = sortedOutcomes(result);
  const applied = outcomes.filter(({ status }) => status === 'applied');
  const assumptions = assumptionsOf(applied);
  const assumed = mergeEqualFindings(
    applied.filter(({ safety, assuming }) => safety === 'review' && assuming === undefined),
  );
  const isQuestion = (outcome: Outcome): boolean => {
    const state = stateOf(outcome);
    if (state === 'note') return failOn === 'info' && needsPerson(outcome);
    return state === 'open' || (state === 'review' && outcome.safety === 'strict');
  };
  const questions = mergeEqualFindings(outcomes.filter(isQuestion)).toSorted((a, b) => rank(a) - rank(b));
  const scripted = mergeEqualFindings(outcomes.filter((outcome) => stateOf(outcome) === 'script'));
  const blockers = questions.filter(({ outcome }) => isBlocker(outcome));
  const toReview = assumptions.length + assumed.length + questions.length - blockers.length;
  return {
    done: changesByRule(applied),
    assumptions,
    assumed,
    known: knownKinds(outcomes.filter((outcome) => stateOf(outcome) === 'note' && !isQuestion(outcome))),
    questions,
    scripted,
    plan: {
      changes: applied.length,
      files: result.plan.length,
      toReview: toReview + result.tree.unvisited.length,
      blockers,
      scripted: scripted.length,
    },
  };
}

const LEVELS: Readonly<Record<Level, number>> = { error: 2, warning: 3, info: 4 };

function rank({ outcome }: MergedFinding): number {
  if (isBlocker(outcome)) return outcome.level === 'error' ? 0 : 1;
  return LEVELS[outcome.level];
}

function changesByRule(applied: readonly Outcome[]): RuleChanges[] {
  return [...byRule(applied)]
    .map(([rule, outcomes]) => ({
      rule,
      changes: outcomes.length,
      files: new Set(outcomes.map(({ file }) => file)).size,
      assumed: outcomes.filter(({ safety }) => safety === 'review').length,
      strict: outcomes.filter(({ safety }) => safety === 'strict').length,
      outcomes,
    }))
    .toSorted((a, b) => b.changes - a.changes);
}

function byRule(outcomes: readonly Outcome[]): ReadonlyMap<string, readonly Outcome[]> {
  const lists = new Map<string, Outcome[]>();
  for (const outcome of outcomes) {
    const list = lists.get(outcome.rule);
    if (list === undefined) lists.set(outcome.rule, [outcome]);
    else list.push(outcome);
  }
  return lists;
}

function knownKinds(notes: readonly Outcome[]): KnownKind[] {
  return [...byRule(notes)].map(([rule, outcomes]) => ({
    rule,
    findings: mergeEqualFindings(outcomes),
  }));
}
