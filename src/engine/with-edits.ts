import type { Reread } from '../config';
import { applyEdits, type Edit, overlaps, sortEdits } from '../edit';
import { judge } from '../judge';
import { textsOf } from './apply-checked';
import type { Change, Finding, Outcome, RunResult, Transform } from './types';
import { rejectedLine } from './verify';

/** Text that a person has written in place of a change: the change's finding, with the person's edits. */
export type WrittenByHand = Pick<Finding, 'rule' | 'file' | 'at' | 'level' | 'message'> & {
  readonly edits: readonly Edit[];
};

/**
 * A result with text that a person has written, checked as the rewrites are: the rules compare what 2.4 makes of it with the
 * configuration as it was.
 * @returns why it is not to be written, where it is not
 */
export function withEdits(
  result: RunResult,
  written: readonly WrittenByHand[],
  transforms: readonly Transform[],
  reread: Reread,
): RunResult | string {
  const outcomes: readonly Outcome[] = written.map((finding, i) => ({
    ...finding,
    safety: 'review',
    group: `by hand ${i}`,
    status: 'applied',
  }));
  const plan = new Map(result.plan.map((change): [string, Change] => [change.file.path, change]));
  for (const { file, edits } of outcomes) {
    const { text } = file.document;
    const before = plan.get(file.path)?.edits ?? [];
    if (before.some((edit) => edits.some((other) => overlaps(edit, other) || isInside(edit, other))))
      return `${file.name}: another change that was accepted is in these lines`;
    const all = sortEdits([...before, ...edits]);
    plan.set(file.path, { file, edits: all, text: applyEdits(text, all) });
  }
  const changes = [...plan.values()].filter(({ file, text }) => text !== file.document.text);
  const after = reread(textsOf(changes));
  const flaw = rejectedLine(changes, outcomes, after);
  if (flaw !== undefined) return flaw.text;
  const groups = new Set(outcomes.map(({ group }) => group));
  for (const { id, check } of transforms) {
    if (check === undefined || after === undefined) continue;
    const applied = result.outcomes.filter(({ rule, status }) => rule === id && status === 'applied');
    for (const [group, withdrawal] of check(result.tree, after, [...applied, ...outcomes]))
      if (groups.has(group) || applied.some((outcome) => outcome.group === group))
        return typeof withdrawal === 'string' ? withdrawal : withdrawal.why;
  }
  const all = [...result.outcomes, ...outcomes];
  const [veto] = after === undefined ? [] : judge(result.tree, after, all).vetoes;
  if (veto !== undefined) return veto.why;
  return { ...result, outcomes: all, plan: changes };
}

/** An insertion inside of lines, or at their edge. */
function isInside({ start, end }: Edit, lines: Edit): boolean {
  return start === end && lines.start <= start && start <= lines.end;
}
