import type { ConfigFile } from '../config/types';
import type { Level, Outcome, RunResult } from '../engine/types';

/** True for a finding that the tool has not settled: a person must read it and act. */
export function needsPerson(outcome: Outcome): boolean {
  if (outcome.status === 'ignored') return false;
  return outcome.safety === 'manual' || outcome.status === 'not-applied';
}

/** All findings in the order of the files of the tree, then of their positions. */
export function inOrder(result: RunResult): Outcome[] {
  const lists = new Map<ConfigFile, Outcome[]>();
  for (const file of result.tree.files) lists.set(file, []);
  const others: Outcome[] = [];
  for (const outcome of result.outcomes) (lists.get(outcome.file) ?? others).push(outcome);
  const all: Outcome[] = [];
  for (const list of [...lists.values(), others])
    for (const outcome of list.sort((a, b) => a.at - b.at)) all.push(outcome);
  return all;
}

export function countLevels(outcomes: readonly Outcome[]): Record<Level, number> {
  const counts = { error: 0, warning: 0, info: 0 };
  for (const { level } of outcomes) counts[level]++;
  return counts;
}
