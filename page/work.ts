import {
  type Conversion,
  type ConversionOptions,
  convert,
  decode,
  encode,
  OptionError,
  parseModuleList,
  type RunSummary,
  type Reply,
  SourceError,
  transforms,
} from '../src';
import { bytesOf, zipOf } from './archive';
import { inControls } from './controls';
import { keyOf, shownFindings } from './findings';
import { gather, type Gathered, troubleOf } from './gathered';
import type { Answer, Converted, GivenFiles, PastedText, Product, Question, Wishes } from './protocol';

/** What the worker holds between two questions: the last conversion, about which the next ones are. */
interface Held {
  readonly conversion: Conversion;
  readonly path?: string;
  /** Makes it once more; undefined where that takes long. */
  readonly again?: (() => unknown) | undefined;
}

/** Characters up to which a text is converted in less than a moment. */
const SHORT = 65_536;

/** The side of the page that converts: it runs in a worker, and says everything by messages. */
export class Work {
  readonly #say: (answer: Answer, moved?: readonly ArrayBuffer[]) => void;
  #gathered: Gathered | undefined;
  #held: Held | undefined;

  constructor(say: (answer: Answer, moved?: readonly ArrayBuffer[]) => void) {
    this.#say = say;
  }

  /** Answers a question; one that cannot be answered gets the reason. */
  async answer(question: Question): Promise<void> {
    const { id } = question;
    try {
      if (question.kind === 'convert') await this.#convert(id, question.input, question.wishes);
      else if (question.kind === 'again') this.#again(id, question.wishes);
      else if (question.kind === 'ask') this.#ask(id, question.text);
      else this.#make(id, question.product);
    } catch (error) {
      this.#say({ kind: 'failed', id, message: messageOf(error) });
    }
  }

  async #convert(id: number, input: PastedText | GivenFiles, wishes: Wishes): Promise<void> {
    if (input.kind === 'text') {
      this.#gathered = undefined;
      return this.#convertText(id, input, wishes);
    }
    this.#gathered = await gather(input.files, (text) => this.#say({ kind: 'progress', id, text }));
    this.#again(id, wishes);
  }

  #convertText(id: number, { text, isHtaccess }: PastedText, wishes: Wishes): void {
    const started = performance.now();
    const path = isHtaccess ? '/.htaccess' : `/${PASTED}`;
    const make = () => {
      const conversion = convert({ [path]: encode(text) }, optionsOf(wishes));
      const shown = {
        summary: ofPasted(conversion.summary()),
        text: decode(conversion.texts.get(path) ?? ''),
        ...shownFindings(conversion.findings),
        hasScript: hasScript(conversion),
      };
      return { conversion, shown };
    };
    const { conversion, shown } = make();
    this.#held = { conversion, path, again: text.length < SHORT ? make : undefined };
    const milliseconds = performance.now() - started;
    this.#say({
      kind: 'converted',
      id,
      converted: { ...shown, choices: CHOICES, milliseconds, notes: [] },
    });
  }

  /** Makes the last conversion once more, and says nothing of it. @returns whether it has */
  repeat(): boolean {
    const again = this.#held?.again;
    again?.();
    return again !== undefined;
  }

  /** Converts the files that were gathered. */
  #again(id: number, wishes: Wishes): void {
    const gathered = this.#gathered;
    if (gathered === undefined) throw new OptionError('no files are there');
    const started = performance.now();
    const { files, links, server } = gathered;
    const progress = every(PAUSE, (text: string) => this.#say({ kind: 'progress', id, text }));
    const options: ConversionOptions = {
      ...optionsOf(wishes),
      onProgress: (count) => progress(`Reading: ${count} files`),
      onRule: (done, all) => progress(`Converting: rule ${done} of ${all}`),
    };
    const conversion =
      server === undefined
        ? convert(files, { ...options, links, paths: gathered.paths })
        : convert(server, options);
    this.#held = { conversion };
    const converted: Converted = {
      summary: conversion.summary(),
      choices: CHOICES,
      findings: [],
      more: 0,
      report: conversion.reportMarkup(),
      hasScript: hasScript(conversion),
      milliseconds: performance.now() - started,
      notes: gathered.notes,
    };
    this.#say({ kind: 'converted', id, converted });
  }

  #ask(id: number, text: string): void {
    if (this.#held === undefined) throw new OptionError('nothing has been converted yet');
    this.#say({ kind: 'replied', id, reply: worded(this.#held.conversion.ask(text)) });
  }

  #make(id: number, product: Product): void {
    if (this.#held === undefined) throw new OptionError('nothing has been converted yet');
    const [name, bytes] = productOf(product, this.#held);
    this.#say({ kind: 'made', id, name, bytes }, [bytes.buffer as ArrayBuffer]);
  }
}

const PASTED = 'pasted.conf';

/** What is said of a text that has no name names its lines alone. */
const inPasted = (text: string): string =>
  text
    .replace(/\bpasted\.conf:(?=[0-9]+(, [0-9])?)/g, (_, more?: string) =>
      more === undefined ? 'line ' : 'lines ',
    )
    .replace(/decided by pasted\.conf:/g, 'decided by:');

function ofPasted(summary: RunSummary): RunSummary {
  const assumptions = summary.assumptions.map((assumption) => ({
    ...assumption,
    text: inPasted(assumption.text),
  }));
  const [first, second] = summary.verdict;
  return { ...summary, assumptions, verdict: [inPasted(first), inPasted(second)] };
}

/** What httpd's messages mean and what becomes of a request is explained in words of the command, too. */
function worded(reply: Reply): Reply {
  if (reply.kind !== 'request') return { ...reply, text: inPasted(inControls(reply.text)) };
  const all = (texts: readonly string[]): string[] => texts.map((text) => inPasted(inControls(text)));
  const versions = reply.versions.map((version) => ({
    ...version,
    text: inPasted(inControls(version.text)),
    sections: all(version.sections),
  }));
  return { ...reply, asked: all(reply.asked), doubts: all(reply.doubts), versions };
}

const CHOICES = Object.fromEntries(
  transforms.flatMap(({ questions = [] }) => questions.map(({ key, choices }) => [key, choices])),
);

/** Milliseconds between two messages of progress. */
const PAUSE = 100;

function every<T extends unknown[]>(pause: number, act: (...args: T) => void): (...args: T) => void {
  let last = 0;
  return (...args) => {
    const now = performance.now();
    if (now - last < pause) return;
    last = now;
    act(...args);
  };
}

const LEFT_OUT = 'left out';

function optionsOf({
  target,
  dual,
  modules,
  exact,
  pinDefaults,
  answers,
  leftOut,
}: Wishes): ConversionOptions {
  const left = new Set(leftOut);
  const given = Object.entries(answers).map(([key, value]) => ({
    key,
    ...(typeof value === 'boolean' ? { value } : { value: true, choice: encode(value) }),
    reason: '',
  }));
  const targetModules = parseModuleList(modules);
  if (modules.trim() !== '' && targetModules.size === 0)
    throw new OptionError(
      'the field "Modules of the new server" names none: paste what httpd -M prints on the 2.4 server',
    );
  return {
    target,
    exact,
    ...(targetModules.size > 0 && { targetModules }),
    wording: inControls,
    ...(pinDefaults && { pinDefaults }),
    // Left to itself, a run finds out whether a configuration is for both.
    ...(dual && { dual }),
    ...(given.length > 0 && { answers: given }),
    ...(left.size > 0 && { declines: (finding) => (left.has(keyOf(finding)) ? LEFT_OUT : undefined) }),
  };
}

function hasScript({ findings }: Conversion): boolean {
  return findings.some(({ commands, status }) => commands !== undefined && status !== 'ignored');
}

function productOf(product: Product, { conversion, path }: Held): readonly [name: string, bytes: Uint8Array] {
  if (product === 'patch') return ['httpd-2.4.patch', bytesOf(conversion.diff)];
  if (product === 'script') return ['steps.sh', bytesOf(conversion.script())];
  if (product === 'text')
    return [
      path === '/.htaccess' ? 'htaccess' : 'converted.conf',
      bytesOf(conversion.texts.get(path ?? '') ?? ''),
    ];
  const files = new Map(conversion.plan.map(({ file, text }) => [decode(file.path.slice(1)), bytesOf(text)]));
  if (hasScript(conversion)) files.set('steps.sh', bytesOf(conversion.script()));
  return ['converted.zip', zipOf(files)];
}

/** One line for a person. */
function messageOf(error: unknown): string {
  const trouble = troubleOf(error);
  if (trouble !== undefined) return trouble;
  if (error instanceof SourceError || error instanceof OptionError) return decode(error.message);
  if (error instanceof RangeError) return 'there is not enough memory for it';
  return `it could not be read (${error instanceof Error ? error.message : String(error)})`;
}
