import type { RereadableTree } from '../config/types';
import type { Edit } from '../edit';
import { run } from '../engine';
import type { RunResult, Transform } from '../engine/types';
import { oneLine, unifiedDiff } from '../report';
import type { MessagePlace } from './places';

/** Places of one message that are answered at most. */
const MOST = 2;

/** What the rules make of the lines that messages name. */
export class MessageAnswers {
  readonly #given: RereadableTree;
  readonly #transforms: readonly Transform[];
  #result: RunResult | undefined;

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

  /**
   * The text to write at the places of a message, as a diff, or what a person has to know. Empty where the rules leave the lines
   * alone.
   */
  textFor(places: readonly MessagePlace[]): string {
    const answers = places.flatMap((place) => (place.line === undefined ? [] : (this.#answer(place) ?? [])));
    return [...new Set(answers)].slice(0, MOST).join('');
  }

  /** The text to write for what a rule found, where a message names no place: of the first changes that it makes. */
  textForRule(id: string): string {
    const { outcomes } = this.result;
    const found = outcomes.filter(({ rule, status, edits }) => rule === id && status === 'applied' && edits.length > 0); // prettier-ignore
    return this.textFor(
      found.map(({ file, at }) => ({ file, name: file.name, line: file.document.positionAt(at).line })),
    );
  }

  #answer({ file, line, name }: MessagePlace): string | undefined {
    if (file === undefined) return undefined;
    const { outcomes, plan } = this.result;
    const { text } = file.document;
    const start = offsetOfLine(text, line!);
    const newline = text.indexOf('\n', start);
    const end = newline < 0 ? text.length : newline;
    const touches = (edit: Edit): boolean => meets(edit, { start, end: end + 1, text: '' });
    const inFile = outcomes.filter(({ file: { path } }) => path === file.path);
    const proposed = inFile.flatMap(({ status, at, edits }) => {
      const isAbout = (at >= start && at <= end) || edits.some(touches);
      return status === 'applied' && isAbout ? edits : [];
    });
    const edits = plan.find(({ file: { path } }) => path === file.path)?.edits ?? [];
    const written = edits.filter((edit) => proposed.some((other) => meets(edit, other)));
    const diff = unifiedDiff(name, text, written);
    if (diff !== '') return `  write:\n${indented(diff.slice(diff.indexOf('@@')))}`;
    const open = inFile.find(({ level, status, at }) => level === 'error' && status !== 'applied' && at >= start && at <= end); // prettier-ignore
    return open && `  more:   ${oneLine(open.message)}\n`;
  }
}

/** Whether two edits are about the same text; one that removes the line beside is not. */
function meets(a: Edit, b: Edit): boolean {
  const isEmpty = a.start === a.end || b.start === b.end;
  return isEmpty ? a.start <= b.end && b.start <= a.end : a.start < b.end && b.start < a.end;
}

function indented(text: string): string {
  const lines = text.split('\n').slice(0, -1);
  return lines.map((line) => `    ${oneLine(line)}\n`).join('');
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
