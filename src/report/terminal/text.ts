import type { Level, Outcome, RunResult, Transform } from '../../engine/types';
import { briefMessage } from '../assumptions';
import { oneLine, plural } from '../display';
import { type MergedFinding, mergeEqualFindings, type ReportedRun } from '../order';
import { type ReportParts, partsOf } from '../parts';
import { placeText, sourceLine } from '../places';
import { isBlocker, markOf, notAppliedText } from '../state';
import { type Layout, cutLine, type Segment, wrapLines } from './layout';

/** What became of the plan: only shown, written in place, or printed as the new text. */
export type PlanStage = 'planned' | 'written' | 'converted';

export interface TextOptions extends Layout {
  readonly stage: PlanStage;
  /** `quiet` leaves out what no person needs to act on, and the closing line; `verbose` lists every finding. */
  readonly detail: 'quiet' | 'normal' | 'verbose';
  /** Leaves out what is done, assumed and worth knowing: a summary counts it. */
  readonly isSummed: boolean;
  /** What somebody can do once the questions are answered; undefined for nothing. */
  readonly next: string | undefined;
  /** The lowest level of what a person must resolve. */
  readonly failOn: Level | 'never';
  /** What explains the rules. */
  readonly transforms: readonly Pick<Transform, 'id' | 'title' | 'why'>[];
}

const GREEN = '32';
const YELLOW = '33';
const BOLD = '1';
const DIM = '2';
const LEVEL_SGR: Readonly<Record<Level, string>> = { error: '31', warning: '33', info: '36' };
const MARK_SGR: Readonly<Record<ReturnType<typeof markOf>, string>> = {
  '+': GREEN,
  '~': YELLOW,
  '!': '1;31',
  '?': '1;33',
  i: '36',
};

/** Entries for the reader to act on that are explained in full without `verbose`. */
const EXPLAINED = 3;
/** Entries of one rule that get a line of their own without `verbose`. */
const LINES_PER_RULE = 5;
const INDENT = 6;

/**
 * The report for a person: what is done, what that assumes, what is worth knowing, and last what is left to do, worst first. The last
 * line counts. A byte string.
 */
export function textReport(result: RunResult, options: TextOptions): string {
  const parts = partsOf(result, options.failOn);
  const report = new TextReport(options);
  if (options.detail !== 'quiet' && !options.isSummed) {
    report.done(parts);
    report.assumed(parts);
    report.known(parts);
  }
  report.questions(parts, result);
  if (options.detail !== 'quiet') report.plan(planLine(result, options.stage, parts.plan));
  return report.text;
}

class TextReport {
  readonly #options: TextOptions;
  readonly #rules: ReadonlyMap<string, TextOptions['transforms'][number]>;
  text = '';

  constructor(options: TextOptions) {
    this.#options = options;
    this.#rules = new Map(options.transforms.map((transform) => [transform.id, transform]));
  }

  plan(text: string): void {
    this.#paragraph([{ text, sgr: BOLD }]);
  }

  #line(segments: readonly Segment[]): void {
    this.text += `${cutLine(segments, this.#options)}\n`;
  }

  #paragraph(segments: readonly Segment[], hang = INDENT): void {
    this.text += `${wrapLines(segments, hang, this.#options)}\n`;
  }

  get #isVerbose(): boolean {
    return this.#options.detail === 'verbose';
  }

  #heading(text: string, remark = ''): void {
    this.#line([{ text, sgr: BOLD }, ...(remark === '' ? [] : [{ text: ` (${remark})`, sgr: DIM }])]);
  }

  done({ done }: ReportParts): void {
    if (done.length === 0) return;
    this.#heading('Done', this.#options.stage === 'planned' ? 'in the diff; nothing is written yet' : '');
    const width = Math.max(...done.map(({ rule }) => oneLine(rule).length));
    for (const { rule, changes, files, assumed, strict, outcomes } of done) {
      const kinds = [
        { count: changes - assumed - strict, kind: 'exact' },
        { count: assumed, kind: 'assumed' },
        { count: strict, kind: 'strict' },
      ].filter(({ count }) => count > 0);
      const mark = assumed + strict === 0 ? '+' : '~';
      const how =
        kinds.length === 1 ? kinds[0]!.kind : kinds.map(({ count, kind }) => `${count} ${kind}`).join(', ');
      this.#line([
        { text: `  ${mark} `, sgr: MARK_SGR[mark] },
        { text: oneLine(rule).padEnd(width) },
        { text: `  ${plural(changes, 'change')} in ${plural(files, 'file')}, ${how}` },
        { text: this.#titleOf(rule), sgr: DIM },
      ]);
      if (this.#isVerbose)
        for (const finding of mergeEqualFindings(outcomes))
          this.#paragraph(entry(finding, INDENT), INDENT + 2);
    }
  }

  #titleOf(rule: string): string {
    const title = this.#rules.get(rule)?.title;
    return title === undefined ? '' : `  ${oneLine(title)}`;
  }

  assumed({ assumptions, assumed }: ReportParts): void {
    if (assumptions.length + assumed.length === 0) return;
    this.#heading('Assumed', 'right if this is true');
    for (const { key, text, remedy, findings } of assumptions)
      this.#paragraph([
        { text: '  ~ ', sgr: YELLOW },
        { text: oneLine(text) },
        {
          text: oneLine(
            ` (${plural(findings, 'change')}${remedy === undefined ? '' : `; ${remedy}`}) [${key}]`,
          ),
          sgr: DIM,
        },
      ]);
    for (const finding of assumed)
      if (this.#isVerbose) this.#paragraph(entry(finding));
      else this.#line(brief(finding));
  }

  known({ known }: ReportParts): void {
    if (known.length === 0) return;
    this.#heading('Worth knowing', this.#isVerbose ? '' : '-v prints all of it');
    for (const { rule, findings } of known) {
      const [first] = findings;
      if (this.#isVerbose) for (const finding of findings) this.#paragraph(entry(finding));
      else if (findings.length === 1) this.#line(brief(first!));
      else {
        const count = findings.reduce((sum, finding) => sum + finding.count, 0);
        this.#line([
          { text: '  i ', sgr: MARK_SGR.i },
          { text: this.#titleOf(rule).trim() || 'several kinds' },
          {
            text: ` (${placeOf(first!.outcome)} and ${plural(count - 1, 'more place')}) [${oneLine(rule)}]`,
            sgr: DIM,
          },
        ]);
      }
    }
  }

  /** Also places outside of the paths given that may hold more: nobody has looked there. */
  questions({ questions, plan, done }: ReportParts, { tree }: RunResult): void {
    const { detail, next: given } = this.#options;
    const next = done.length > 0 ? given : undefined;
    if (questions.length + tree.unvisited.length === 0 && (next === undefined || detail === 'quiet')) return;
    if (detail !== 'quiet')
      this.#heading('For you to do', plan.blockers.length > 0 ? '! first: 2.4 may not start, or who gets in may change' : ''); // prettier-ignore
    this.#listQuestions(questions);
    for (const { name, message } of tree.unvisited)
      this.#line([{ text: '  ? ', sgr: MARK_SGR['?'] }, { text: oneLine(`${name}: ${message}`) }]);
    if (next !== undefined && detail !== 'quiet') 
      this.#paragraph([{ text: `  > ${plan.blockers.length > 0 ? 'resolve what is marked !, then ' : ''}${next}` }], 4); // prettier-ignore
  }

  #listQuestions(questions: readonly MergedFinding[]): void {
    const count = this.#isVerbose ? questions.length : EXPLAINED;
    const explained = new Set<string>();
    for (const finding of questions.slice(0, count)) {
      const { rule } = finding.outcome;
      this.#paragraph(entry(finding));
      this.#explanation(finding, explained.has(rule));
      explained.add(rule);
    }
    const others = new Map<string, MergedFinding[]>();
    for (const finding of questions.slice(count)) {
      const { rule, level } = finding.outcome;
      const key = `${markOf(finding.outcome)}${level} ${rule}`;
      others.set(key, [...(others.get(key) ?? []), finding]);
    }
    for (const findings of others.values()) {
      for (const finding of findings.slice(0, LINES_PER_RULE)) this.#line(entry(finding));
      const [first, ...more] = findings.slice(LINES_PER_RULE);
      if (first !== undefined) this.#remainder(first, more);
    }
  }

  #remainder({ outcome }: MergedFinding, more: readonly MergedFinding[]): void {
    const shown = more.slice(0, LINES_PER_RULE - 1);
    const places = [outcome, ...shown.map((finding) => finding.outcome)].map(placeOf);
    const mark = markOf(outcome);
    this.#line([
      { text: `  ${mark} `, sgr: MARK_SGR[mark] },
      { text: `${more.length + 1} more of [${oneLine(outcome.rule)}], -v lists them: ${places.join(', ')}` },
      { text: more.length > shown.length ? ' ...' : '' },
    ]);
  }

  /** The line as it stands, what changed between the versions, the commands that help, and the page of the rule. */
  #explanation({ outcome }: MergedFinding, isKnown: boolean): void {
    const { commands = [], rule, trouble } = outcome;
    const source = sourceLine(outcome);
    const indent = ' '.repeat(INDENT);
    if (source !== undefined)
      this.#line([
        { text: `${indent}${source.line} > `, sgr: DIM },
        { text: oneLine(source.text), sgr: BOLD },
      ]);
    if (commands.length > 0) this.#line([{ text: `${indent}run: the script that --format sh prints` }]);
    const transform = this.#rules.get(rule);
    if (isKnown || transform === undefined || trouble !== undefined) return;
    this.#paragraph([{ text: `${indent}why: ${oneLine(transform.why)}` }], INDENT + 5);
    this.#line([{ text: `${indent}page: docs/rules/${rule}.md`, sgr: DIM }]);
  }
}

/** For instance `  ! a.conf:3:1: error: message (also: lines 5 and 9) [rule]`. */
function entry(finding: MergedFinding, indent = 2): Segment[] {
  const { outcome, otherPlaces } = finding;
  const { level } = outcome;
  const mark = markOf(outcome);
  const isOpen = mark === '!' || mark === '?' || outcome.safety === 'strict';
  return [
    { text: `${' '.repeat(indent)}${mark} `, sgr: MARK_SGR[mark] },
    { text: `${placeOf(outcome)}:`, sgr: BOLD },
    ...(isOpen
      ? [{ text: ' ' }, { text: `${level}:`, sgr: isBlocker(outcome) ? '31' : LEVEL_SGR[level] }]
      : []),
    { text: ` ${oneLine(briefMessage(outcome) + notAppliedText(outcome))}` },
    { text: otherPlaces === '' ? '' : ` (also: ${oneLine(otherPlaces)})` },
    {
      text: ` [${oneLine(outcome.rule)}${outcome.fingerprint === undefined || mark === '+' ? '' : ` ${outcome.fingerprint}`}]`,
      sgr: DIM,
    },
  ];
}

/** The same with the place behind the message: in a narrow terminal, the message counts. */
function brief({ outcome, otherPlaces }: MergedFinding): Segment[] {
  const mark = markOf(outcome);
  const also = otherPlaces === '' ? '' : `, also: ${oneLine(otherPlaces)}`;
  return [
    { text: `  ${mark} `, sgr: MARK_SGR[mark] },
    { text: oneLine(briefMessage(outcome) + notAppliedText(outcome)) },
    { text: ` (${placeOf(outcome)}${also}) [${oneLine(outcome.rule)}]`, sgr: DIM },
  ];
}

function placeOf({ file, at }: Outcome): string {
  const { line, column } = file.document.positionAt(at);
  return `${oneLine(file.name)}:${line}:${column}`;
}

const STAGES: Readonly<Record<PlanStage, string>> = {
  planned: 'Plan',
  written: 'Written',
  converted: 'Converted',
};

/** For instance `Plan: 412 changes in 37 files, 3 to review, 1 blocker (conf.d/x.conf:14)`. */
export function planLine(result: ReportedRun, stage: PlanStage, plan = partsOf(result).plan): string {
  const { tree } = result;
  const { changes, files, toReview, blockers } = plan;
  const what =
    files === 0
      ? `no changes in ${plural(tree.files.length, 'file')}`
      : `${plural(changes, 'change')} in ${plural(files, 'file')}`;
  const places = blockers.slice(0, 2).map(({ outcome }) => oneLine(placeText(outcome)));
  const more = blockers.length > 2 ? `, ${blockers.length - 2} more` : '';
  const where = blockers.length === 0 ? '' : ` (${places.join(', ')}${more})`;
  return `${STAGES[stage]}: ${what}, ${toReview} to review, ${plural(blockers.length, 'blocker')}${where}`;
}
