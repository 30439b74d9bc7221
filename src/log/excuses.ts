import { LOG_QUESTION } from '../access/report';
import type { Outcome, RunResult } from '../engine/types';
import type { LogReport } from './types';

/** Assumptions that can only refuse somebody if they are wrong. */
const ONLY_REFUSING: ReadonlySet<string> = new Set(['directories-by-pattern']);

/** Whether a change may refuse what 2.2 let in, and can let nobody in: the absence of such requests from a log can excuse it. */
export function isStrict({ status, safety, assuming, accepted }: Outcome): boolean {
  if (status !== 'applied' || accepted !== undefined) return false;
  if (safety === 'strict') return true;
  const { assumptions = [] } = assuming ?? {};
  return (
    safety === 'review' && assumptions.length > 0 && assumptions.every(({ key }) => ONLY_REFUSING.has(key))
  );
}

/** The requests that were read, in words. */
export function spanText({ requests, from, to, isPartial }: LogReport): string {
  const span = from === undefined ? '' : from === to ? ` of ${from}` : ` from ${from} to ${String(to)}`;
  return `${isPartial ? 'the first ' : ''}${requests.toLocaleString('en-US')} requests${span}`;
}

/** The run with how many requests of the logs each finding is about. */
function withRequests<R extends Pick<RunResult, 'outcomes'>>(result: R, { concerns }: LogReport): R {
  if (concerns.length === 0) return result;
  const keyOf = ({ rule, file, at }: Pick<Outcome, 'rule' | 'file' | 'at'>): string =>
    [rule, at, file.path].join(' ');
  const counts = new Map(concerns.map((concern) => [keyOf(concern), concern.requests]));
  const outcomes = result.outcomes.map((outcome): Outcome => {
    const requests = counts.get(keyOf(outcome));
    return requests === undefined ? outcome : { ...outcome, requests };
  });
  return { ...result, outcomes };
}

/**
 * The run with what its logs excuse: a strictest form that refuses none of the requests is marked harmless for them, and accepted
 * where somebody has said that they are enough.
 * @param isHarmless whether none of the requests is refused by it
 * @param isEnough whether somebody has said that the logs are enough for it
 */
export function excused<R extends Pick<RunResult, 'outcomes'>>(
  result: R,
  report: LogReport,
  isHarmless: (outcome: Outcome) => boolean,
  isEnough: (outcome: Outcome) => boolean,
): R {
  const counted = withRequests(result, report);
  if (report.harmless === 0) return counted;
  const reason = `none of ${spanText(report)} is refused by it`;
  const isOpen = (outcome: Outcome, of: (outcome: Outcome) => boolean): boolean =>
    outcome.safety === 'strict' &&
    outcome.status === 'applied' &&
    outcome.accepted === undefined &&
    !of(outcome);
  const isSettled = (rule: string, of: (outcome: Outcome) => boolean): boolean =>
    !result.outcomes.some((outcome) => outcome.rule === rule && isOpen(outcome, of));
  const outcomes = counted.outcomes.map((outcome): Outcome => {
    const { rule, sumsUpStrict } = outcome;
    const isExcused = sumsUpStrict === true ? isSettled(rule, isHarmless) : isHarmless(outcome);
    if (!isExcused) return outcome;
    const isAnswered = sumsUpStrict === true ? isSettled(rule, isEnough) : isEnough(outcome);
    if (!isAnswered) return { ...outcome, harmless: reason };
    const { key, choices } = LOG_QUESTION;
    const answers = [...(outcome.answers ?? []), { key, value: true, choice: choices, reason }];
    return { ...outcome, harmless: reason, accepted: reason, answers };
  });
  return { ...result, outcomes };
}
