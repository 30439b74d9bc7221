import type { ConfigTree } from '../config';
import { applyFindings } from './apply';
import { collectFindings } from './collect';
import { problemFinding, unreachedFinding } from './problems';
import type { Finding, Plan, RunOptions, RunResult, Transform } from './types';
import { type Reread, verifyPlan } from './verify';

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
  const findings = [
    ...tree.problems.map(problemFinding),
    ...tree.unreached.map(unreachedFinding),
    ...collectFindings(tree, chosen, options),
  ];
  const { outcomes, plan, checked } = applyChecked(tree, findings, chosen, options, reread);
  const rerun =
    reread === undefined
      ? undefined
      : (texts: ReadonlyMap<string, string>) => {
          const again = reread(texts);
          const left = collectFindings(again, chosen, options);
          // What the checks took back would be found again, and taken back again.
          const further: Reread = (more) => reread(new Map([...texts, ...more]));
          return applyChecked(again, left, chosen, options, checked ? further : undefined).outcomes;
        };
  const failure = verifyPlan(plan, outcomes, rerun);
  if (failure === undefined) return { tree, outcomes, plan };
  const kept = outcomes.map((one) =>
    one.status === 'applied' ? { ...one, status: 'not-applied' as const, why: failure } : one,
  );
  return { tree, outcomes: kept, plan: [], failure };
}

/** Applies the findings, and takes back what the transforms' own checks refuse, until they have nothing more to say. */
function applyChecked(
  tree: ConfigTree,
  findings: readonly Finding[],
  transforms: readonly Transform[],
  options: RunOptions,
  reread: Reread | undefined,
): ReturnType<typeof applyFindings> & { checked: boolean } {
  const takenBack = new Map<string, string>();
  for (;;) {
    const result = applyFindings(findings, options, takenBack);
    if (reread === undefined || result.plan.length === 0) return { ...result, checked: takenBack.size > 0 };
    const checks = transforms.filter((one) => one.check !== undefined);
    const after = checks.length === 0 ? tree : reread(textsOf(result.plan));
    const before = takenBack.size;
    for (const { id, check } of checks) {
      const applied = result.outcomes.filter((one) => one.rule === id && one.status === 'applied');
      if (applied.length === 0) continue;
      for (const [group, why] of check!(tree, after, applied)) takenBack.set(group, why);
    }
    if (takenBack.size === before) return { ...result, checked: before > 0 };
  }
}

function textsOf(plan: Plan): Map<string, string> {
  return new Map(plan.map((change) => [change.file.path, change.text]));
}
