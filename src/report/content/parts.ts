import { groupBy } from '../../maps';
import type { Level, Outcome } from '../../engine/types';
import { type AssumptionOfRun, assumptionsOf } from './assumptions';
import {
  mergeEqualFindings,
  type MergedFinding,
  needsPerson,
  type ReportedRun,
  sortedOutcomes,
} from './order';
import { oneLine, plural } from '../encoding';
import { type LogContent, logContent } from './log';
import { placesText } from './places';
import { isBlocker, stateOf } from './state';
import { mergeRemarks, scriptTask, type TaskOfRun, type TaskOptions, tasksOf } from './tasks';
import { countsText, leftAloneText, outcomeText, type PlanCounts, type PlanStage } from './verdict';

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

/** A run in the order in which people read of it: every format for people prints these parts. */
export interface ReportContent {
  readonly state: ReportedRun['state'];
  /** Two lines: what changes, and what becomes of the server with it. Byte strings. */
  readonly verdict: readonly [changes: string, outcome: string];
  /** What the logs of the run say; undefined where none was read. */
  readonly log: LogContent | undefined;
  /** What a person must decide or do by hand, in the order of the work: what is missing first. */
  readonly questions: readonly TaskOfRun[];
  /** What comes behind that, whatever was found: the script, the writing. */
  readonly steps: readonly TaskOfRun[];
  /** Assumptions that several changes may rest on. */
  readonly assumptions: readonly AssumptionOfRun[];
  /** Changes whose assumption stands in their message. */
  readonly assumed: readonly MergedFinding[];
  /** What is worth knowing. */
  readonly known: readonly MergedFinding[];
  /** In the order of the changes' number, most first. */
  readonly done: readonly RuleChanges[];
  readonly plan: PlanCounts;
  /** Changes that 2.4 needs are left out, as somebody wished. */
  readonly isPending: boolean;
}

/** How the content is put together. */
export interface ContentOptions extends TaskOptions {
  /** The lowest level that a person must resolve: what is only worth knowing is for them to do if it is `info`. */
  readonly failOn?: Level | 'never';
  readonly stage?: PlanStage;
  /** What somebody does once the questions are answered and something changes; undefined for nothing. */
  readonly next?: NextStep | undefined;
}

/** What comes behind the answers: byte strings. */
export interface NextStep {
  readonly text: string;
  readonly command?: string;
  /** The step with a script of so many steps, for instance `5 steps`; undefined where that is an item of its own. */
  readonly withScript?: (steps: string) => { readonly text: string; readonly command?: string };
}

export function contentOf(result: ReportedRun, options: ContentOptions): ReportContent {
  const { failOn = 'error', stage = 'planned', next, transforms } = options;
  const outcomes = sortedOutcomes(result);
  const applied = outcomes.filter(({ status }) => status === 'applied');
  const isQuestion = (outcome: Outcome): boolean => {
    const state = stateOf(outcome);
    if (state === 'note') return failOn === 'info' && needsPerson(outcome);
    const isTold = outcome.level === 'info' && failOn !== 'info';
    return state === 'open' || (state === 'review' && outcome.safety === 'strict' && !isTold);
  };
  const open = outcomes.filter(isQuestion);
  const asked = open.filter(({ harmless }) => harmless === undefined);
  const excused = open.filter(({ harmless }) => harmless !== undefined);
  const tasks = mergeRemarks(tasksOf(asked, options), options);
  const questions = [...tasks, ...unvisitedTask(result), ...excusedTask(excused, options)].sort(
    (a, b) => Number(b.isBlocker) - Number(a.isBlocker),
  );
  const script = scriptTask(outcomes, options);
  const assumptions = assumptionsOf(applied);
  const assumed = mergeEqualFindings(
    applied.filter(({ safety, assuming }) => safety === 'review' && assuming === undefined),
  );
  const merged = mergeEqualFindings(open).map(({ outcome }) => outcome);
  const plan: PlanCounts = {
    changes: applied.length,
    files: result.plan.length,
    toReview:
      assumptions.length +
      assumed.length +
      merged.filter((outcome) => !isBlocker(outcome)).length +
      result.tree.unvisited.length,
    blockers: merged
      .filter(isBlocker)
      .sort((a, b) => Number(b.level === 'error') - Number(a.level === 'error')),
    scripted: script?.findings.length ?? 0,
  };
  const isPending = outcomes.some((outcome) => outcome.level === 'error' && stateOf(outcome) === 'left');
  return {
    // A part of a server goes without saying.
    state:
      result.state === undefined || result.state.kind === 'part'
        ? undefined
        : { ...result.state, text: `This is ${result.state.text}` },
    verdict: [
      countsText(result, stage, plan) + leftAloneText(result),
      outcomeText(
        {
          blockers: plan.blockers,
          warnings: merged.filter((outcome) => outcome.level === 'warning' && !isBlocker(outcome)),
          applied,
          settled: outcomes.filter(({ status, declined }) => status !== 'ignored' && declined !== true),
          scripted: plan.scripted,
          isLeft: (result.leftAlone ?? []).length > 0,
          asked: result.asked,
          unvisited: result.tree.unvisited,
          oldLines: result.oldLines,
          isPending,
        },
        transforms,
      ),
    ],
    log: result.log && logContent(result.log),
    questions,
    steps: stepsOf(script, applied.length === 0 ? undefined : next),
    assumptions,
    assumed,
    known: mergeEqualFindings(
      outcomes.filter((outcome) => stateOf(outcome) === 'note' && !isQuestion(outcome)),
    ),
    done: changesByRule(applied),
    plan,
    isPending,
  };
}

/** The script and the writing: one item where one command does both. */
function stepsOf(script: TaskOfRun | undefined, next: NextStep | undefined): readonly TaskOfRun[] {
  if (script === undefined || next?.withScript === undefined)
    return [...(script === undefined ? [] : [script]), ...(next === undefined ? [] : [stepOf(next)])];
  const { text, command } = next.withScript(plural(script.outcomes.length, 'step'));
  return [{ ...script, text, command, where: () => '' }];
}

function stepOf({ text, command }: NextStep): TaskOfRun {
  return { text, command, isBlocker: false, outcomes: [], findings: [], isOfFirst: false, where: () => '' };
}

/** One item, after all others, for what makes no difference to the requests of a log. */
function excusedTask(excused: readonly Outcome[], { commandWith }: ContentOptions): readonly TaskOfRun[] {
  if (excused.length === 0) return [];
  return [
    {
      text: 'say whether the log is enough: these refuse more than 2.2 did, but none of its requests',
      command: commandWith?.('--answer log=enough'),
      isBlocker: false,
      outcomes: excused,
      findings: mergeEqualFindings(excused),
      isOfFirst: false,
      where: (most, rest) => placesText(excused, most, { rest }),
    },
  ];
}

/** For places outside of the paths given that may hold more, and what is no file in the place of a .htaccess. */
function unvisitedTask({ tree: { unvisited } }: ReportedRun): readonly TaskOfRun[] {
  const [first] = unvisited;
  if (first === undefined) return [];
  const more = unvisited.length === 1 ? '' : ` (and ${unvisited.length - 1} more places, which -v lists)`;
  return [stepOf({ text: `${first.name}: ${first.message}${more}` })];
}

function changesByRule(applied: readonly Outcome[]): RuleChanges[] {
  return [...groupBy(applied, ({ rule }) => rule)]
    .map(([rule, outcomes]) => ({
      rule,
      changes: outcomes.length,
      files: new Set(outcomes.map(({ file }) => file)).size,
      assumed: outcomes.filter(({ safety }) => safety === 'review').length,
      strict: outcomes.filter(({ safety }) => safety === 'strict').length,
      outcomes,
    }))
    .sort((a, b) => b.changes - a.changes);
}

/** Names of blockers that a line has room for. */
const FEW = 2;

/** The counts with the places of the first blockers, for output that lists findings in a form of its own. */
export function planLine(result: ReportedRun, options: ContentOptions): string {
  const { plan } = contentOf(result, options);
  const { blockers, scripted } = plan;
  const where = blockers.length === 0 ? '' : ` (${oneLine(placesText(blockers, FEW))})`;
  const steps = scripted === 0 ? '' : `, ${plural(scripted, 'step')} by the script`;
  return `${countsText(result, options.stage ?? 'planned', plan)}${where}${steps}${leftAloneText(result)}`;
}
