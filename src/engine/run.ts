import type { ConfigTree } from '../config';
import { applyFindings } from './apply';
import { type Applied, applyChecked, textsOf } from './checked';
import { treeFor } from './collect';
import { applyDual } from './dual';
import { Gatherer } from './gather';
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
  const tree = treeFor(given, options);
  const reread =
    rereadGiven && ((texts: ReadonlyMap<string, string>) => treeFor(rereadGiven(texts), options));
  const chosen = chosenOf(transforms, options);
  const gatherer = new Gatherer(transforms, chosen, options);
  const changing = new Gatherer(transforms, chosen.filter(({ advisory }) => advisory !== true), options); // prettier-ignore
  const asked: Asked = { chosen, options, reread, gatherer, changing };
  const plain = firstRun(tree, asked);
  const applied =
    options.dual === true
      ? applyDual(tree, plain, chosen, options, reread, (one) => changing.ofResult(one))
      : withoutTentative(tree, plain, asked);
  const { outcomes, plan, after } = applied;
  // What only a second run can take up, once the lines in it are settled, waits for it.
  const again = after && secondRun(after, applied, asked).filter(({ tentative }) => tentative !== true);
  const failure = rejectedLine(plan, outcomes, after) ?? (again && furtherChange(again));
  if (failure === undefined) return { tree, outcomes, plan };
  const kept = outcomes.map((one) =>
    one.status === 'applied' ? { ...one, status: 'not-applied' as const, why: failure } : one,
  );
  return { tree, outcomes: kept, plan: [], failure };
}

/** What the rules say of a tree, before anything of it is applied and before anything is said about the result. */
export function findingsOf(
  tree: ConfigTree,
  transforms: readonly Transform[],
  options: RunOptions = {},
): readonly Finding[] {
  return new Gatherer(transforms, chosenOf(transforms, options), options).findings(treeFor(tree, options));
}

function chosenOf(transforms: readonly Transform[], { rules, skip }: RunOptions): readonly Transform[] {
  return transforms.filter(({ id }) => (rules === undefined || rules.includes(id)) && !skip?.includes(id));
}

/** What is known of a tree goes with it: the second run, which knows as much of the result, needs the room. */
function firstRun(tree: ConfigTree, asked: Asked): Applied {
  return applyForResult({ ...tree }, asked);
}

/** What stays the same through a run. */
interface Asked {
  readonly chosen: readonly Transform[];
  readonly options: RunOptions;
  readonly reread: Reread | undefined;
  readonly gatherer: Gatherer;
  /** Asks only those that may have edits: all that matters where it is known what there is to say. */
  readonly changing: Gatherer;
}

function applyForResult(
  tree: ConfigTree,
  { chosen, options, reread, gatherer }: Asked,
  withheld: ReadonlyMap<Finding, string> = new Map(),
): Applied {
  return applyChecked(tree, gatherer.findings(tree), chosen, options, reread, withheld, (settled) =>
    gatherer.withResult(settled),
  );
}

/** Takes back what would only bring the next thing to change to light. */
function withoutTentative(tree: ConfigTree, plain: Applied, asked: Asked): Applied {
  const { after, findings } = plain;
  if (after === undefined || !findings.some(({ tentative }) => tentative === true)) return plain;
  const again = secondRun(after, plain, asked);
  const changing = again.filter(({ status }) => status === 'applied');
  if (changing.length === 0) return { ...plain, again };
  const open = new Set(changing.map(({ file }) => file.path));
  const tentative = findings.filter((one) => one.tentative === true);
  const beside = tentative.filter(({ file }) => open.has(file.path));
  const why = 'the lines beside it would then have to be changed in their turn: settle them first';
  // What is in one file may bring to light what is to change in another.
  for (const taken of beside.length > 0 ? [beside, tentative] : [tentative]) {
    const left = applyForResult(tree, asked, new Map(taken.map((finding) => [finding, why])));
    const rest = left.after === undefined ? [] : secondRun(left.after, left, asked);
    const settled = !rest.some((one) => one.status === 'applied' && one.tentative !== true);
    if (settled || taken === tentative) return { ...left, again: rest };
  }
  return plain;
}

/** What would become of the findings in the result, as far as they have edits. */
function secondRun(after: ConfigTree, { plan, tookBack, again }: Applied, asked: Asked): readonly Outcome[] {
  if (again !== undefined) return again;
  const { options, reread, changing } = asked;
  if (!tookBack || reread === undefined) return applyFindings(changing.ofResult(after), options).outcomes;
  // What the checks took back would be found again, and taken back again.
  const texts = textsOf(plan);
  const further: Reread = (more) => reread(new Map([...texts, ...more]));
  return applyForResult(after, { ...asked, reread: further, gatherer: changing }).outcomes;
}
