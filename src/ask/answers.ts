import type { RereadableTree } from '../config/types';
import { type Edit, requireAllAt } from '../edit';
import { run } from '../engine';
import type { Outcome, RunResult, Transform } from '../engine/types';
import { codeLine, oneLine, unifiedDiff } from '../report';
import { getOrInsert } from '../maps';
import { type MessagePlace, placeText } from './places';

/** Places of one message that are answered at most. */
const MOST = 2;

/** What the rules make of the lines that messages name. */
export class MessageAnswers {
  readonly #given: RereadableTree;
  readonly #transforms: readonly Transform[];
  #result: RunResult | undefined;
  /** By question and choice. */
  readonly #answered = new Map<string, RunResult>();

  /** @param result what a run makes of the configuration, where that is known */
  constructor(given: RereadableTree, transforms: readonly Transform[], result?: RunResult) {
    this.#given = given;
    this.#result = result;
    this.#transforms = transforms;
  }

  /** What a run makes of the configuration, once it is asked for. */
  get result(): RunResult {
    return (this.#result ??= run(this.#given, this.#transforms, {}));
  }

  /** The text to write at a message's places, as a diff, or what to know. Empty where the rules leave the lines alone. */
  textFor(places: readonly MessagePlace[]): string {
    const answers = places.flatMap(
      (place) => this.#answer(place) || this.#underAnswers(place) || this.#known(place) || [],
    );
    return [...new Set(answers)].slice(0, MOST).join('');
  }

  /**
   * What is written under each answer to an open question about who gets in.
   * @param textIn the text of a run in which it is answered
   */
  textUnderAnswers(key: string, textIn: (result: RunResult) => string): string {
    const choices = this.#transforms.flatMap(({ questions = [] }) =>
      questions.filter((question) => question.key === key).flatMap(({ choices: all }) => all.split(' or ')),
    );
    return choices
      .map((choice) => {
        const text = textIn(this.#under(key, choice));
        return text === '' ? '' : `  write, with --answer ${key}=${choice}:\n${text}`;
      })
      .join('');
  }

  #under(key: string, choice: string): RunResult {
    const answers = [{ key, choice, value: true, reason: '' }];
    return getOrInsert(this.#answered, `${key}=${choice}`, () =>
      run(this.#given, this.#transforms, { answers }),
    );
  }

  /** The text to write for what a rule found, where a message names no place: of the first changes that it makes. */
  textForRule(id: string): string {
    const { outcomes } = this.result;
    const found = outcomes.filter(
      ({ rule, status, edits }) => rule === id && status === 'applied' && edits.length > 0,
    );
    const written = this.textFor(found.map(placeOfOutcome));
    return written || this.#refusedBy(id);
  }

  /** Where a rule finds lines that 2.4 refuses, with the text that it takes in place of some. */
  #refusedBy(id: string): string {
    const refused = this.result.outcomes.filter(
      ({ rule, status, level }) => rule === id && status === 'none' && level === 'error',
    );
    return refused
      .slice(0, MOST)
      .map((outcome) => {
        const { file, at } = outcome;
        const diff = unifiedDiff(file.name, file.document.text, requireAllAt(file.document, at));
        const write = diff === '' ? '' : `  write:\n${indented(diff.slice(diff.indexOf('@@')))}`;
        return `  where:  ${oneLine(placeText(placeOfOutcome(outcome)))}\n${this.#known(placeOfOutcome(outcome))}${write}`;
      })
      .join('');
  }

  #answer(place: MessagePlace): string {
    const diff = diffAt(place, this.result);
    return diff === '' ? '' : `  write:\n${diff}`;
  }

  #underAnswers(place: MessagePlace): string {
    const open = this.result.outcomes.find(
      (outcome) => isOpenQuestion(outcome) && outcome.file.path === place.file?.path,
    );
    if (open === undefined) return '';
    const text = this.textUnderAnswers(open.question!, (result) => diffAt(place, result));
    return text && questionText(open, '') + text;
  }

  /** What a rule has to say about the line that it leaves alone. */
  #known({ file, line }: MessagePlace): string {
    if (file === undefined || line === undefined) return '';
    const [start, end] = rangeOfLine(file.document.text, line);
    const open = this.result.outcomes.find(
      ({ file: { path }, level, status, at }) =>
        path === file.path && level === 'error' && status !== 'applied' && at >= start && at <= end,
    );
    if (open === undefined) return '';
    const { message, remedy } = open;
    return `  more:   ${oneLine(message)}\n${remedy === undefined ? '' : `  answer: ${oneLine(remedy)}\n`}`;
  }
}

function placeOfOutcome({ file, at }: Outcome): MessagePlace {
  return { file, name: file.name, line: file.document.positionAt(at).line };
}

/** Whether a person has to say what a section is to answer, before anything is written there. */
export function isOpenQuestion({ question }: Outcome): boolean {
  return question === 'old-lines' || question === 'half-converted';
}

/** What is asked, with what answers it. @param instead what answers it where the finding does not say */
export function questionText({ file, at, message, remedy }: Outcome, instead: string): string {
  const place = `${file.name}:${file.document.positionAt(at).line}`;
  const answer = remedy ?? instead;
  return `  ask:    ${oneLine(`${place}: ${message}`)}\n${answer === '' ? '' : `  answer: ${oneLine(answer)}\n`}`;
}

/** What a run writes at a line, as the indented hunks of a diff. */
function diffAt({ file, line, name }: MessagePlace, { outcomes, plan }: RunResult): string {
  if (file === undefined || line === undefined) return '';
  const { text } = file.document;
  const [start, end] = rangeOfLine(text, line);
  const touches = (edit: Edit): boolean => meets(edit, { start, end: end + 1, text: '' });
  const inFile = outcomes.filter(({ file: { path } }) => path === file.path);
  const applied = inFile.filter(({ status }) => status === 'applied');
  const about = applied.filter(({ at, edits }) => (at >= start && at <= end) || edits.some(touches));
  // What is applied together is shown together: a line that goes, with the one that takes its place.
  const groups = new Set(about.flatMap(({ rule, group }) => (group === undefined ? [] : `${rule} ${group}`)));
  const proposed = applied.flatMap((outcome) => {
    const isOfGroup = outcome.group !== undefined && groups.has(`${outcome.rule} ${outcome.group}`);
    return isOfGroup || about.includes(outcome) ? outcome.edits : [];
  });
  const edits = plan.find(({ file: { path } }) => path === file.path)?.edits ?? [];
  const written = edits.filter((edit) => proposed.some((other) => meets(edit, other)));
  const diff = unifiedDiff(name, text, written);
  return diff === '' ? '' : indented(diff.slice(diff.indexOf('@@')));
}

/** The offsets at which a line begins and ends. */
function rangeOfLine(text: string, line: number): [start: number, end: number] {
  const start = offsetOfLine(text, line);
  const newline = text.indexOf('\n', start);
  return [start, newline < 0 ? text.length : newline];
}

/** Whether two edits are about the same text; one that removes the line beside is not. */
function meets(a: Edit, b: Edit): boolean {
  const isEmpty = a.start === a.end || b.start === b.end;
  return isEmpty ? a.start <= b.end && b.start <= a.end : a.start < b.end && b.start < a.end;
}

function indented(text: string): string {
  const lines = text.split('\n').slice(0, -1);
  return lines.map((line) => `    ${codeLine(line)}\n`).join('');
}

/** The offset at which a line begins, from 1; the end of a text that has fewer. */
function offsetOfLine(text: string, line: number): number {
  let at = 0;
  for (let i = 1; i < line; i++) {
    const newline = text.indexOf('\n', at);
    if (newline < 0) return text.length;
    at = newline + 1;
  }
  return at;
}
