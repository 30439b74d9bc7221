import type { ConfigTree } from '../../config';
import { applyFindings } from '../apply';
import { collectFindings } from './collect';
import { withAnswers, markIgnored } from '../wanted';
import {
  CHECK_IDS,
  otherNamesFindings,
  problemFindings,
  unreachedFinding,
  unreadFinding,
  unusedFindings,
  unwritableFinding,
} from './problems';
import { collectFromResult, type AppliedTree } from './result';
import type { Change, Finding, AttemptOptions, RunOptions, Transform } from '../types';
import { memo } from '../../maps';

/** Collects the findings of one run, with the levels that the user set, and marks those that the user asked to ignore. */
export class FindingCollector {
  readonly #all: readonly Transform[];
  readonly #chosen: readonly Transform[];
  readonly #options: AttemptOptions;
  readonly #rules: ReadonlySet<string>;
  readonly #complete: boolean;

  /** @param chosen those of `transforms` that this run asks */
  constructor(transforms: readonly Transform[], chosen: readonly Transform[], options: AttemptOptions) {
    this.#all = transforms;
    this.#chosen = chosen;
    this.#options = options;
    this.#rules = new Set([...CHECK_IDS, ...transforms.map(({ id }) => id)]);
    this.#complete = chosen.length === transforms.length;
  }

  /** The findings about a tree, without those about its result. */
  findings(tree: ConfigTree): readonly Finding[] {
    return this.#mark(tree, this.#treeFindings(tree));
  }

  /** The findings of the rules that edit what follows from the result. */
  editsOnResult(applied: AppliedTree): readonly Finding[] {
    return this.#fromResult(applied, this.#chosen.filter(editsOnResult));
  }

  /** Findings of the rules that only look at the result, which has the edits of the others. */
  adviceOnResult(applied: AppliedTree): readonly Finding[] {
    return this.#fromResult(
      applied,
      this.#chosen.filter((transform) => !editsOnResult(transform)),
    );
  }

  /** The findings about a tree with those about its result, in the order of the rules. */
  withResult(tree: ConfigTree, ofResult: readonly Finding[]): readonly Finding[] {
    const places = new Map(this.#chosen.map(({ id }, i) => [id, i]));
    const inOrder = [...ofResult].sort((a, b) => places.get(a.rule)! - places.get(b.rule)!);
    return this.#mark(tree, [...this.#treeFindings(tree), ...inOrder]);
  }

  /** What the rules say of a result that several runs have made, of which each knew only what it made itself: without edits. */
  adviceOnWhole(applied: AppliedTree): readonly Finding[] {
    const found = this.#fromResult(applied, this.#chosen).filter(({ isAdvice }) => isAdvice === true);
    return this.#mark(applied.tree, found);
  }

  /** All findings about a result. If any of them would change it again, those about its own result are left out. */
  ofResult(tree: ConfigTree): readonly Finding[] {
    const findings = this.findings(tree);
    const { outcomes } = applyFindings(findings, this.#options);
    if (outcomes.some(({ status }) => status === 'applied')) return findings;
    const applied = { tree, outcomes, plan: [], after: undefined };
    const ofResult = [...this.editsOnResult(applied), ...this.adviceOnResult(applied)];
    return ofResult.length === 0 ? findings : this.withResult(tree, ofResult);
  }

  #fromResult(applied: AppliedTree, transforms: readonly Transform[]): readonly Finding[] {
    return this.#levelled(collectFromResult(applied, transforms, this.#all, this.#options));
  }

  /** What the changed files themselves say of the plan as a whole. */
  ofPlan(plan: readonly Change[]): readonly Finding[] {
    return this.#levelled(otherNamesFindings(plan));
  }

  readonly #treeFindings = memo((tree: ConfigTree): readonly Finding[] =>
    this.#levelled([
      ...problemFindings(tree),
      ...tree.unreached.map(unreachedFinding),
      ...unusedFindings(tree),
      ...unreadFindings(tree),
      ...unwritableFindings(tree, this.#options),
      ...collectFindings(tree, this.#chosen, this.#options),
    ]),
  );

  #levelled(found: readonly Finding[]): readonly Finding[] {
    const { levels, answers } = this.#options;
    if (levels === undefined) return withAnswers(found, answers);
    // Who is refused from now on is always an error.
    const findings = found.map((finding) =>
      finding.safety === 'strict' ? finding : { ...finding, level: levels[finding.rule] ?? finding.level },
    );
    return withAnswers(findings, answers);
  }

  #mark(tree: ConfigTree, findings: readonly Finding[]): readonly Finding[] {
    const { leaveAlone, honours } = this.#options;
    const complete = this.#complete;
    return markIgnored(tree.files, findings, { rules: this.#rules, leaveAlone, honours, complete });
  }
}

function editsOnResult({ advisory, advisoryOnResult, runOnResult }: Transform): boolean {
  return runOnResult !== undefined && (advisoryOnResult ?? advisory) !== true;
}

function unwritableFindings({ files }: ConfigTree, { unwritable }: RunOptions): readonly Finding[] {
  if (unwritable === undefined || unwritable.size === 0) return [];
  return files.flatMap((file) => {
    const why = unwritable.get(file.path);
    return why === undefined ? [] : [unwritableFinding(file, why)];
  });
}

function unreadFindings({ unread, unreadable }: ConfigTree): readonly Finding[] {
  const messages = new Map([...unreadable].reverse().map(({ path, message }) => [path, message]));
  return unread.map((file) => unreadFinding(file, messages.get(file.path) ?? 'not read'));
}
