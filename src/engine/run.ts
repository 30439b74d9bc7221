import type { ConfigTree } from '../config';
import { forgetPatterns } from '../regex';
import { applyFindings } from './apply';
import { type Applied, applyChecked, textsOf } from './apply-checked';
import { treeFor } from './collect';
import { applyDual } from './dual';
import { FindingCollector } from './finding-collector';
import { type Reason, reasonText } from './reasons';
import type { Finding, Outcome, RunOptions, RunResult, Transform } from './types';
import { furtherChange, rejectedLine, type Reread } from './verify';

/**
 * The run: every transform reads the same tree, their findings' edits are applied in one place, and the result is verified. Pure: it
 * writes nothing.
 * @param rereadGiven reads the same tree with new texts, for the check that a second run changes nothing
 */
export function run(
  given: ConfigTree,
  transforms: readonly Transform[],
  options: RunOptions = {},
  rereadGiven?: Reread,
): RunResult {
  forgetPatterns();
  const tree = treeFor(given, options);
  const reread =
    rereadGiven && ((texts: ReadonlyMap<string, string>) => treeFor(rereadGiven(texts), options));
  const chosen = chosenOf(transforms, options);
  const collector = new FindingCollector(transforms, chosen, options);
  const changing = new FindingCollector(
    transforms,
    chosen.filter(({ advisory }) => advisory !== true),
    options,
  );
  const setup: RunSetup = { chosen, options, reread, collector, changing };
  const plain = firstRun(tree, setup);
  const applied =
    options.dual === true
      ? applyDual(tree, plain, chosen, options, reread, (result) => changing.ofResult(result))
      : withoutTentative(tree, plain, setup);
  const { outcomes, plan, after } = applied;
  // Tentative findings may still change the result: they wait until the lines beside them are resolved.
  const secondOutcomes =
    after && secondRun(after, applied, setup).filter(({ tentative }) => tentative !== true);
  const failure = rejectedLine(plan, outcomes, after) ?? (secondOutcomes && furtherChange(secondOutcomes));
  if (failure === undefined) return { tree, outcomes, plan };
  const why = reasonText({ kind: 'failure', failure });
  const notApplied = outcomes.map((outcome) =>
    outcome.status === 'applied' ? { ...outcome, status: 'not-applied' as const, why } : outcome,
  );
  return { tree, outcomes: notApplied, plan: [], failure };
}

/** The findings about a tree, before any is applied and without those about the result. */
export function findingsOf(
  tree: ConfigTree,
  transforms: readonly Transform[],
  options: RunOptions = {},
): readonly Finding[] {
  return new FindingCollector(transforms, chosenOf(transforms, options), options).findings(
    treeFor(tree, options),
  );
}

function chosenOf(transforms: readonly Transform[], { rules, skip }: RunOptions): readonly Transform[] {
  return transforms.filter(({ id }) => (rules === undefined || rules.includes(id)) && !skip?.includes(id));
}

/** Works on a copy of the tree, so that what is cached for it can be freed before the second run. */
function firstRun(tree: ConfigTree, setup: RunSetup): Applied {
  return applyForResult({ ...tree }, setup);
}

/** What does not change during a run. */
interface RunSetup {
  readonly chosen: readonly Transform[];
  readonly options: RunOptions;
  readonly reread: Reread | undefined;
  readonly collector: FindingCollector;
  /** Asks only the rules that may have edits: enough to find out whether a second run would change more. */
  readonly changing: FindingCollector;
}

function applyForResult(
  tree: ConfigTree,
  { chosen, options, reread, collector }: RunSetup,
  withheld: ReadonlyMap<Finding, Reason> = new Map(),
): Applied {
  return applyChecked(tree, collector.findings(tree), chosen, options, reread, withheld, (withoutResult) =>
    collector.withResult(withoutResult),
  );
}

/** Takes back tentative findings after which a second run would change more. */
function withoutTentative(tree: ConfigTree, plain: Applied, setup: RunSetup): Applied {
  const { after, findings } = plain;
  if (after === undefined || !findings.some(({ tentative }) => tentative === true)) return plain;
  const secondOutcomes = secondRun(after, plain, setup);
  const changing = secondOutcomes.filter(({ status }) => status === 'applied');
  if (changing.length === 0) return { ...plain, secondOutcomes };
  const open = new Set(changing.map(({ file }) => file.path));
  const tentative = findings.filter((finding) => finding.tentative === true);
  const beside = tentative.filter(({ file }) => open.has(file.path));
  // A change in one file may lead to a change in another.
  for (const tentativeGroup of beside.length > 0 ? [beside, tentative] : [tentative]) {
    const applied = applyForResult(
      tree,
      setup,
      new Map(tentativeGroup.map((finding) => [finding, { kind: 'unsettled' }])),
    );
    const rest = applied.after === undefined ? [] : secondRun(applied.after, applied, setup);
    const isFinal = !rest.some((outcome) => outcome.status === 'applied' && outcome.tentative !== true);
    if (isFinal || tentativeGroup === tentative) return { ...applied, secondOutcomes: rest };
  }
  return plain;
}

/** What would become of the findings in the result, as far as they have edits. */
function secondRun(
  after: ConfigTree,
  { plan, tookBack, secondOutcomes }: Applied,
  setup: RunSetup,
): readonly Outcome[] {
  if (secondOutcomes !== undefined) return secondOutcomes;
  const { options, reread, changing } = setup;
  if (!tookBack || reread === undefined) return applyFindings(changing.ofResult(after), options).outcomes;
  // The rules would report again what the checks have withdrawn, and the checks would withdraw it again.
  const texts = textsOf(plan);
  const further: Reread = (more) => reread(new Map([...texts, ...more]));
  return applyForResult(after, { ...setup, reread: further, collector: changing }).outcomes;
}
