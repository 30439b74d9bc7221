import type { Outcome } from '../../engine/types';
import type { LogContradiction, LogDifference } from '../../log/types';
import { contradictionText, countOf, differenceText } from './log';
import { type ReportedRun, sortedOutcomes } from './order';
import { notAppliedText } from './state';

/** Under what name documents that list findings list what a log shows. */
export const LOG_RULE = 'access-log';

/**
 * All findings, as `sortedOutcomes` has them, and what the requests of logs show at a section: for documents that have no place
 * but the lines of files.
 */
export function findingsWithLog(result: ReportedRun): Outcome[] {
  const { log } = result;
  if (log === undefined) return sortedOutcomes(result);
  const shown = [
    ...log.differences.flatMap((difference) => findingAt(difference, LEVELS[difference.verdict], differenceText)),
    ...log.contradictions.flatMap((found) => findingAt(found, found.kind === 'let-in' ? 'warning' : 'info', contradictionText)),
  ]; // prettier-ignore
  return sortedOutcomes({ ...result, outcomes: [...result.outcomes, ...shown] });
}

/** Somebody gets in, somebody is kept out, or nobody needs to act. */
const LEVELS = { opened: 'error', refused: 'warning', otherwise: 'info', unknown: 'info' } as const;

/** What no section decides has no line to stand at: the counts of the log tell of it. */
function findingAt<T extends LogDifference | LogContradiction>(
  found: T,
  level: Outcome['level'],
  textOf: (found: T) => string,
): readonly Outcome[] {
  const { section } = found;
  if (section === undefined) return [];
  const { file, at } = section;
  const message = textOf(found);
  return [{ rule: LOG_RULE, file, at, level, safety: 'manual', status: 'none', message, edits: [] }];
}

/** What is said behind the message of a finding: why it is not applied, and how many requests of the logs it is about. */
export function addedText(outcome: Outcome): string {
  const { requests, harmless } = outcome;
  const counted = requests === undefined ? '' : ` (${countOf(requests)} of the log)`;
  return `${notAppliedText(outcome)}${counted}${harmless === undefined ? '' : ` (harmless: ${harmless})`}`;
}
