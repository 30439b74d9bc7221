import type { ConfigTree } from '../config';
import { applyFindings } from './apply';
import { collectFindings } from './collect';
import { withAnswers } from './wanted/decisions';
import { markIgnored } from './wanted/ignore';
import { problemFinding, unreachedFinding, unreadFinding } from './problems';
import { collectFromResult, type AppliedTree } from './result';
import type { Finding, AttemptOptions, Transform } from './types';

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
    this.#rules = new Set(['include', 'syntax', 'ignore', ...transforms.map(({ id }) => id)]);
    this.#complete = chosen.length === transforms.length;
  }

  /** The findings about a tree, without those about its result. */
  findings(tree: ConfigTree): readonly Finding[] {
    return this.#mark(tree, this.#treeFindings(tree));
  }

  /** The same with the findings about its result; undefined if there are none. */
  withResult(applied: AppliedTree): readonly Finding[] | undefined {
    const resultFindings = this.#levelled(collectFromResult(applied, this.#chosen, this.#all, this.#options));
    if (resultFindings.length === 0) return undefined;
    return this.#mark(applied.tree, [...this.#treeFindings(applied.tree), ...resultFindings]);
  }

  /** All findings about a tree that is a result itself. If any of them would change it again, those about its own result are left out. */
  ofResult(tree: ConfigTree): readonly Finding[] {
    const findings = this.findings(tree);
    const { outcomes } = applyFindings(findings, this.#options);
    if (outcomes.some(({ status }) => status === 'applied')) return findings;
    return this.withResult({ tree, outcomes, plan: [], after: undefined }) ?? findings;
  }

  readonly #found = new WeakMap<ConfigTree, readonly Finding[]>();

  #treeFindings(tree: ConfigTree): readonly Finding[] {
    let found = this.#found.get(tree);
    if (found === undefined) {
      found = this.#levelled([
        ...tree.problems.filter(({ code }) => code !== 'include-optional-missing').map(problemFinding),
        ...tree.unreached.map(unreachedFinding),
        ...unreadFindings(tree),
        ...collectFindings(tree, this.#chosen, this.#options),
      ]);
      this.#found.set(tree, found);
    }
    return found;
  }

  #levelled(found: readonly Finding[]): readonly Finding[] {
    const { levels, answers } = this.#options;
    const findings = withAnswers(found, answers);
    if (levels === undefined) return findings;
    // Who is refused from now on is always an error.
    return findings.map((finding) =>
      finding.safety === 'strict' ? finding : { ...finding, level: levels[finding.rule] ?? finding.level },
    );
  }

  #mark(tree: ConfigTree, findings: readonly Finding[]): readonly Finding[] {
    const { leaveAlone } = this.#options;
    return markIgnored(tree.files, findings, { rules: this.#rules, leaveAlone, complete: this.#complete });
  }
}

function unreadFindings({ unread, unreadable }: ConfigTree): readonly Finding[] {
  return unread.map((file) =>
    unreadFinding(file, unreadable.find(({ path }) => path === file.path)?.message ?? 'not read'),
  );
}
