import type { Level, Outcome, RunResult, Transform } from '../../engine/types';
import {
  briefMessage,
  type MergedFinding,
  mergeEqualFindings,
  type ReportedRun,
  type ReportParts,
  partsOf,
  placeText,
  sourceLine,
  isBlocker,
  markOf,
  notAppliedText,
} from '../content';
import { oneLine, plural } from '../encoding';
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
  '>': '36',
  i: '36',
};

/** States that change nothing of what a run is for. */
const PLAIN: ReadonlySet<string> = new Set<NonNullable<RunResult['state']>['kind']>(['2.2', '2.4', 'part']);

/** Entries for the reader to act on that are explained in full without `verbose`. */
const EXPLAINED = 3;
/** Entries of one rule that get a line of their own without `verbose`. */
const LINES_PER_RULE = 5;
const INDENT = 6;

/** How much of it is printed, as numbers of entries. */
interface Limits {
  readonly done: number;
  readonly assumed: number;
  readonly known: number;
  /** An assumption may take several lines. */
  readonly isWrapped: boolean;
  /** Why 2.4 needs what is left to do. */
  readonly isReasoned: boolean;
}

/** Lines of a screen, for all that is no question. */
const SCREEN = 40;
const ALL: Limits = { done: Infinity, assumed: Infinity, known: Infinity, isWrapped: true, isReasoned: true };
/** What is left out first where a screen cannot hold all. */
const SHORTER: readonly Limits[] = [
  { ...ALL, known: 6 },
  { ...ALL, known: 3 },
  { ...ALL, known: 3, isWrapped: false },
  { ...ALL, known: 3, isWrapped: false, isReasoned: false },
  { done: 8, assumed: 8, known: 3, isWrapped: false, isReasoned: false },
  { done: 5, assumed: 5, known: 2, isWrapped: false, isReasoned: false },
];

/**
 * The report for a person: what is done, what that assumes, what is worth knowing, and last what is left to do, worst first. The last
 * line counts. A byte string.
 */
export function textReport(result: RunResult, options: TextOptions): string {
  const parts = partsOf(result, options.failOn);
  let text = new TextReport(options, ALL).print(parts, result);
  if (options.detail === 'verbose') return text;
  const most = SCREEN + parts.questions.length + result.tree.unvisited.length;
  for (const limits of SHORTER) {
    if (text.split('\n').length - 1 <= most) break;
    text = new TextReport(options, limits).print(parts, result);
  }
  return text;
}

class TextReport {
  readonly #options: TextOptions;
  readonly #limits: Limits;
  readonly #rules: ReadonlyMap<string, TextOptions['transforms'][number]>;
  #text = '';

  constructor(options: TextOptions, limits: Limits) {
    this.#options = options;
    this.#limits = limits;
    this.#rules = new Map(options.transforms.map((transform) => [transform.id, transform]));
  }

  print(parts: ReportParts, result: RunResult): string {
    const { detail, isSummed, stage } = this.#options;
    const { state } = result;
    // What most runs are for goes without saying.
    if (detail !== 'quiet' && state !== undefined && !PLAIN.has(state.kind))
      this.#paragraph([{ text: oneLine(`This is ${state.text} (${state.evidence})`), sgr: BOLD }]);
    if (detail !== 'quiet' && !isSummed) {
      this.#done(parts);
      this.#assumed(parts);
      this.#known(parts);
    }
    if (detail !== 'quiet') this.#scripted(parts);
    this.#questions(parts, result);
    if (detail !== 'quiet') this.#paragraph([{ text: this.#planLine(result, parts, stage), sgr: BOLD }]);
    return this.#text;
  }

  /** Names as many blockers as a line holds. */
  #planLine(result: RunResult, { plan }: ReportParts, stage: PlanStage): string {
    const lines = [2, 1, 0].map((places) => planLine(result, stage, plan, places));
    return lines.find((line) => line.length <= (this.#options.width ?? Infinity)) ?? lines.at(-1)!;
  }

  #line(segments: readonly Segment[]): void {
    this.#text += `${cutLine(segments, this.#options)}\n`;
  }

  #paragraph(segments: readonly Segment[], hang = INDENT): void {
    this.#text += `${wrapLines(segments, hang, this.#options)}\n`;
  }

  get #isVerbose(): boolean {
    return this.#options.detail === 'verbose';
  }

  #heading(text: string, remark = ''): void {
    this.#line([{ text, sgr: BOLD }, ...(remark === '' ? [] : [{ text: ` (${remark})`, sgr: DIM }])]);
  }

  #done({ done }: ReportParts): void {
    if (done.length === 0) return;
    this.#heading('Done', this.#options.stage === 'planned' ? 'in the diff; nothing is written yet' : '');
    const width = Math.max(...done.map(({ rule }) => oneLine(rule).length));
    for (const { rule, changes, files, assumed, strict, outcomes } of firstOf(done, this.#limits.done)) {
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
    this.#leftOut(
      '+',
      'more rules',
      restOf(done, this.#limits.done).map(({ rule }) => rule),
    );
  }

  /** Names what a screen has no place for. */
  #leftOut(mark: keyof typeof MARK_SGR, what: string, names: readonly string[]): void {
    if (names.length === 0) return;
    this.#line([
      { text: `  ${mark} `, sgr: MARK_SGR[mark] },
      { text: `${names.length} ${what}, -v lists them: ` },
      { text: oneLine([...new Set(names)].join(', ')), sgr: DIM },
    ]);
  }

  #titleOf(rule: string): string {
    const title = this.#rules.get(rule)?.title;
    return title === undefined ? '' : `  ${oneLine(title)}`;
  }

  #assumed({ assumptions, assumed }: ReportParts): void {
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
    const { assumed: most, isWrapped } = this.#limits;
    for (const finding of firstOf(assumed, most))
      if (this.#isVerbose) this.#paragraph(entry(finding));
      else if (isWrapped) this.#paragraph(brief(finding));
      else this.#line(brief(finding));
    this.#leftOut(
      '~',
      'more assumptions',
      restOf(assumed, most).map(({ outcome }) => outcome.rule),
    );
  }

  #known({ known }: ReportParts): void {
    if (known.length === 0) return;
    this.#heading('Worth knowing', this.#isVerbose ? '' : '-v prints all of it');
    for (const { rule, findings } of firstOf(known, this.#limits.known)) {
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
    this.#leftOut(
      'i',
      'more kinds',
      restOf(known, this.#limits.known).map(({ rule }) => rule),
    );
  }

  #scripted({ scripted }: ReportParts): void {
    if (scripted.length === 0) return;
    this.#heading('Done by the script', 'which --format sh prints');
    for (const finding of scripted)
      if (this.#isVerbose) this.#paragraph(entry(finding));
      else this.#line(brief(finding));
  }

  /** Also places outside of the paths given that may hold more, where nobody has looked, and what is no file in the place of a .htaccess. */
  #questions({ questions, plan, done }: ReportParts, { tree }: RunResult): void {
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
      this.#paragraph(entry(finding));
      this.#explanation(finding, explained);
    }
    const others = new Map<string, MergedFinding[]>();
    for (const finding of questions.slice(count)) {
      const { rule, level } = finding.outcome;
      const key = `${markOf(finding.outcome)}${level} ${rule}`;
      const list = others.get(key);
      if (list === undefined) others.set(key, [finding]);
      else list.push(finding);
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

  /**
   * The line as it stands, what to do, what changed between the versions, and the page of the rule.
   * @param told what has been said before and need not be said again
   */
  #explanation({ outcome }: MergedFinding, told: Set<string>): void {
    const { commands = [], rule, trouble, remedy = '' } = outcome;
    const source = sourceLine(outcome);
    const indent = ' '.repeat(INDENT);
    if (source !== undefined)
      this.#line([
        { text: `${indent}${source.line} > `, sgr: DIM },
        { text: oneLine(source.text), sgr: BOLD },
      ]);
    if (commands.length > 0)
      this.#line([{ text: `${indent}until then: the script that --format sh prints makes 2.4 start` }]);
    if (remedy !== '' && !told.has(remedy))
      this.#paragraph([{ text: `${indent}do: ${oneLine(remedy)}` }], INDENT + 4);
    told.add(remedy);
    const transform = this.#rules.get(rule);
    if (told.has(rule) || transform === undefined || trouble !== undefined) return;
    told.add(rule);
    if (this.#limits.isReasoned)
      this.#paragraph([{ text: `${indent}why: ${oneLine(transform.why)}` }], INDENT + 5);
    this.#line([{ text: `${indent}page: docs/rules/${rule}.md`, sgr: DIM }]);
  }
}

/** The entries that are printed where there is room for so many: to say of a single one that it is left out takes as much. */
function firstOf<T>(entries: readonly T[], most: number): readonly T[] {
  return entries.length === most + 1 ? entries : entries.slice(0, most);
}

function restOf<T>(entries: readonly T[], most: number): readonly T[] {
  return entries.slice(firstOf(entries, most).length);
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

/**
 * For instance `Plan: 412 changes in 37 files, 3 to review, 1 blocker (conf.d/x.conf:14)`.
 * @param most places of blockers to name
 */
export function planLine(
  result: ReportedRun,
  stage: PlanStage,
  plan = partsOf(result).plan,
  most = 2,
): string {
  const { tree } = result;
  const { changes, files, toReview, blockers, scripted } = plan;
  const what =
    files === 0
      ? `no changes in ${plural(tree.files.length, 'file')}`
      : `${plural(changes, 'change')} in ${plural(files, 'file')}`;
  const places = blockers.slice(0, most).map(({ outcome }) => oneLine(placeText(outcome)));
  if (places.length > 0 && blockers.length > most) places.push(`${blockers.length - most} more`);
  const where = places.length === 0 ? '' : ` (${places.join(', ')})`;
  return `${STAGES[stage]}: ${what}, ${toReview} to review, ${plural(blockers.length, 'blocker')}${where}${scripted === 0 ? '' : `, ${plural(scripted, 'step')} by the script`}${leftAloneText(result)}`;
}

/** Files that were not to be changed: without them, that nothing changes would look as if nothing were to be done. */
function leftAloneText({ leftAlone = [] }: ReportedRun): string {
  const [first] = leftAlone;
  if (first === undefined) return '';
  return leftAlone.length === 1
    ? `; left alone: ${oneLine(first.why)}`
    : `; ${leftAlone.length} files left alone, first: ${oneLine(first.why)}`;
}
