import { type ConfigTree, SourceError } from '../config';
import { applyFindings } from './apply';
import type { Reason } from './reasons';
import type { AppliedTree } from './result';
import type { Change, Finding, Outcome, Plan, AttemptOptions, Transform } from './types';
import type { Reread } from './verify';

export interface Applied {
  /** The findings of `outcomes`, in the same order. */
  readonly findings: readonly Finding[];
  readonly outcomes: readonly Outcome[];
  readonly plan: readonly Change[];
  /** The tree with the plan's texts: undefined where nothing is planned, or it cannot be read. */
  readonly after: ConfigTree | undefined;
  /** Whether a check has withdrawn anything. */
  readonly tookBack: boolean;
  /** The outcomes of a second run over the result, if there has been one already. */
  readonly secondOutcomes?: readonly Outcome[] | undefined;
}

/**
 * Applies the findings, and withdraws those that a transform's `check` refuses, until no check refuses any.
 * @param withResult all findings, those about the result too; undefined where there are none about it
 */
export function applyChecked(
  tree: ConfigTree,
  findings: readonly Finding[],
  transforms: readonly Transform[],
  options: AttemptOptions,
  reread: Reread | undefined,
  withheld: ReadonlyMap<Finding, Reason> = new Map(),
  withResult?: (applied: AppliedTree) => readonly Finding[] | undefined,
): Applied {
  const takenBack = new Map<string, Reason>();
  const kept = new Map(withheld);
  const unchecked = new Set<string>();
  const keep = (found: readonly Finding[]): void => {
    for (const finding of found)
      if (unchecked.has(finding.rule))
        kept.set(finding, { kind: 'check', why: 'an internal error kept it from being checked' });
  };
  for (;;) {
    keep(findings);
    const plain = applyFindings(findings, options, takenBack, kept);
    const read = plain.plan.length === 0 ? undefined : reread?.(textsOf(plain.plan));
    const all = withResult?.({ tree, ...plain, after: read }) ?? findings;
    keep(all);
    const { outcomes, plan } = all === findings ? plain : applyFindings(all, options, takenBack, kept);
    // What is checked is what would be written, with what follows from the result.
    const after = rereadOnce(plan, plain.plan, read, reread);
    const before = takenBack.size + unchecked.size;
    for (const { id, check } of transforms) {
      if (check === undefined || after === undefined) continue;
      const applied = outcomes.filter((outcome) => outcome.rule === id && outcome.status === 'applied');
      if (applied.length === 0) continue;
      try {
        for (const [group, why] of check(tree, after, applied)) takenBack.set(group, { kind: 'check', why });
      } catch (error) {
        if (error instanceof SourceError) throw error;
        // What cannot be checked is not written.
        if (unchecked.has(id)) throw error;
        unchecked.add(id);
      }
    }
    if (takenBack.size + unchecked.size === before)
      return { findings: all, outcomes, plan, after, tookBack: before > 0 };
  }
}

/** Reads the result, unless the plan is one whose result is known. */
function rereadOnce(
  plan: Plan,
  known: Plan,
  after: ConfigTree | undefined,
  reread: Reread | undefined,
): ConfigTree | undefined {
  const same = plan.length === known.length && plan.every(({ text }, i) => text === known[i]!.text);
  if (same) return after;
  return plan.length === 0 ? undefined : reread?.(textsOf(plan));
}

/** The new texts of a plan by path. */
export function textsOf(plan: Plan): Map<string, string> {
  return new Map(plan.map((change) => [change.file.path, change.text]));
}
