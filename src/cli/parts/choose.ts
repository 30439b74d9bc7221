import { applyEdits, type Edit } from '../../edit';
import { subjectIn, type WrittenByHand } from '../../engine';
import type { Finding, RunOptions, RunResult, Transform } from '../../engine/types';
import { colourDiff, diffPath, manyLines, oneLine, plural, unifiedDiff } from '../../report';
import type { Io } from '../io';
import { Trouble } from '../trouble';
import { type ChangeUnit, unitsOf } from './units';

/** What the dialogue needs beside the terminal. */
export interface ChoiceContext {
  readonly transforms: readonly Transform[];
  readonly colour: boolean;
  /** The run once more, without what is declined. */
  readonly rerun: (declines: RunOptions['declines']) => RunResult;
  /** The result with text of the person's, or why that is not to be written. */
  readonly withText: (result: RunResult, written: readonly WrittenByHand[]) => RunResult | string;
  /** Who gets in where a change is made, before and after: lines for a person. */
  readonly audienceOf: (unit: ChangeUnit) => readonly string[];
}

const NOT_ACCEPTED = 'not accepted';

/** So often is asked about what has become of the changes without those that were left out; what is new then stays out. */
const MAX_ROUNDS = 8;

/** What of a change is shown at once: sections that one request can meet may be all of a server. */
const FEW = { messages: 12, lines: 80 };

const KEYS = `y - write this change
n - leave it out (as is what you do not answer)
e - write it as you change it in an editor
a - write this one and all others of the rule
d - leave out this one and all others in the file
q - leave out this one and all that follow; what was accepted is written
v - show all of this one
? - why: the rule, and who gets in before and after
`;

/**
 * Shows the changes of a run one after the other, and asks which are to be written. What goes together is asked about once.
 * @returns the result with what was accepted, as it was shown: the run without what was left out, which checks it as a whole
 * @throws Trouble where there is no terminal to ask on
 */
export function chooseChanges(first: RunResult, io: Io, context: ChoiceContext): RunResult {
  const dialogue = new Dialogue(io, context, first);
  let result = first;
  for (let round = 0; ; round++) {
    if (round === MAX_ROUNDS) dialogue.leaveRest();
    const open = unitsOf(result, (outcome) => !dialogue.isLeft(outcome)).filter(
      (unit) => !dialogue.isAccepted(unit),
    );
    if (open.length === 0) return dialogue.finish(result);
    if (round > 0) dialogue.explainRound();
    open.forEach((unit, i) => dialogue.decide(unit, i + 1, open.length));
    if (dialogue.acceptedAll(result)) return dialogue.finish(result);
    result = context.rerun((finding) => (dialogue.isWanted(finding) ? undefined : NOT_ACCEPTED));
  }
}

class Dialogue {
  readonly #io: Io;
  readonly #context: ChoiceContext;
  readonly #rules: ReadonlyMap<string, Transform>;
  /** Subjects of the changes to write, and how these were shown. */
  readonly #wanted = new Set<string>();
  readonly #shown = new Set<string>();
  readonly #left = new Set<string>();
  /** Subject → file and line. */
  readonly #names = new Map<string, string>();
  /** By the signature of the change that it stands for. */
  readonly #written = new Map<string, WrittenByHand>();
  readonly #acceptedRules = new Set<string>();
  readonly #skippedFiles = new Set<string>();
  #isOver = false;

  constructor(io: Io, context: ChoiceContext, { outcomes }: RunResult) {
    this.#io = io;
    this.#context = context;
    // What the options leave out is not offered.
    for (const outcome of outcomes) if (outcome.declined === true) this.#left.add(subjectIn(outcome));
    this.#rules = new Map(context.transforms.map((transform) => [transform.id, transform]));
  }

  leaveRest(): void {
    this.#isOver = true;
  }

  isWanted(finding: Finding): boolean {
    return this.#wanted.has(subjectIn(finding));
  }

  isLeft(finding: Finding): boolean {
    return this.#left.has(subjectIn(finding));
  }

  /** Whether it is to be written as it is now. */
  isAccepted({ subjects, signature }: ChangeUnit): boolean {
    return this.#shown.has(signature) && [...subjects].every((subject) => this.#wanted.has(subject));
  }

  acceptedAll(result: RunResult): boolean {
    return unitsOf(result, (outcome) => !this.isLeft(outcome)).every((unit) => this.isAccepted(unit));
  }

  explainRound(): void {
    if (!this.#isOver)
      this.#say('Without what you left out, these changes are new or read in another way:\n');
  }

  decide(unit: ChangeUnit, number: number, count: number): void {
    const isWritten = this.#answer(unit, number, count);
    for (const outcome of unit.outcomes)
      this.#names.set(
        subjectIn(outcome),
        `${outcome.file.name}:${outcome.file.document.positionAt(outcome.at).line}`,
      );
    for (const subject of unit.subjects) {
      (isWritten ? this.#wanted : this.#left).add(subject);
      (isWritten ? this.#left : this.#wanted).delete(subject);
    }
    if (isWritten) this.#shown.add(unit.signature);
  }

  #answer(unit: ChangeUnit, number: number, count: number): boolean {
    if (this.#isOver) return false;
    if (unit.outcomes.some(({ file }) => this.#skippedFiles.has(file.path))) return false;
    const rules = new Set(unit.outcomes.map(({ rule }) => rule));
    if ([...rules].every((rule) => this.#acceptedRules.has(rule))) return true;
    this.#say(`\nChange ${number} of ${count}\n${this.#unitText(unit, FEW)}`);
    for (;;) {
      const answer = this.#io.ask('Write this change? [y,n,e,a,d,q,v,?] (n) ');
      if (answer === undefined)
        throw new Trouble('there is no terminal to ask on: --only names what to write');
      switch (answer.trim().toLowerCase()) {
        case 'y':
          return true;
        case '':
        case 'n':
          return false;
        case 'e':
          if (this.#edit(unit)) return false;
          break;
        case 'a':
          for (const rule of rules) this.#acceptedRules.add(rule);
          return true;
        case 'd':
          for (const { file } of unit.outcomes) this.#skippedFiles.add(file.path);
          return false;
        case 'q':
          this.#isOver = true;
          return false;
        case 'v':
          this.#say(this.#unitText(unit));
          break;
        case '?':
          this.#say(`${this.#whyText(unit)}${KEYS}`);
          break;
        default:
          this.#say(KEYS);
      }
    }
  }

  /** @returns whether the person has written something in its place */
  #edit(unit: ChangeUnit): boolean {
    const [change, ...others] = unit.changes;
    if (change === undefined || others.length > 0) {
      this.#say('It changes several files, which an editor does not show together.\n');
      return false;
    }
    const [file, edits] = change;
    const lines = linesAround(file.document.text, edits);
    const proposed = file.document.text.slice(lines.start, lines.end);
    const inside = edits.map((edit) => ({
      ...edit,
      start: edit.start - lines.start,
      end: edit.end - lines.start,
    }));
    const text = this.#io.edit?.(applyEdits(proposed, inside));
    if (text === undefined) {
      this.#say('The editor failed: nothing was changed.\n');
      return false;
    }
    const { rule, at, level, message } = unit.outcomes[0]!;
    this.#written.set(unit.signature, {
      rule,
      file,
      at,
      level,
      message: `your text, in place of: ${message}`,
      edits: [{ ...lines, text }],
    });
    return true;
  }

  /** The result with the person's texts, as far as they can be written; says what accepted changes have no place in it. */
  finish(result: RunResult): RunResult {
    let whole = result;
    for (const written of this.#written.values()) {
      const next = this.#context.withText(whole, [written]);
      if (typeof next === 'string')
        this.#say(oneLine(`${written.file.name}: your text is not written: ${next}`) + '\n');
      else whole = next;
    }
    const found = new Set(whole.outcomes.map(subjectIn));
    for (const [subject, name] of this.#names)
      if (this.#wanted.has(subject) && !found.has(subject))
        this.#say(`${oneLine(name)}: accepted, and not needed without what you left out\n`);
    return whole;
  }

  /** @param most how many messages, and lines of the diff, are shown */
  #unitText({ outcomes, changes }: ChangeUnit, most = { messages: Infinity, lines: Infinity }): string {
    const messages = outcomes
      .slice(0, most.messages)
      .map(({ file, at, rule, message }) =>
        oneLine(`${file.name}:${file.document.positionAt(at).line}: ${message} [${rule}]`),
      );
    const further = outcomes.length - messages.length;
    if (further > 0) messages.push(`and ${further} more, in ${plural(changes.size, 'file')} (v shows all)`);
    if (outcomes.length > 1)
      messages.push(`These ${outcomes.length} changes go together: they are written all or none.`);
    const diffs = [...changes].map(([file, edits]) =>
      unifiedDiff(diffPath(file.path, this.#io.cwd), file.document.text, edits),
    );
    const lines = manyLines(diffs.join('')).split('\n');
    const hidden = lines.length - 1 - most.lines;
    const diff = hidden > 0 ? `${lines.slice(0, most.lines).join('\n')}\n` : lines.join('\n');
    const end = hidden > 0 ? `${plural(hidden, 'line')} more of the diff (v shows all)\n` : '';
    return `${messages.join('\n')}\n${this.#context.colour ? colourDiff(diff) : diff}${end}`;
  }

  #whyText(unit: ChangeUnit): string {
    const lines: string[] = [];
    for (const rule of new Set(unit.outcomes.map((outcome) => outcome.rule))) {
      const { title, why, docs } = this.#rules.get(rule) ?? { title: '', why: '', docs: [] };
      lines.push(`${rule} - ${title}`, why, ...docs.map((doc) => `See: ${doc}`));
    }
    lines.push(...this.#context.audienceOf(unit), '');
    return `${lines.map((line) => oneLine(line)).join('\n')}\n`;
  }

  #say(text: string): void {
    this.#io.stderr.write(text);
  }
}

function linesAround(text: string, edits: readonly Edit[]): { readonly start: number; readonly end: number } {
  const first = Math.min(...edits.map(({ start }) => start));
  const last = Math.max(...edits.map(({ end }) => end));
  const start = first === 0 ? 0 : text.lastIndexOf('\n', first - 1) + 1;
  if (last > start && text.charAt(last - 1) === '\n') return { start, end: last };
  const end = text.indexOf('\n', last);
  return { start, end: end < 0 ? text.length : end + 1 };
}
