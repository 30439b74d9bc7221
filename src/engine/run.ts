import type { ConfigTree } from '../config';
import { applyFindings } from './apply';
import { collectFindings } from './collect';
import { problemFinding, unreachedFinding } from './problems';
import type { RunOptions, RunResult, Transform } from './types';
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
  const { outcomes, plan } = applyFindings(findings, options);
  const rerun =
    reread === undefined
      ? undefined
      : (texts: ReadonlyMap<string, string>) =>
          applyFindings(collectFindings(reread(texts), chosen, options), options).outcomes;
  const failure = verifyPlan(plan, outcomes, rerun);
  if (failure === undefined) return { tree, outcomes, plan };
  const kept = outcomes.map((one) =>
    one.status === 'applied' ? { ...one, status: 'not-applied' as const, why: failure } : one,
  );
  return { tree, outcomes: kept, plan: [], failure };
}
