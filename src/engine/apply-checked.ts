import { type ConfigFile, type ConfigTree, type Reread, SourceError } from '../config';
import { applyFindings, type Reason } from './apply';
import { faultOf, type FindingCollector } from './collect';
import type { Change, Finding, Outcome, Plan, AttemptOptions, Transform, Withdrawal } from './types';

export interface Applied {
  /** The findings of `outcomes`, in the same order. */
  readonly findings: readonly Finding[];
  readonly outcomes: readonly Outcome[];
  readonly plan: readonly Change[];
  /** The tree with the plan's texts: undefined where nothing is planned, or it cannot be read. */
  readonly after: ConfigTree | undefined;
  /** Whether a check has withdrawn anything. */
  readonly tookBack: boolean;
  /** Why checks have withdrawn what they have, where single `.htaccess` files make the difference. */
  readonly withdrawals?: readonly Withdrawal[];
  /** The outcomes of a second run over the result, if there has been one already. */
  readonly secondOutcomes?: readonly Outcome[] | undefined;
}

/** Who is asked about what is to be applied. */
export interface Checking {
  readonly transforms: readonly Transform[];
  readonly options: AttemptOptions;
  /** Undefined for a look at what would be applied: nothing is checked then, and nothing of it may be written. */
  readonly reread: Reread | undefined;
  /** Asked for the findings about the result; undefined where those are among the findings already. */
  readonly collector?: Pick<FindingCollector, 'editsOnResult' | 'adviceOnResult' | 'withResult'>;
}

/** Applies the findings, and withdraws those that a transform's `check` refuses, until no check refuses any. */
export function applyChecked(
  tree: ConfigTree,
  findings: readonly Finding[],
  { transforms, options, reread, collector }: Checking,
  withheld: ReadonlyMap<Finding, Reason> = new Map(),
): Applied {
  const takenBack = new Map<string, Reason>();
  const kept = new Map(withheld);
  const unchecked = new Map<string, string>();
  const withdrawals: Withdrawal[] = [];
  const takeBack = (group: string, withdrawal: string | Withdrawal): void => {
    const first: Withdrawal = typeof withdrawal === 'string' ? { why: withdrawal } : withdrawal;
    takenBack.set(group, { kind: 'check', why: first.why });
    // All files at once: to decide each in a run of its own would take too many.
    for (const each of [first, ...(first.besides ?? [])])
      if ((each.madeBy ?? []).length > 0) withdrawals.push(each);
  };
  const checked = new Set(transforms.filter(({ check }) => check !== undefined).map(({ id }) => id));
  const served = new Map<ConfigFile, string>();
  const reasonFor = ({ rule, file, edits }: Finding): Reason | undefined => {
    const fault = unchecked.get(rule);
    if (fault !== undefined)
      return { kind: 'check', why: `a fault of the rule itself kept it from being checked: ${fault}` };
    const why = checked.has(rule) || edits.length === 0 ? undefined : served.get(file);
    return why === undefined ? undefined : { kind: 'judge', why };
  };
  const keep = (found: readonly Finding[]): void => {
    for (const finding of found) {
      const reason = reasonFor(finding);
      if (reason !== undefined) kept.set(finding, reason);
    }
  };
  const apply = (found: readonly Finding[], known?: AppliedOnce): AppliedOnce => {
    keep(found);
    const { outcomes, plan } = applyFindings(found, options, takenBack, kept);
    return { findings: found, outcomes, plan, after: rereadOnce(plan, known, reread) };
  };
  /** With what follows from the result. The first result is not held on to: another may take its place in memory. */
  const applyEditing = (asked: NonNullable<Checking['collector']>): Edited => {
    const first = apply(findings);
    const editing = asked.editsOnResult({ tree, ...first });
    const edited = editing.length === 0 ? first : apply(asked.withResult(tree, editing), first);
    return { editing, edited, outcomes: first.outcomes };
  };
  const applyWithResult = (): AppliedOnce => {
    if (collector === undefined) return apply(findings);
    const { editing, edited, outcomes } = applyEditing(collector);
    // What is looked at, and checked, is what would be written, with what follows from the result.
    const advice = collector.adviceOnResult({ tree, ...edited, outcomes });
    return advice.length === 0 ? edited : apply(collector.withResult(tree, [...editing, ...advice]), edited);
  };
  for (;;) {
    const last = applyWithResult();
    const { outcomes, after } = last;
    const before = takenBack.size + unchecked.size + served.size;
    for (const { checkOthers } of transforms) {
      if (checkOthers === undefined || after === undefined) continue;
      const others = outcomes.filter(({ rule, status }) => status === 'applied' && !checked.has(rule));
      for (const [file, why] of checkOthers(tree, after, others)) served.set(file, why);
    }
    // What is written without these may be another thing.
    if (served.size + takenBack.size + unchecked.size > before) continue;
    for (const { id, check } of transforms) {
      if (check === undefined || after === undefined) continue;
      const applied = outcomes.filter((outcome) => outcome.rule === id && outcome.status === 'applied');
      if (applied.length === 0) continue;
      try {
        for (const [group, withdrawal] of check(tree, after, applied)) takeBack(group, withdrawal);
      } catch (error) {
        if (error instanceof SourceError) throw error;
        // What cannot be checked is not written.
        if (unchecked.has(id)) throw error;
        unchecked.set(id, faultOf(error));
      }
    }
    if (takenBack.size + unchecked.size + served.size === before)
      return { ...last, tookBack: before > 0, withdrawals };
  }
}

/** Findings, and what has become of them, as {@link Applied}. */
type AppliedOnce = Pick<Applied, 'findings' | 'outcomes' | 'plan' | 'after'>;

/** What is applied with the findings that edit what follows from the result, and what became of the others before. */
interface Edited {
  readonly editing: readonly Finding[];
  readonly edited: AppliedOnce;
  readonly outcomes: readonly Outcome[];
}

/** Reads the result, unless the plan is one whose result is known. */
function rereadOnce(
  plan: Plan,
  known: AppliedOnce | undefined,
  reread: Reread | undefined,
): ConfigTree | undefined {
  if (plan.length === 0) return undefined;
  if (known?.plan.length === plan.length && plan.every(({ text }, i) => text === known.plan[i]!.text))
    return known.after;
  return reread?.(textsOf(plan));
}

export function textsOf(plan: Plan): Map<string, string> {
  return new Map(plan.map((change) => [change.file.path, change.text]));
}
