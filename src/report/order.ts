import type { Level, Outcome, RunResult } from '../engine/types';

/** True for a finding that the tool has not settled: a person must read it and act. */
export function needsPerson(outcome: Outcome): boolean {
  if (outcome.status === 'ignored') return false;
  return outcome.safety === 'manual' || outcome.status === 'not-applied';
}

/** All findings in the order of the files of the tree, then of their positions. */
export function inOrder(result: RunResult): Outcome[] {
  const index = new Map(result.tree.files.map((file, i) => [file, i]));
  const rank = (outcome: Outcome): number => index.get(outcome.file) ?? index.size;
  return [...result.outcomes].sort((a, b) => rank(a) - rank(b) || a.at - b.at);
}

export function countLevels(outcomes: readonly Outcome[]): Record<Level, number> {
  const counts = { error: 0, warning: 0, info: 0 };
  for (const { level } of outcomes) counts[level]++;
  return counts;
}
