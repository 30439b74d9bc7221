import type { Outcome } from '../engine/types';
import { oneLine } from './encoding';
import { type ReportedRun, sortedOutcomes, placeText } from './content';
import { addTo } from '../maps';

/**
 * What this run was asked to leave out, for a terminal: a line for each reason and rule. Empty where nothing was.
 * @param saidBefore a reason that has been told already
 * For instance `left out (not named by --only): 3 changes of max-clients, first conf/httpd.conf:14`.
 */
export function leftReport(result: ReportedRun, saidBefore?: string): string {
  const lists = new Map<string, Outcome[]>();
  for (const outcome of sortedOutcomes(result)) {
    if (outcome.declined !== true || (saidBefore !== undefined && outcome.why?.endsWith(saidBefore)))
      continue;
    const key = `${outcome.why}\n${outcome.rule}`;
    addTo(lists, key, outcome);
  }
  return [...lists.values()].map((list) => `${oneLine(leftLine(list))}\n`).join('');
}

function leftLine(outcomes: readonly Outcome[]): string {
  const [first] = outcomes;
  const { rule, why } = first!;
  const count = outcomes.length === 1 ? 'a change' : `${outcomes.length} changes`;
  const where = outcomes.length === 1 ? '' : 'first ';
  const needed = outcomes.some(({ level }) => level === 'error')
    ? '; 2.4 does not start, or decides access differently, without it'
    : '';
  return `left out (${why}): ${count} of ${rule}, ${where}${placeText(first!)}${needed}`;
}

/** What a person has decided and the run does not ask any more, for a terminal: a line each. */
export function unmetReport({ unmet }: ReportedRun): string {
  const answers = (unmet?.answers ?? []).map(
    ({ key, place }) =>
      `the answer to ${key}${place === undefined ? '' : ` in ${place}`} meets nothing any more: remove it`,
  );
  const accepted = (unmet?.accepted ?? []).map(
    (fingerprint) =>
      `the accepted finding ${fingerprint} is not there any more, or what it rests on has changed: look again, or remove it`,
  );
  return [...answers, ...accepted].map((line) => `${oneLine(line)}\n`).join('');
}
