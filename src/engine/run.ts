import type { ConfigTree } from '../config';
import { applyFindings } from './apply';
import { type Applied, applyChecked, textsOf } from './checked';
import { collectFindings } from './collect';
import { applyDual } from './dual';
import { markIgnored } from './ignore';
import { problemFinding, unreachedFinding } from './problems';
import type { Finding, Outcome, RunOptions, RunResult, Transform } from './types';
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
  const applied =
    options.dual === true
      ? applyDual(tree, findings, chosen, options, reread, gather)
      : applyChecked(tree, findings, chosen, options, reread);
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

/** What would become of the findings in the result. */
function secondRun(
  after: ConfigTree,
  { plan, tookBack, again }: Applied,
  gather: Gather,
  transforms: readonly Transform[],
  options: RunOptions,
  reread: Reread | undefined,
): readonly Outcome[] {
  if (again !== undefined) return again;
  const findings = gather(after);
  if (!tookBack || reread === undefined) return applyFindings(findings, options).outcomes;
  // What the checks took back would be found again, and taken back again.
  const texts = textsOf(plan);
  const further: Reread = (more) => reread(new Map([...texts, ...more]));
  return applyChecked(after, findings, transforms, options, further).outcomes;
}
