import { groupBy } from '../../maps';
import type { Level, RunResult } from '../../engine/types';
import type { WithLog } from '../../log/types';
import {
  briefMessage,
  type ContentOptions,
  contentOf,
  foldTasks,
  isBlocker,
  nameTraitsOf,
  type MergedFinding,
  mergeEqualFindings,
  notAppliedText,
  omittedTexts,
  otherPlaces,
  placesText,
  type ReportContent,
  type ReportedRun,
  sourceLine,
  headingOf,
  type TaskOfRun,
} from '../content';
import { oneLine, plural } from '../encoding';
import { clipLines, columnsIn, type Layout, type Segment, wrapLines } from './layout';
import { type ShortNames, shortNames, WHOLE_NAMES } from './short-names';

export interface TextOptions extends Layout, ContentOptions {
  /** `quiet` leaves out what no person needs to act on; `verbose` lists every finding. */
  readonly detail: 'quiet' | 'normal' | 'verbose';
  /** Leaves out what is assumed and worth knowing: a summary counts it. */
  readonly isSummed: boolean;
}

const BOLD = '1';
const DIM = '2';
const LEVEL_SGR: Readonly<Record<Level, string>> = { error: '31', warning: '33', info: '36' };
const MARK_SGR: Readonly<Record<ReturnType<typeof nameTraitsOf>, string>> = {
  '+': '32',
  '~': '33',
  '!': '1;31',
  '?': '1;33',
  '>': '36',
  i: '36',
};

/** Items of the list of what to do. */
const MOST_TASKS = 7;
const INDENT = 5;

/** How much of it is printed. */
interface Limits {
  /** Rows of an item, without its command. */
  readonly rows: number;
  /** Places that an item names. */
  readonly places: number;
  /** Places that an item names which blocks nothing: by default as many. */
  readonly others?: number;
  /** Places of notes: by default as many, and three at most. */
  readonly notes?: number;
  /** What is assumed is told by its keys and places. */
  readonly isBrief?: true;
  /** Places of each rule in the item for what has none of its own. */
  readonly folded: number;
  /** Rows of a command: what has no room is what was given. */
  readonly command: number;
  /** Entries of what is assumed. */
  readonly assumed: number;
  /** Remarks on a log, and lines that show one. */
  readonly log: number;
  readonly examples: number;
}

/** What stands behind the count of places that are left out. */
const LISTED = ' (-v)';

/** Rows of a screen. */
const SCREEN = 30;
/** What is left out first where a screen cannot hold all. */
const LIMITS: readonly Limits[] = [
  { rows: 4, places: 5, folded: 1, command: 3, assumed: 8, log: 12, examples: 3 },
  { rows: 3, places: 4, folded: 1, command: 3, assumed: 5, log: 8, examples: 2 },
  { rows: 3, places: 3, folded: 1, command: 3, assumed: 3, log: 6, examples: 2 },
  { rows: 3, places: 2, folded: 1, command: 3, assumed: 3, log: 5, examples: 1 },
  { rows: 3, places: 1, folded: 1, command: 3, assumed: 2, log: 4, examples: 1 },
  { rows: 3, places: 1, folded: 1, command: 1, assumed: 2, log: 4, examples: 1 },
  { rows: 2, places: 1, folded: 0, command: 1, assumed: 1, log: 4, examples: 1 },
  { rows: 2, places: 1, folded: 0, command: 1, assumed: 0, log: 3, examples: 1 },
];

/** For a file or a pipe: a sentence is whole there, and a long list is read nowhere. */
const WITHOUT_SCREEN: Limits = {
  rows: Infinity,
  places: 5,
  folded: 5,
  command: Infinity,
  assumed: 12,
  log: 40,
  examples: 3,
};

/** Where that is too long to be taken in: first what is assumed is told by key and place. What blocks keeps all of its places. */
const FOLDED: readonly Limits[] = [
  { ...WITHOUT_SCREEN, isBrief: true },
  { ...WITHOUT_SCREEN, isBrief: true, others: 1, notes: 1 },
  { ...WITHOUT_SCREEN, isBrief: true, others: 1, notes: 0 },
];

/**
 * The report for a person: the state, the verdict in two lines, what to do in the order of the work, what is assumed, and a line
 * about the rest; `verbose` prints each finding and what each rule changed. A byte string.
 */
export function textReport(result: RunResult & WithLog, options: TextOptions): string {
  const content = contentOf(result, options);
  if (options.detail === 'verbose') return verboseText(content, result, options);
  let text = '';
  const names =
    options.isScreen && options.detail === 'normal'
      ? shortNames(result.tree.files.map(({ name }) => name))
      : WHOLE_NAMES;
  for (const limits of options.isScreen ? LIMITS : [WITHOUT_SCREEN, ...FOLDED]) {
    text = new TextReport(options, limits, names).print(content);
    if (rowsOf(text, options) <= SCREEN) break;
  }
  return text;
}

/** Rows of a terminal, which breaks lines that have no blank to break them at. */
function rowsOf(text: string, layout: Layout): number {
  return text.split('\n').reduce((sum, line) => sum + Math.ceil(line.length / columnsIn(layout)), 0);
}

function verboseText(content: ReportContent, result: ReportedRun, options: TextOptions): string {
  const report = new TextReport(options, {
    rows: Infinity,
    places: Infinity,
    folded: Infinity,
    command: Infinity,
    assumed: Infinity,
    log: Infinity,
    examples: Infinity,
  });
  return report.print(content) + report.rest(content, result);
}

type AssumedEntry = readonly [key: string, text: string, short: string];

/** The keys of entries, each once: how many have it, or what is said of the only one. */
function keysOf(entries: readonly AssumedEntry[], ofOne: (short: string) => string): string {
  return [...groupBy(entries, ([key]) => key)]
    .map(([key, [first, ...others]]) =>
      others.length === 0 ? oneLine(key) + ofOne(first![2]) : `${oneLine(key)} (${others.length + 1})`,
    )
    .join(', ');
}

class TextReport {
  readonly #options: TextOptions;
  readonly #limits: Limits;
  readonly #names: ShortNames;
  readonly #told = new Set<string>();
  #text = '';

  constructor(options: TextOptions, limits: Limits, names = WHOLE_NAMES) {
    this.#options = options;
    this.#limits = limits;
    this.#names = names;
  }

  print(content: ReportContent): string {
    const { detail, isSummed } = this.#options;
    if (detail === 'quiet') {
      this.#tasks(content.questions);
      return this.#text;
    }
    const { below } = this.#names;
    if (below !== undefined) this.#paragraph([{ text: oneLine(`In ${below}`), sgr: DIM }], 2);
    const { state, verdict, questions, steps } = content;
    if (state !== undefined)
      this.#paragraph(
        [
          { text: oneLine(state.text), sgr: BOLD },
          { text: oneLine(` (${state.evidence})`), sgr: DIM },
        ],
        2,
        this.#limits.rows,
      );
    const [changes, outcome] = verdict;
    this.#paragraph([{ text: changes, sgr: BOLD }], 2);
    const isBad = content.plan.blockers.length > 0 || content.isPending;
    this.#paragraph([{ text: outcome, sgr: isBad ? '1;31' : '32' }], 2);
    this.#log(content);
    if (questions.length + steps.length > 0)
      this.#heading('To do, in this order', content.plan.blockers.length > 0 ? '! blocks' : '');
    this.#tasks(questions, steps);
    if (!isSummed) {
      this.#assumed(content);
      if (detail !== 'verbose') this.#known(content);
    }
    return this.#text;
  }

  /** What the log says: its verdict, and the first of what it shows. */
  #log({ log }: ReportContent): void {
    if (log === undefined) return;
    this.#paragraph([{ text: oneLine(log.verdict), sgr: log.isAlarming ? '1;31' : BOLD }], 2);
    const { log: most } = this.#limits;
    for (const { mark, text, examples } of log.entries.slice(0, most)) {
      this.#paragraph(
        [{ text: `  ${mark} `, sgr: MARK_SGR[mark] }, { text: oneLine(text) }],
        4,
        this.#limits.rows,
      );
      for (const example of examples.slice(0, mark === 'i' ? 0 : this.#limits.examples))
        this.#paragraph([{ text: `      ${oneLine(example)}`, sgr: DIM }], 8, this.#limits.rows);
    }
    const more = log.entries.length - most;
    if (more > 0)
      this.#paragraph([{ text: `  i ${plural(more, 'more remark')} on the log, which -v lists` }], 4);
  }

  /** What `verbose` adds: every finding that is no question, by what it asks of the reader, and what each rule changed. */
  rest({ known, done }: ReportContent, { tree, outcomes }: ReportedRun): string {
    this.#text = '';
    this.#list('Good to know', known);
    for (const { name, message } of tree.unvisited.slice(1))
      this.#paragraph([{ text: `  ? ${oneLine(`${name}: ${message}`)}` }]);
    if (done.length > 0) this.#paragraph([{ text: 'Changed, by rule', sgr: BOLD }]);
    for (const { rule, changes, files, assumed, strict, outcomes: changed } of done) {
      const kinds = Object.entries({ exact: changes - assumed - strict, assumed, strict }).filter(
        ([, count]) => count > 0,
      );
      const how = kinds.map(([kind, count]) => (kinds.length === 1 ? kind : `${count} ${kind}`)).join(', ');
      const mark = assumed + strict === 0 ? '+' : '~';
      this.#paragraph([
        { text: `  ${mark} `, sgr: MARK_SGR[mark] },
        { text: `${oneLine(rule)}: ${plural(changes, 'change')} in ${plural(files, 'file')}, ${how}` },
        { text: `  ${this.#ruleOf(rule)?.title ?? ''}`.trimEnd(), sgr: DIM },
      ]);
      for (const finding of mergeEqualFindings(changed)) {
        this.#entry(finding, INDENT);
        for (const text of finding.outcomes.flatMap(omittedTexts))
          this.#paragraph([{ text: `${' '.repeat(INDENT + 4)}- ${oneLine(text)}` }], INDENT + 6);
      }
    }
    if (tree.isServer === true)
      this.#paragraph([
        { text: 'Every 2.4 answers some odd requests differently: docs/facts/every-server.md', sgr: DIM },
      ]);
    const left = outcomes.filter(
      ({ status, declined, accepted }) => status === 'ignored' || declined === true || accepted !== undefined,
    );
    this.#list(
      'Left alone as asked',
      left.map((outcome) => ({ outcome, outcomes: [outcome] })),
    );
    return this.#text;
  }

  #list(heading: string, findings: readonly MergedFinding[]): void {
    if (findings.length > 0) this.#paragraph([{ text: heading, sgr: BOLD }]);
    for (const finding of findings) this.#entry(finding, 2);
  }

  #paragraph(segments: readonly Segment[], hang = INDENT, rows = Infinity): void {
    const short = segments.map(({ text, sgr }) => ({
      text: this.#names.shorten(text),
      ...(sgr !== undefined && { sgr }),
    }));
    this.#text += `${clipLines(wrapLines(short, { hang }, this.#options), rows, this.#options)}\n`;
  }

  /** A command can be copied as it stands, in several rows, too. */
  #command(command: string): void {
    const segments = [{ text: `${' '.repeat(INDENT)}$ ` }, { text: oneLine(command), sgr: DIM }];
    const whole = wrapLines(segments, { hang: INDENT + 2, sign: ' \\' }, this.#options);
    const rows = whole.split('\n');
    const { command: most } = this.#limits;
    const fits = most === Infinity || (rows.length <= most && this.#isWithin(rows));
    this.#text += fits || !rows[0]!.endsWith(' \\') ? `${whole}\n` : `${rows[0]!.slice(0, -1)}...\n`;
  }

  #isWithin(rows: readonly string[]): boolean {
    return rows.every((row) => row.replace(/\x1b\[[0-9;]*m/g, '').length <= columnsIn(this.#options));
  }

  #ruleOf(id: string): TextOptions['transforms'][number] | undefined {
    return this.#options.transforms.find((transform) => transform.id === id);
  }

  #heading(text: string, remark = ''): void {
    this.#paragraph([{ text, sgr: BOLD }, ...(remark === '' ? [] : [{ text: ` (${remark})`, sgr: DIM }])]);
  }

  #tasks(questions: readonly TaskOfRun[], steps: readonly TaskOfRun[] = []): void {
    const { detail, isScreen } = this.#options;
    const most = MOST_TASKS - steps.length;
    const shown = [
      ...(detail === 'verbose'
        ? questions
        : foldTasks(questions, most, this.#options, isScreen ? this.#limits.folded : this.#limits.places)),
      ...steps,
    ];
    for (const [i, task] of shown.entries()) {
      const mark = task.isBlocker ? '!' : ' ';
      this.#paragraph(
        [{ text: ` ${i + 1} ` }, { text: `${mark} `, sgr: MARK_SGR['!'] }, ...this.#sentence(task)],
        INDENT,
        task.isOfFirst || !task.isBlocker
          ? this.#limits.rows + this.#rowsOf(task.where(this.#placesFor(task), LISTED))
          : Infinity,
      );
      if (task.command !== undefined) this.#command(task.command);
      if (detail === 'verbose') for (const finding of task.findings) this.#inFull(finding);
    }
  }

  #placesFor({ isBlocker: blocks }: TaskOfRun): number {
    const { places, others = places } = this.#limits;
    return blocks ? places : others;
  }

  /** Rows that a long list of places takes before the message begins. */
  #rowsOf(places: string): number {
    return Math.floor(this.#names.shorten(places).length / (columnsIn(this.#options) - INDENT));
  }

  /** What is cut off on a full screen is the end of a message: the places stand before that. */
  #sentence(task: TaskOfRun): readonly Segment[] {
    const { text, where, findings, isOfFirst } = task;
    const { detail } = this.#options;
    const places = detail === 'verbose' ? '' : oneLine(where(this.#placesFor(task), LISTED));
    if (findings.length > 1 && isOfFirst) {
      // What the others say is not what the first says: the rule has the words that all have in common.
      const about = oneLine(headingOf(findings[0]!.outcome, this.#options.transforms));
      const which = places === '' ? `, ${plural(findings.length, 'finding')}` : ` (${places})`;
      return [{ text: `${about}${which}; the first: ${oneLine(text)}` }];
    }
    if (places === '') return [{ text: oneLine(text) }];
    if (isOfFirst) return [{ text: `${places}: `, sgr: BOLD }, { text: oneLine(text) }];
    return [{ text: `${oneLine(text)}: ${places}` }];
  }

  #assumed({ assumptions, assumed }: ReportContent): void {
    if (assumptions.length + assumed.length === 0) return;
    const { assumed: most, rows } = this.#limits;
    const isVerbose = this.#options.detail === 'verbose';
    const entries: AssumedEntry[] = [
      ...assumptions.map(({ key, text, brief = text, remedy, findings }) => {
        const count = plural(findings, 'change');
        return [key, `${isVerbose ? text : brief} (${count}${remedy === undefined ? '' : `; ${remedy}`})`, count] as const;
      }),
      ...[...groupBy(assumed, ({ outcome: { rule, message } }) => (isVerbose ? `${rule} ${message}` : rule)).values()].map((group) => {
        const { outcome } = group[0]!;
        const places = placesText(group.flatMap(({ outcomes }) => outcomes), this.#limits.places, { rest: LISTED });
        return [outcome.rule, `${places}: ${briefMessage(outcome)}`, places] as const;
      }),
    ]; // prettier-ignore
    const more = keysOf(entries.slice(most), () => '');
    if (most === 0) {
      this.#paragraph([{ text: 'Assumed', sgr: BOLD }, { text: `, as -v says: ${more}` }]);
      return;
    }
    if (this.#limits.isBrief === true) {
      const list = keysOf(entries, (short) => ` (${oneLine(short)})`);
      this.#paragraph([{ text: 'Assumed', sgr: BOLD }, { text: `, as -v says: ${list}` }], 2);
      return;
    }
    this.#heading('Assumed', 'if one is wrong, --answer KEY=no leaves its changes out');
    for (const [key, text] of entries.slice(0, most))
      this.#paragraph(
        [
          { text: '  ~ ', sgr: MARK_SGR['~'] },
          { text: `${oneLine(key)}: `, sgr: DIM },
          { text: oneLine(text) },
        ],
        4,
        rows + this.#rowsOf(text.split(' ', 1)[0]!),
      );
    if (more !== '') this.#paragraph([{ text: `  ~ and, as -v says: ${more}` }], 4, rows);
  }

  #known({ known, done }: ReportContent): void {
    const parts = [
      ...(known.length > 0 ? [`${plural(known.length, 'note')}${this.#placesOf(known)}`] : []),
      ...(done.length > 0 ? [`what ${plural(done.length, 'rule')} changed`] : []),
    ];
    if (parts.length > 0)
      this.#paragraph(
        [{ text: 'Good to know', sgr: BOLD }, { text: `: ${parts.join(', and ')}; -v lists all of it` }],
        2,
      );
  }

  /** Where the first of them stand: a note that nobody can find is as good as none. */
  #placesOf(findings: readonly MergedFinding[]): string {
    const { places, notes = Math.min(places, 3) } = this.#limits;
    if (notes === 0) return '';
    return ` (${oneLine(
      placesText(
        findings.flatMap(({ outcomes }) => outcomes),
        notes,
        { rest: ' places' },
      ),
    )})`;
  }

  /** The finding, its line as it stands, what to do, what changed between the versions, and the page of the rule. */
  #inFull(finding: MergedFinding): void {
    const { rule, trouble, remedy = '' } = finding.outcome;
    this.#entry(finding, INDENT);
    const source = sourceLine(finding.outcome);
    const indent = ' '.repeat(INDENT + 4);
    if (source !== undefined)
      this.#paragraph(
        [
          { text: `${indent}${source.line} > `, sgr: DIM },
          { text: oneLine(source.text), sgr: BOLD },
        ],
        INDENT + 8,
      );
    if (remedy !== '' && !this.#told.has(remedy))
      this.#paragraph([{ text: `${indent}do: ${oneLine(remedy)}` }], INDENT + 8);
    this.#told.add(remedy);
    const transform = this.#ruleOf(rule);
    if (this.#told.has(rule) || transform === undefined || trouble !== undefined) return;
    this.#told.add(rule);
    this.#paragraph([{ text: `${indent}why: ${oneLine(transform.why)}` }], INDENT + 9);
    this.#paragraph([{ text: `${indent}page: docs/rules/${rule}.md`, sgr: DIM }]);
  }

  /** For instance `  ! a.conf:3:1: error: message (also: a.conf:5, a.conf:9) [rule]`. */
  #entry(finding: MergedFinding, indent: number): void {
    const { outcome } = finding;
    const { level, rule, fingerprint } = outcome;
    const mark = nameTraitsOf(outcome);
    const isOpen = mark === '!' || mark === '?' || outcome.safety === 'strict';
    const also = otherPlaces(finding, Infinity);
    this.#paragraph(
      [
        { text: `${' '.repeat(indent)}${mark} `, sgr: MARK_SGR[mark] },
        { text: `${placeOf(outcome)}:`, sgr: BOLD },
        ...(isOpen
          ? [{ text: ' ' }, { text: `${level}:`, sgr: isBlocker(outcome) ? '31' : LEVEL_SGR[level] }]
          : []),
        { text: ` ${oneLine(briefMessage(outcome) + notAppliedText(outcome))}` },
        { text: also === '' ? '' : ` (also: ${oneLine(also)})` },
        {
          text: ` [${oneLine(rule)}${fingerprint === undefined || mark === '+' ? '' : ` ${fingerprint}`}]`,
          sgr: DIM,
        },
      ],
      indent + 4,
    );
  }
}

function placeOf({ file, at }: MergedFinding['outcome']): string {
  const { line, column } = file.document.positionAt(at);
  return `${oneLine(file.name)}:${line}:${column}`;
}
