import { filesByPlace } from './below';
import type { Change, Outcome } from '../../engine/types';
import { hunksOf } from '../diff';
import { oneLine, plural } from '../encoding';
import type { ReportedRun } from './order';
import { placesText, placeText } from './places';
import type { ReportedRule } from './tasks';

/** What the first line says. */
export interface PlanCounts {
  readonly changes: number;
  readonly files: number;
  /** Assumptions and questions, each counted once, and places that were not looked at. */
  readonly toReview: number;
  /** One of each that say the same. */
  readonly blockers: readonly Outcome[];
  /** Steps of the script. */
  readonly scripted: number;
}

/** What became of the plan: only shown, written in place, or printed as the new text. */
export type PlanStage = 'planned' | 'written' | 'converted';

const STAGES: Readonly<Record<PlanStage, string>> = {
  planned: 'Plan',
  written: 'Written',
  converted: 'Converted',
};

/** Counts, as in `Plan: 412 changes in 37 files (+380 -402 lines), 3 to review, 1 blocker`. */
export function countsText(
  result: ReportedRun,
  stage: PlanStage,
  { changes, files, toReview, blockers }: PlanCounts,
): string {
  const what =
    files === 0
      ? `no changes in ${plural(result.tree.files.length, 'file')}`
      : `${plural(changes, 'change')} in ${plural(files, 'file')}${linesText(result.plan)}`;
  const isBeyond = result.tree.files.some((file) => file.isBeyond === true);
  const read = isBeyond ? ` (read: ${filesByPlace(result.tree, result.tree.files)})` : '';
  return `${STAGES[stage]}: ${what}${read}, ${toReview} to review, ${plural(blockers.length, 'blocker')}`;
}

/** Lines that come and go, as `git diff --stat` counts them. */
function linesText(plan: readonly Change[]): string {
  let [added, removed] = [0, 0];
  for (const { file, edits } of plan)
    for (const { lines } of hunksOf(file.document.text, edits))
      for (const line of lines)
        if (line.startsWith('+')) added++;
        else if (line.startsWith('-')) removed++;
  return added + removed === 0 ? '' : ` (+${added} -${removed} lines)`;
}

/** Files that were not to be changed: without them, that nothing changes would look as if nothing were to be done. */
export function leftAloneText({ leftAlone = [] }: ReportedRun): string {
  const [first] = leftAlone;
  if (first === undefined) return '';
  return leftAlone.length === 1
    ? `; left alone: ${oneLine(first.why)}`
    : `; ${leftAlone.length} files left alone, first: ${oneLine(first.why)}`;
}

/** What the verdict is made of, beside the rules. */
type Judged = Pick<PlanCounts, 'blockers' | 'scripted'> & {
  /** What blocks nothing, and nothing is done about: one of each that say the same. */
  readonly warnings: readonly Outcome[];
  readonly applied: readonly Outcome[];
  /** The findings that are not ignored or declined: an answer may have settled them, with a change or without one. */
  readonly settled: readonly Outcome[];
  readonly isLeft: boolean;
  /** Changes that 2.4 needs were left out of this run. */
  readonly isPending: boolean;
  readonly asked: ReportedRun['asked'];
  readonly unvisited: ReportedRun['tree']['unvisited'];
  readonly oldLines: ReportedRun['oldLines'];
};

/** Whether 2.4 starts, and whether anybody gets in or loses access: two or three sentences. */
export function outcomeText(judged: Judged, rules: readonly ReportedRule[]): string {
  const { blockers, isLeft, asked, unvisited } = judged;
  const access = new Set(rules.filter(({ isAboutAccess }) => isAboutAccess).map(({ id }) => id));
  const isAboutAccess = ({ rule, changesAccess }: Outcome): boolean =>
    changesAccess === true || access.has(rule);
  const read = blockers.filter((outcome) => outcome.unread !== true);
  const decided = read.filter(isAboutAccess);
  const others = read.filter((outcome) => !isAboutAccess(outcome));
  const unread = blockers.length - read.length;
  const notRead = unread + unvisited.filter(mayChangeThat).length;
  return [
    startText(judged, { decided, others, isRead: blockers.every(isReadAtStart) }),
    whoText(judged, decided, { isAboutAccess, isUnasked: isAccessUnasked(asked, access) }),
    asked === undefined ? '' : askedText(asked),
    isLeft ? 'What is left alone is not judged.' : '',
    notRead > 0 ? `${plural(notRead, 'place')} could not be read, and may change that.` : '',
  ]
    .filter((sentence) => sentence !== '')
    .join(' ');
}

/** Whether 2.4 reads what a blocker is about, or does not need it to start: it reads a `.htaccess` when requests come. */
const isReadAtStart = ({ unread, file }: Outcome): boolean => unread !== true || file.role === 'htaccess';

/**
 * Whether 2.4 starts.
 * @param decided the blockers about who gets in
 * @param others the blockers about anything else that was read
 */
function startText(
  { blockers, warnings, scripted, isPending, asked, oldLines }: Judged,
  { decided, others, isRead }: { decided: readonly Outcome[]; others: readonly Outcome[]; isRead: boolean },
): string {
  if (others.length > 0)
    return `2.4 does not start, or fails in places, until ${goneText(others, blockers.length)} gone.`;
  if (isPending)
    return '2.4 does not start, or decides access differently, until what was left out is written too.';
  const { mayNotStart, failing } = whatStays(
    decided,
    asked === undefined || decided.length > 0 ? oldLines : {},
  );
  if (mayNotStart || !isRead) return '2.4 may not start yet.';
  if (asked !== undefined) return '';
  const lacking = warnings.filter(({ needsModule }) => needsModule === true);
  const needs = [
    ...(scripted > 0 ? ['the script has run'] : []),
    ...(lacking.length > 0 ? [`it has the modules for ${oneLine(placesText(lacking, 1))}`] : []),
  ];
  return `Nothing keeps 2.4 from starting${needs.length > 0 ? ` once ${needs.join(' and ')}` : ''}${failing}.`;
}

/**
 * Whether anybody gets in or loses access.
 * @param decided the blockers about it
 * @param isUnasked a rule that decides it did not run
 */
function whoText(
  { warnings, applied, settled, isPending }: Judged,
  decided: readonly Outcome[],
  { isAboutAccess, isUnasked }: { isAboutAccess: (outcome: Outcome) => boolean; isUnasked: boolean },
): string {
  const strict = applied.filter(({ safety }) => safety === 'strict');
  const places = placesOf(strict);
  const narrower = `${plural(places, 'place')} let${places === 1 ? 's' : ''} in fewer than 2.2 did (${oneLine(placesText(strict, 1))})`;
  const beside = places === 0 ? '' : `; ${narrower}`;
  const undecided = decided.filter(
    (outcome) => !strict.some((known) => placeText(known) === placeText(outcome)),
  );
  if (undecided.length > 0) return `Who gets in is open at ${plural(placesOf(undecided), 'place')}${beside}.`;
  if (isPending || isUnasked) return '';
  const doubtful = warnings.filter(isAboutAccess);
  const doubt =
    doubtful.length > 0 ? `, but look whether that holds at ${oneLine(placesText(doubtful, 1))}` : '';
  const isAssumed = applied.some((outcome) => outcome.safety === 'review' && isAboutAccess(outcome));
  const assumed = isAssumed ? ', if the assumptions hold' : '';
  const answered = answersUnlikeToday(settled.filter(isAboutAccess));
  if (answered !== '')
    return `Who gets in is as answered (${answered}), not as 2.4 answers today${beside}${assumed}${doubt}.`;
  if (places > 0) return `Nobody new gets in; ${narrower}${doubt}.`;
  return `Nobody new gets in and nobody loses access${assumed}${doubt}.`;
}

/** Whether 2.4 may refuse what stays in the text, and where it answers 500 for it. */
function whatStays(
  decided: readonly Outcome[],
  { ofServer, mayBeOfServer, ofHtaccess }: NonNullable<ReportedRun['oldLines']> = {},
): { readonly mayNotStart: boolean; readonly failing: string } {
  return {
    mayNotStart:
      ofServer !== undefined || decided.some(({ stops }) => stops === true || mayBeOfServer !== undefined),
    failing:
      ofHtaccess === undefined
        ? ''
        : `, but it answers 500 at ${oneLine(ofHtaccess)} unless it has mod_access_compat`,
  };
}

/** Whether nothing but the verdict says that what stands there may decide who gets in below it. */
function mayChangeThat({ within, isForbidden }: ReportedRun['tree']['unvisited'][number]): boolean {
  return within !== undefined && isForbidden !== true;
}

/** For instance `2 of the 5 blockers (a.conf:3, 7) are`: the others are about what the first line counts, too. */
function goneText(some: readonly Outcome[], all: number): string {
  const { length } = some;
  const places = length > MOST_NAMED ? '' : ` (${oneLine(placesText(some, MOST_NAMED))})`;
  const which = length === all ? plural(all, 'blocker') : `${length} of the ${all} blockers${places}`;
  return `${which} ${length === 1 ? 'is' : 'are'}`;
}

/** Places that a sentence of the verdict has room for. */
const MOST_NAMED = 3;

/** Whether a rule that decides who gets in did not run. */
function isAccessUnasked(asked: ReportedRun['asked'], access: ReadonlySet<string>): boolean {
  if (asked === undefined) return false;
  const { rules, skip = [] } = asked;
  return [...access].some((rule) => skip.includes(rule) || rules?.includes(rule) === false);
}

/** What a run with some of the rules alone says nothing about. */
function askedText({ rules, skip = [] }: NonNullable<ReportedRun['asked']>): string {
  if (rules !== undefined) {
    const ran = rules.filter((rule) => !skip.includes(rule));
    return `Only ${ran.join(', ')} ran: whether 2.4 starts, and who gets in, was not looked at as a whole.`;
  }
  return `${skip.join(', ')} did not run: what ${skip.length === 1 ? 'it' : 'they'} would have found is not said here.`;
}

/** What a person chose instead of what the server answers today, for instance `old-lines=as-on-2.2`. */
function answersUnlikeToday(settled: readonly Outcome[]): string {
  const chosen = settled.flatMap(({ answers = [] }) => answers);
  const unlike = chosen.filter(({ choice = '' }) => choice.startsWith('as-') && choice !== 'as-today');
  return [...new Set(unlike.map(({ key, choice }) => `${key}=${choice}`))].join(', ');
}

function placesOf(outcomes: readonly Outcome[]): number {
  return new Set(outcomes.map(placeText)).size;
}
