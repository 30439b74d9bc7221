import type { Outcome } from '../engine/types';
import { oneLine } from './display';
import { type ReportedRun, sortedOutcomes } from './order';

/**
 * What this run was asked to leave out, for a terminal: a line for each reason and rule. Empty where nothing was.
 * For instance `left out (not named by --only): 3 changes of max-clients, first conf/httpd.conf:14`.
 */
export function leftReport(result: ReportedRun): string {
  const lists = new Map<string, Outcome[]>();
  for (const outcome of sortedOutcomes(result)) {
    if (outcome.declined !== true) continue;
    const key = `${outcome.why}\n${outcome.rule}`;
    lists.set(key, [...(lists.get(key) ?? []), outcome]);
  }
  return [...lists.values()].map((list) => `${oneLine(leftLine(list))}\n`).join('');
}

function leftLine(outcomes: readonly Outcome[]): string {
  const [first] = outcomes;
  const { file, at, rule, why } = first!;
  const count = outcomes.length === 1 ? 'a change' : `${outcomes.length} changes`;
  const where = outcomes.length === 1 ? '' : 'first ';
  const needed = outcomes.some(({ level }) => level === 'error') ? '; 2.4 does not start, or decides access otherwise, without it' : ''; // prettier-ignore
  return `left out (${why}): ${count} of ${rule}, ${where}${file.name}:${file.document.positionAt(at).line}${needed}`;
}
