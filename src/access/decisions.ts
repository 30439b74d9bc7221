import { appendAll } from '../syntax';
import type { Answer } from '../config';
import type { Edit } from '../edit';
import { decideGroup } from './decide';
import type { Scope } from './policy';
import { EMPTY_SET } from './primitives';
import { Findings, type GivenGroup, type RewrittenScope, reportConversions, reportRefusals } from './report';

/** Sections of which some are as they are today, and some as they were written, stand or fall together. */
const MIXED_GROUP = 'access:mixed';

/** What is decided of the sections of a run, as it grows, and what is said of that. */
export class Decisions {
  readonly findings = new Findings();
  /** By the `order` of a section: its edits, undefined where it was refused. */
  readonly edits = new Map<number, readonly Edit[] | undefined>();
  readonly rewritten: RewrittenScope[] = [];
  /** Sections that let nobody in from now on. */
  readonly denied: Scope[] = [];
  /** Sections that no server reads, and that cannot be converted as what they would be if one did. */
  readonly notInContext: Scope[] = [];
  /** Sections of refused groups whose lines for 2.4 do not answer as those for 2.2, or may not. */
  readonly unlike: Scope[] = [];

  constructor(
    /** Sections that meet no others: both versions answer 500 where they are read. */
    readonly refused: ReadonlySet<Scope> = EMPTY_SET,
  ) {}

  decide(given: GivenGroup): void {
    const outcome = decideGroup(given);
    for (const remark of outcome.remarks) this.findings.add(remark);
    for (const [order, list] of outcome.decided) this.edits.set(order, list);
    appendAll(this.notInContext, outcome.notInContext);
    appendAll(this.unlike, outcome.unlike);
    appendAll(this.denied, outcome.denied);
    reportRefusals(outcome, this.findings);
    for (const conversion of reportConversions(outcome, this.findings)) this.rewritten.push(conversion);
  }

  /** The edits of a section in the file that it stands in; undefined where it was refused. */
  editsIn({ order, file }: Scope): readonly Edit[] | undefined {
    if (this.edits.get(order) === undefined) return undefined;
    const ofSection = this.rewritten.filter((each) => each.scope.order === order && each.file === file);
    return ofSection.flatMap(({ edits }) => edits);
  }

  /** Adds what has been decided apart from these, with the answers that it rests on. */
  add(
    { findings, edits, rewritten, notInContext, unlike, denied }: Decisions,
    answers: readonly Answer[],
  ): void {
    for (const finding of findings.list)
      this.findings.add(
        finding.edits.length === 0 || answers.length === 0 ? finding : { ...finding, answers },
      );
    for (const each of rewritten) this.rewritten.push({ ...each, group: findings.groupOf(each.group) });
    for (const [order, list] of edits) this.edits.set(order, list);
    appendAll(this.notInContext, notInContext);
    appendAll(this.unlike, unlike);
    appendAll(this.denied, denied);
  }

  /**
   * Joins two decisions about the same sections, with that which is wanted for each section: all edits in one group.
   * @param wanted those of `then`, by `order`; all others are of `now`
   */
  static mixed(now: Decisions, then: Decisions, wanted: ReadonlySet<number>): Decisions {
    const result = new Decisions();
    for (const from of [now, then]) {
      const isOurs = (order: number): boolean => wanted.has(order) === (from === then);
      for (const [order, edits] of from.edits) if (isOurs(order)) result.edits.set(order, edits);
      const denied = from.denied.filter(({ order }) => isOurs(order));
      appendAll(result.denied, denied);
      const theirs = from.rewritten.filter(({ scope }) => !isOurs(scope.order));
      for (const rewritten of from.rewritten)
        if (isOurs(rewritten.scope.order)) result.rewritten.push({ ...rewritten, group: MIXED_GROUP });
      for (const finding of from.findings.list) {
        const isTheirs = theirs.some(
          ({ file, edits }) =>
            file === finding.file && finding.edits.some(({ start }) => start === edits[0]?.start),
        );
        if (!isTheirs)
          result.findings.add(finding.edits.length === 0 ? finding : { ...finding, group: MIXED_GROUP });
      }
    }
    return result;
  }
}
