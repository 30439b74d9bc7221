import type { Level, Outcome, RunResult } from '../engine/types';
import { oneLine } from './display';
import { type AssumptionOfRun, assumptionsOf, briefMessage } from './assumptions';
import { type MergedFinding, mergeEqualFindings, countLevels, sortedOutcomes, needsPerson } from './order';

export interface TextOptions {
  readonly colour: boolean;
  /** What became of the plan: only shown, or on its way to where it belongs. */
  readonly done: boolean;
  /** Leaves out what no person needs to act on, and the closing line. */
  readonly quiet: boolean;
}

const SGR: Readonly<Record<Level, string>> = { error: '31', warning: '33', info: '36' };

/** The findings, one line each as `file:line:col: level: message [rule]`, those that say the same in one, and a closing line that sums up. A byte string. */
export function textReport(result: RunResult, options: TextOptions): string {
  const outcomes = sortedOutcomes(result);
  const shown = outcomes.filter(options.quiet ? needsPerson : ({ status }) => status !== 'ignored');
  const lines = mergeEqualFindings(shown).map((finding) => findingLine(finding, options.colour));
  lines.push(...assumptionsOf(shown).map(assumptionLine));
  if (!options.quiet) lines.push(summaryLine(result, options.done));
  lines.push('');
  return lines.join('\n');
}

function findingLine({ outcome, otherPlaces }: MergedFinding, colour: boolean): string {
  const paint = (sgr: string, text: string): string => (colour ? `\x1b[${sgr}m${text}\x1b[m` : text);
  const { line, column } = outcome.file.document.positionAt(outcome.at);
  const where = paint('1', `${oneLine(outcome.file.name)}:${line}:${column}:`);
  const level = paint(SGR[outcome.level], `${outcome.level}:`);
  const rule = paint('2', `[${oneLine(outcome.rule)}]`);
  return `${where} ${level} ${oneLine(briefMessage(outcome) + notAppliedText(outcome))}${otherPlaces === '' ? '' : ` (also: ${oneLine(otherPlaces)})`} ${rule}`;
}

/** For instance `assumed: no .htaccess below /srv/www asks for a password (5 findings; give that directory …)`. */
function assumptionLine({ text, remedy, findings }: AssumptionOfRun): string {
  return oneLine(
    `assumed: ${text} (${plural(findings, 'finding')}${remedy === undefined ? '' : `; ${remedy}`})`,
  );
}

/** What became of a finding that was not applied, to stand behind its message; empty for others. */
export function notAppliedText(outcome: Outcome): string {
  if (outcome.status !== 'not-applied') return '';
  return outcome.why === undefined ? ' (not applied)' : ` (not applied: ${outcome.why})`;
}

/** For instance `3 files would change, 2 findings need a person (1 error, 1 warning).` */
export function summaryLine(result: RunResult, done: boolean): string {
  const open = mergeEqualFindings(result.outcomes.filter(needsPerson)).map(({ outcome }) => outcome);
  const changed = result.plan.length;
  const files =
    changed > 0
      ? `${plural(changed, 'file')} ${done ? 'changed' : 'would change'}`
      : `Nothing to change in ${plural(result.tree.files.length, 'file')}`;
  if (open.length === 0) return `${files}, no finding needs a person.`;
  const counts = countLevels(open);
  const levels = (['error', 'warning', 'info'] as const)
    .filter((level) => counts[level] > 0)
    .map((level) => plural(counts[level], level));
  return `${files}, ${plural(open.length, 'finding')} ${open.length === 1 ? 'needs' : 'need'} a person (${levels.join(', ')}).`;
}

function plural(count: number, noun: string): string {
  return count === 1 ? `1 ${noun}` : `${count} ${noun}s`;
}
