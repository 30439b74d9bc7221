import type { Assumption, Outcome } from '../../engine/types';

/** What findings of the run rest on, and how many do. */
export interface AssumptionOfRun extends Assumption {
  readonly findings: number;
}

/** The assumptions of these findings, each once, in their order. Findings that were not applied rest on nothing. */
export function assumptionsOf(outcomes: readonly Outcome[]): readonly AssumptionOfRun[] {
  const found = new Map<string, AssumptionOfRun>();
  for (const { assuming, status, accepted } of outcomes)
    for (const assumption of status === 'applied' && accepted === undefined
      ? (assuming?.assumptions ?? [])
      : []) {
      const findings = (found.get(assumption.text)?.findings ?? 0) + 1;
      found.set(assumption.text, { ...assumption, findings });
    }
  return [...found.values()];
}

/** The message for a report that lists the assumptions of the run. */
export function briefMessage({ message, assuming, status }: Outcome): string {
  return status === 'applied' && assuming !== undefined ? assuming.message : message;
}
