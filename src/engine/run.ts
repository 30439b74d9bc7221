import {
  type ConfigTree,
  type Reread,
  type RereadableTree,
  type ShutFile,
  SourceError,
  serverStateOf,
} from '../config';
import { forgetPatterns } from '../regex';
import { applyFindings, type Reason, reasonText } from './apply';
import { type Applied, applyChecked, textsOf } from './apply-checked';
import { checkRunOptions } from './check-options';
import { treeFor, FindingCollector } from './collect';
import { applyDual } from './dual';
import { EqualTrees } from './equal-trees';
import { answerAt, filesLeftAlone, keeperOf, withDecisions } from './wanted';
import { filesThatUnsettle, oldLinesIn } from './old-lines';
import { withoutOwnBlocks } from './own-blocks';
import { pursued } from './pursue';
import { once } from '../maps';
import type { AttemptOptions, Finding, OldLines, Outcome, RunOptions, RunResult, Transform } from './types';
import { Vetoes } from './vetoes';
import { furtherChange, rejectedLine, type ResultFlaw } from './verify';

/**
 * The run: every transform reads the same tree, their findings' edits are applied in one place, and the result is verified. Pure:
 * it writes nothing.
 * @throws OptionError for options that name what is not there, or are of the wrong kind
 */
export function run(
  given: RereadableTree,
  transforms: readonly Transform[],
  options: RunOptions = {},
): RunResult {
  checkRunOptions(options, transforms);
  const runWith = (over: RereadableTree): RunResult => runWhole(over, transforms, options);
  const result = runWith(given);
  return options.dual === true ? withoutOwnBlocks(result, given, runWith) : result;
}

function runWhole(given: RereadableTree, transforms: readonly Transform[], options: RunOptions): RunResult {
  const equal = EqualTrees.of(given.tree, options);
  // What is found in some of the files says nothing of the others yet.
  const { onFound: _, ...untold } = options;
  const ofAll = equal?.withAll(runOver(equal.ends(given), transforms, untold), given.tree);
  const result = withOtherNames(ofAll ?? runOver(given, transforms, options), transforms, options);
  return withDecisions(result, transforms, options);
}

function withOtherNames(result: RunResult, transforms: readonly Transform[], options: RunOptions): RunResult {
  const findings = new FindingCollector(transforms, [], options).ofPlan(result.plan);
  if (findings.length === 0) return result;
  return { ...result, outcomes: [...result.outcomes, ...applyFindings(findings, options).outcomes] };
}

function runOver(
  { tree: given, reread: rereadGiven }: RereadableTree,
  transforms: readonly Transform[],
  options: RunOptions,
): RunResult {
  forgetPatterns();
  const keeps = keeperOf(options);
  const shut = new Map<string, ShutFile>();
  const read = (found: ConfigTree): ConfigTree => ({
    ...treeFor(found, options),
    keeps,
    shuts: ({ path }) => shut.get(path),
    cannotWrite: ({ path }) => options.unwritable?.has(path) === true,
    targetModules: options.targetModules,
    chosen: (key, paths) => answerAt(key, paths, options.answers ?? []),
  });
  const tree = read(given);
  const reread = rereadFor(rereadGiven, read);
  const chosen = chosenOf(transforms, options);
  const tellFound = once((findings: readonly Finding[]) => {
    if (options.onFound === undefined) return;
    const { outcomes } = applyFindings(findings, options);
    options.onFound(withDecisions({ tree, outcomes, plan: [] }, transforms, options));
  });
  const setupFor = (attemptOptions: AttemptOptions): RunSetup => ({
    checking: transforms.filter((each) => each.checkOthers !== undefined || chosen.includes(each)),
    options: attemptOptions,
    reread,
    tellFound,
    collector: new FindingCollector(transforms, chosen, attemptOptions),
    changing: new FindingCollector(transforms, chosen.flatMap(partThatEdits), attemptOptions),
  });
  const vetoes = new Vetoes(tree, shut);
  let first: Attempt;
  let settled: Attempt;
  for (;;) {
    const attemptOptions = vetoes.addTo(options);
    const setup = setupFor(attemptOptions);
    let plain = firstRun(tree, setup);
    // What waits for the lines beside it would hide what the checks have found of single files.
    if (vetoes.refusesWithdrawn(plain)) continue;
    if (plain.after !== undefined) {
      const secondOutcomes = secondRun(plain.after, plain, setup);
      const withdrawals = [filesThatUnsettle(plain.after, secondOutcomes)];
      plain = { ...plain, secondOutcomes, withdrawals };
      if (vetoes.refusesWithdrawn(plain)) continue;
    }
    first = attempt(tree, setup, plain);
    settled = comesToRest(first) ? first : settle(tree, first, attemptOptions, setupFor);
    if (!vetoes.refusesWithdrawn(first) && !vetoes.refuses(tree, settled)) break;
  }
  const { outcomes, plan, after } = settled;
  const trouble = outcomes.find((outcome) => outcome.trouble !== undefined);
  const isTakenBack = outcomes.some(({ why }) => why === NOT_FINAL);
  const failure =
    (isTakenBack ? first.flaw?.text : undefined) ?? (trouble && `${trouble.rule}: ${trouble.message}`);
  const leftAlone = filesLeftAlone(tree.files, options);
  const state = serverStateOf(tree);
  const { rules, skip = [] } = options;
  return {
    tree,
    ...(state && { state }),
    outcomes,
    plan,
    oldLines: oldLinesLeft(plan.length === 0 ? tree : after),
    leftAlone,
    ...((rules !== undefined || skip.length > 0) && { asked: { ...(rules && { rules }), skip } }),
    ...(failure !== undefined && { failure }),
  };
}

function oldLinesLeft(result: ConfigTree | undefined): OldLines {
  return result === undefined ? {} : oldLinesIn(result);
}

/** Reads a result; undefined where nothing in it looks like configuration any more, so that there is nothing to look at. */
function rereadFor(rereadGiven: Reread, read: (tree: ConfigTree) => ConfigTree): Reread {
  return (texts) => {
    try {
      const tree = rereadGiven(texts);
      return tree && read(tree);
    } catch (error) {
      if (error instanceof SourceError && error.code === 'ENOCONFIG') return undefined;
      throw error;
    }
  };
}

/** A run, and what is wrong with its result. */
interface Attempt extends Applied {
  readonly flaw?: ResultFlaw | undefined;
  /** Whether a second run would apply tentative findings: the lines beside them are resolved in the result. */
  readonly isReady?: boolean;
}

function attempt(tree: ConfigTree, setup: RunSetup, plain = firstRun(tree, setup)): Attempt {
  const { checking, options, reread, changing } = setup;
  const applied =
    options.dual === true
      ? applyDual(tree, plain, checking, options, reread, (result) => changing.ofResult(result))
      : withoutTentative(tree, plain, setup);
  const { outcomes, plan, after } = applied;
  const all = after && secondRun(after, applied, setup);
  // Tentative findings may still change the result: they wait until the lines beside them are resolved.
  const secondOutcomes = all?.filter(({ tentative }) => tentative !== true);
  const flaw = rejectedLine(plan, outcomes, after) ?? (secondOutcomes && furtherChange(secondOutcomes));
  const isReady = all?.some(({ tentative, status }) => tentative === true && status === 'applied') === true;
  return { ...applied, flaw, isReady };
}

const NOT_FINAL = reasonText({ kind: 'not-final' });
const UNSETTLED = reasonText({ kind: 'unsettled' });

/** Whether a result is final, and nothing waits for a further run. */
function comesToRest({ flaw, isReady, plan, outcomes }: Attempt): boolean {
  if (flaw !== undefined) return false;
  return plan.length === 0 || (isReady !== true && !outcomes.some(({ why }) => why === UNSETTLED));
}

/** Bytes of configuration up to which the rules of a file are left out one after the other. */
const MAX_SEARCHED = 500_000;

/**
 * Runs over the result until it is final. Where it never is, takes edits back: those of one rule in the files concerned, if that
 * helps; else those of all rules there, of more and more files.
 */
function settle(
  tree: ConfigTree,
  failed: Attempt,
  options: AttemptOptions,
  setupFor: (options: AttemptOptions) => RunSetup,
): Attempt {
  const whole = pursued(tree, failed, (result, after) => {
    const next = attempt(after, setupAfter(result, setupFor(options)));
    return isRejected(next) ? undefined : next;
  });
  if (whole !== undefined && !isRejected(failed)) return withAdvice(tree, whole, setupFor(options));
  if (failed.flaw === undefined) return failed;
  const paths = new Set<string>();
  let last = failed;
  const without = (holds: (finding: Finding) => boolean): Attempt =>
    attempt(tree, setupFor({ ...options, holds }));
  const bytes = tree.files.reduce((sum, { document }) => sum + document.text.length, 0);
  for (let { flaw } = failed; flaw !== undefined; { flaw } = last) {
    const before = paths.size;
    for (const path of flaw.paths) paths.add(path);
    if (paths.size === before) break;
    if (before === 0 && bytes <= MAX_SEARCHED)
      for (const rule of rulesIn(failed, paths)) {
        const found = without((finding) => finding.rule === rule && paths.has(finding.file.path));
        if (found.flaw === undefined && isFinalWithout(found, rule, setupFor(options))) return found;
      }
    last = without(({ file }) => paths.has(file.path));
    if (last.flaw === undefined) return last;
  }
  return without(() => true);
}

/** Says of what several runs have made together what rules say of it beside the first tree, in place of each run's. */
function withAdvice(tree: ConfigTree, whole: Attempt, { collector, options }: RunSetup): Attempt {
  const outcomes = whole.outcomes.filter(({ isAdvice }) => isAdvice !== true);
  const advice = collector.adviceOnWhole({ ...whole, tree, outcomes });
  return { ...whole, outcomes: [...outcomes, ...applyFindings(advice, options).outcomes] };
}

/** Whether a run over the result that holds nothing back changes nothing, or only what one rule would, and fails again. */
function isFinalWithout(found: Attempt, rule: string, setup: RunSetup): boolean {
  if (found.after === undefined) return true;
  const again = attempt(found.after, setupAfter(found, setup));
  const applied = again.outcomes.filter(({ status }) => status === 'applied');
  return (
    applied.length === 0 || (again.flaw !== undefined && applied.every((outcome) => outcome.rule === rule))
  );
}

/** The setup for a run over a result: what it reads again has the texts of that result, too. */
function setupAfter({ plan }: Attempt, setup: RunSetup): RunSetup {
  const { reread } = setup;
  const texts = textsOf(plan);
  return { ...setup, reread: (more) => reread(new Map([...texts, ...more])) };
}

/** Whether the result has a line that httpd rejects. */
function isRejected({ flaw }: Attempt): boolean {
  return flaw?.kind === 'rejected';
}

/** The rules with edits in these files, those with the fewest first. */
function rulesIn({ outcomes }: Attempt, paths: ReadonlySet<string>): readonly string[] {
  const counts = new Map<string, number>();
  for (const { status, file, rule } of outcomes)
    if (status === 'applied' && paths.has(file.path)) counts.set(rule, (counts.get(rule) ?? 0) + 1);
  return [...counts].sort(([, a], [, b]) => a - b).map(([rule]) => rule);
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

/** What of a rule a second run asks: none if it never has edits. */
function partThatEdits(transform: Transform): readonly Transform[] {
  const { advisory, advisoryOnResult, runOnResult, ...others } = transform;
  if (advisory === true) return [];
  return [advisoryOnResult === true || runOnResult === undefined ? others : { ...others, runOnResult }];
}

function chosenOf(transforms: readonly Transform[], { rules, skip }: RunOptions): readonly Transform[] {
  return transforms.filter(({ id }) => (rules === undefined || rules.includes(id)) && !skip?.includes(id));
}

/** Works on a copy of the tree, so that what is cached for it can be freed before the second run. */
function firstRun(tree: ConfigTree, setup: RunSetup): Applied {
  const applied = applyForResult({ ...tree }, setup);
  // The result for 2.4 alone would stay in memory beside the one for both versions.
  return setup.options.dual === true ? { ...applied, after: undefined } : applied;
}

/** What does not change during a run. */
interface RunSetup {
  /** The rules that are asked, with those that check what others change. */
  readonly checking: readonly Transform[];
  readonly options: AttemptOptions;
  readonly reread: Reread;
  readonly collector: FindingCollector;
  /** Asks only the rules that may have edits: enough to find out whether a second run would change more. */
  readonly changing: FindingCollector;
  /** To be told what was found before it is checked: of several the first. */
  readonly tellFound: (findings: readonly Finding[]) => void;
}

function applyForResult(
  tree: ConfigTree,
  { checking: transforms, options, reread, collector, tellFound }: RunSetup,
  withheld: ReadonlyMap<Finding, Reason> = new Map(),
): Applied {
  const findings = collector.findings(tree);
  tellFound(findings);
  return applyChecked(tree, findings, { transforms, options, reread, collector }, withheld);
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
    const isDone = !rest.some((outcome) => outcome.status === 'applied' && outcome.tentative !== true);
    if (isDone || tentativeGroup === tentative) return { ...applied, secondOutcomes: rest };
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
  if (!tookBack) {
    const { outcomes } = applyFindings(changing.ofResult(after), options);
    if (!outcomes.some(({ status }) => status === 'applied')) return outcomes;
  }
  // The checks would withdraw again what they have withdrawn, and may withdraw what is new.
  const texts = textsOf(plan);
  const further: Reread = (more) => reread(new Map([...texts, ...more]));
  return applyForResult(after, { ...setup, reread: further, collector: changing }).outcomes;
}
