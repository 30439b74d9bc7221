import type { Level, Outcome } from '../../engine/types';
import { needsPerson } from './order';

/**
 * What a finding asks of the reader. `applied`: its change is exact; `review`: its change is in the plan, and rests on an
 * assumption or refuses more than 2.2 did; `open`: a person must act; `note`: worth knowing, nothing must be done; `left`: its
 * change is not wanted in this run; `script`: the script of the run does it (`--format sh`); `ignored`: the user asked to leave
 * it alone.
 */
export type FindingState = 'applied' | 'review' | 'open' | 'script' | 'note' | 'left' | 'ignored';

export function stateOf(outcome: Outcome): FindingState {
  const { status, safety, level, unread } = outcome;
  if (status === 'ignored') return 'ignored';
  if (outcome.accepted !== undefined) return status === 'applied' ? 'applied' : 'ignored';
  if (status === 'applied') return safety === 'safe' ? 'applied' : 'review';
  if (outcome.declined === true) return 'left';
  if (unread === true) return 'open';
  if (!needsPerson(outcome) || level === 'info') return 'note';
  return isDoneByScript(outcome) ? 'script' : 'open';
}

/** Whether its commands are all that there is to do: what a person can answer about it, they do not settle. */
function isDoneByScript({ status, commands, question }: Outcome): boolean {
  return status === 'none' && commands !== undefined && question === undefined;
}

/** Whether 2.4 does not start with it, or who gets in changes, or nobody can know because something was not read. */
export function isBlocker(outcome: Outcome): boolean {
  return stateOf(outcome) === 'open' && (outcome.level === 'error' || outcome.unread === true);
}

const RANK = { info: 0, warning: 1, error: 2, never: 3 } as const;

/**
 * Whether the run has not done its work because of a finding: its exit status is 1 then. Every blocker is such a finding,
 * whatever its level, unless no finding is to be one.
 * @param failOn the lowest level of the others
 */
export function failsRun(outcome: Outcome, failOn: Level | 'never'): boolean {
  const { declined, answers, level } = outcome;
  const isDecided = answers?.some(({ value }) => !value) === true;
  // What is left out in this run alone is pending; what a person has decided to leave counts like any finding.
  if (declined === true && !isDecided) return true;
  if (isBlocker(outcome)) return failOn !== 'never';
  return (declined === true || needsPerson(outcome)) && RANK[level] >= RANK[failOn];
}

/** The character that stands before a finding in texts for people: ASCII, so that every console shows it. */
export function nameTraitsOf(outcome: Outcome): '+' | '~' | '!' | '?' | '>' | 'i' {
  if (isBlocker(outcome)) return '!';
  const state = stateOf(outcome);
  if (state === 'applied') return '+';
  if (state === 'review') return '~';
  if (state === 'script') return '>';
  return state === 'open' ? '?' : 'i';
}

/** What became of a finding that was not applied, to stand behind its message; empty for others. */
export function notAppliedText(outcome: Outcome): string {
  if (outcome.status !== 'not-applied') return '';
  return outcome.why === undefined ? ' (not applied)' : ` (not applied: ${outcome.why})`;
}

const WORDS: Readonly<Record<FindingState, string>> = {
  applied: 'change',
  review: 'change to review',
  open: 'to do',
  script: 'done by the script',
  note: 'worth knowing',
  left: 'left out',
  ignored: 'ignored',
};

/** What a finding asks of the reader, in a few words: its level says only what would happen without a change. */
export function stateWord(outcome: Outcome): string {
  return isBlocker(outcome) ? 'blocker' : WORDS[stateOf(outcome)];
}
