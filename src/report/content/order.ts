import type { ConfigFile } from '../../config/types';
import type { Level, Outcome, RunResult } from '../../engine/types';
import type { WithLog } from '../../log/types';
import { groupBy } from '../../maps';

/** What a document tells of a run. */
export interface ReportedRun
  extends
    Pick<RunResult, 'outcomes' | 'plan' | 'unmet' | 'leftAlone' | 'state' | 'asked' | 'oldLines'>,
    WithLog {
  readonly tree: Pick<RunResult['tree'], 'files' | 'unvisited' | 'tops'> &
    Partial<Pick<RunResult['tree'], 'isServer'>>;
}

/** A run that had nothing to read, or did not come so far. */
export const NOTHING: ReportedRun = { outcomes: [], plan: [], tree: { files: [], unvisited: [], tops: [] } };

/** True for a finding that is still open: a person must read it and act. */
export function needsPerson(outcome: Outcome): boolean {
  if (outcome.status === 'ignored' || outcome.declined === true || outcome.accepted !== undefined)
    return false;
  return outcome.safety === 'manual' || outcome.safety === 'strict' || outcome.status === 'not-applied';
}

/** All findings in the order of the files of the tree, then of their positions. */
export function sortedOutcomes(result: ReportedRun): Outcome[] {
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

/** Findings that say the same, for a person to read once. */
export interface MergedFinding {
  /** The first of them. */
  readonly outcome: Outcome;
  readonly outcomes: readonly Outcome[];
}

/**
 * Merges findings that say the same: a message repeated forty times would hide the others.
 * @param outcomes in the order of the report
 */
export function mergeEqualFindings(outcomes: readonly Outcome[]): MergedFinding[] {
  const groups = groupBy(outcomes, ({ rule, level, safety, status, message, why = '' }) =>
    [rule, level, safety, status, message, why].join('\n'),
  );
  return [...groups.values()].map((group) => ({ outcome: group[0]!, outcomes: group }));
}
