import type { Outcome, RunResult } from '../../engine/types';
import { needsPerson } from '../../report';
import { type ConvertOptions } from '../options';

export const OK = 0;
export const OPEN = 1;
export const TROUBLE = 2;

const RANK = { info: 0, warning: 1, error: 2, never: 3 } as const;

/** The exit status of a run that went through: the same in every mode. A change that reached its place is not pending. */
export function statusOf(result: RunResult, { mode, failOn }: ConvertOptions): number {
  const pending = result.plan.length > 0 && mode !== 'write' && mode !== 'filter';
  const fails = (outcome: Outcome): boolean => needsPerson(outcome) && RANK[outcome.level] >= RANK[failOn];
  return pending || result.outcomes.some(fails) ? OPEN : OK;
}
