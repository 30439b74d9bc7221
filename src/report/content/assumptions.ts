import type { Assumption, Outcome } from '../../engine/types';

/** What findings of the run rest on, and how many do. */
export interface AssumptionOfRun extends Assumption {
  readonly findings: number;
}

/** The assumptions of these findings, each once, in their order. Findings that were not applied rest on nothing. */
export function assumptionsOf(outcomes: readonly Outcome[]): readonly AssumptionOfRun[] {
  const found = new Map<string, { last: Assumption; findings: number }>();
  for (const { assuming, status, accepted, harmless } of outcomes) {
    // A log excuses that something is refused, and says nothing of what else is assumed.
    const isLookedAt = accepted !== undefined && harmless === undefined;
    if (assuming === undefined || status !== 'applied' || isLookedAt) continue;
    for (const assumption of assuming.assumptions) {
      const known = found.get(assumption.text);
      if (known === undefined) found.set(assumption.text, { last: assumption, findings: 1 });
      else {
        known.last = assumption;
        known.findings++;
      }
    }
  }
  return [...found.values()].map(({ last, findings }) => ({ ...last, findings }));
}

/** The message for a report that lists the assumptions of the run. */
export function briefMessage({ message, assuming, status }: Outcome): string {
  return status === 'applied' && assuming !== undefined ? assuming.message : message;
}
