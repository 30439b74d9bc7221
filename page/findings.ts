import { describeFinding, type Finding, type Outcome, transforms } from '../src';
import type { ShownFinding } from './protocol';

/** Findings that are shown at a pasted text. */
const MOST = 2000;

const REASONS = new Map(transforms.map(({ id, why }) => [id, why]));

/**
 * By what a finding is known after the next keystroke: the rule, the text of its line, and which of the lines with that text.
 * Byte offsets change with every letter that is typed above.
 */
export function keyOf({ rule, file, at }: Pick<Finding, 'rule' | 'file' | 'at'>): string {
  const { text } = file.document;
  const start = text.lastIndexOf('\n', at - 1) + 1;
  const end = text.indexOf('\n', at);
  const line = text.slice(start, end < 0 ? text.length : end).trim();
  let occurrence = 0;
  for (let found = text.indexOf(line); found >= 0 && found < start; found = text.indexOf(line, found + 1))
    occurrence++;
  return `${rule} ${occurrence} ${line}`;
}

/** The findings of a text in the order of its lines, and how many more there are. */
export function shownFindings(outcomes: readonly Outcome[]): { findings: ShownFinding[]; more: number } {
  const all = outcomes.filter(({ status }) => status !== 'ignored').sort((a, b) => a.at - b.at);
  const shown = all.slice(0, MOST).map((outcome) => ({
    ...describeFinding(outcome),
    key: keyOf(outcome),
    reason: REASONS.get(outcome.rule) ?? '',
    hasChange: outcome.edits.length > 0,
  }));
  return { findings: shown, more: all.length - shown.length };
}
