import type { ConfigTree } from '../config';
import { applyFindings } from './apply';
import { collectFindings } from './collect';
import { markIgnored } from './ignore';
import { problemFinding, unreachedFinding } from './problems';
import type { Change, Finding, Outcome, Plan, RunOptions, RunResult, Transform } from './types';
import { furtherChange, rejectedLine, type Reread } from './verify';

/**
 * The run: every transform reads the same tree, their findings' edits are applied in one place, and the result is verified. Pure: it
 * writes nothing.
 * @param reread reads the same tree with new texts, for the check that a second run changes nothing
 */
export function run(
  tree: ConfigTree,
  transforms: readonly Transform[],
  options: RunOptions = {},
  reread?: Reread,
): RunResult {
  const chosen = transforms.filter(
    ({ id }) => (options.rules === undefined || options.rules.includes(id)) && !options.skip?.includes(id),
  );
  const gather: Gather = (one) => {
    const found = [
      ...one.problems.map(problemFinding),
      ...one.unreached.map(unreachedFinding),
      ...collectFindings(one, chosen, options),
    ];
    const known = ['include', 'syntax', 'ignore', ...transforms.map(({ id }) => id)];
    return markIgnored(one.files, found.map(withLevel(options)), {
      rules: new Set(known),
      isIgnored: options.isIgnored,
      complete: chosen.length === transforms.length,
    });
  };
  const findings = gather(tree);
  const applied = applyChecked(tree, findings, chosen, options, reread);
  const { outcomes, plan, after } = applied;
  const failure =
    rejectedLine(plan, outcomes, after) ??
    (after && furtherChange(secondRun(after, applied, gather, chosen, options, reread)));
  if (failure === undefined) return { tree, outcomes, plan };
  const kept = outcomes.map((one) =>
    one.status === 'applied' ? { ...one, status: 'not-applied' as const, why: failure } : one,
  );
  return { tree, outcomes: kept, plan: [], failure };
}

/** All findings of a tree. */
type Gather = (tree: ConfigTree) => readonly Finding[];

function withLevel({ levels }: RunOptions): (finding: Finding) => Finding {
  if (levels === undefined) return (finding) => finding;
  return (finding) => ({ ...finding, level: levels[finding.rule] ?? finding.level });
}

interface Applied {
  readonly outcomes: readonly Outcome[];
  readonly plan: readonly Change[];
  /** The tree with the plan's texts: undefined where nothing is planned, or it cannot be read. */
  readonly after: ConfigTree | undefined;
  /** Whether a check took something back. */
  readonly tookBack: boolean;
}

/** Applies the findings, and takes back what the transforms' own checks refuse, until they have nothing more to say. */
function applyChecked(
  tree: ConfigTree,
  findings: readonly Finding[],
  transforms: readonly Transform[],
  options: RunOptions,
  reread: Reread | undefined,
): Applied {
  const takenBack = new Map<string, string>();
  for (;;) {
    const { outcomes, plan } = applyFindings(findings, options, takenBack);
    const after = plan.length === 0 ? undefined : reread?.(textsOf(plan));
    const before = takenBack.size;
    if (after === undefined) return { outcomes, plan, after, tookBack: before > 0 };
    for (const { id, check } of transforms) {
      if (check === undefined) continue;
      const applied = outcomes.filter((one) => one.rule === id && one.status === 'applied');
      if (applied.length === 0) continue;
      for (const [group, why] of check(tree, after, applied)) takenBack.set(group, why);
    }
    if (takenBack.size === before) return { outcomes, plan, after, tookBack: before > 0 };
  }
}

/** What would become of the findings in the result. */
function secondRun(
  after: ConfigTree,
  { plan, tookBack }: Applied,
  gather: Gather,
  transforms: readonly Transform[],
  options: RunOptions,
  reread: Reread | undefined,
): readonly Outcome[] {
  const findings = gather(after);
  if (!tookBack || reread === undefined) return applyFindings(findings, options).outcomes;
  // What the checks took back would be found again, and taken back again.
  const texts = textsOf(plan);
  const further: Reread = (more) => reread(new Map([...texts, ...more]));
  return applyChecked(after, findings, transforms, options, further).outcomes;
}

function textsOf(plan: Plan): Map<string, string> {
  return new Map(plan.map((change) => [change.file.path, change.text]));
}
