import { type LogEntry, EntryReader } from './entries';
import type { KnownFormats, LogOrigin } from './known-formats';
import { LineCutter } from './lines';
import type { LogExample, ReadLog } from './types';

/** Lines by which the format of a log is found out. */
const SAMPLE = 50;

/** Reads the requests of one log. It finds out the format by the first lines, which it holds until then. */
export class LogReader {
  readonly #name: string;
  readonly #origin: LogOrigin;
  readonly #onEntry: (entry: LogEntry, line: () => LogExample) => void;
  readonly #cutter: LineCutter;
  #entries: EntryReader | undefined;
  #sample: (string | undefined)[] | undefined = [];
  #number = 0;
  #requests = 0;
  #unread = 0;
  #firstUnread: number | undefined;

  /** @param onEntry called for each request; the line is made only where it is asked for */
  constructor(
    name: string,
    formats: KnownFormats,
    onEntry: (entry: LogEntry, line: () => LogExample) => void,
  ) {
    this.#name = name;
    this.#origin = formats.originOf(name);
    this.#onEntry = onEntry;
    this.#cutter = new LineCutter((line) => this.#add(line));
  }

  add(bytes: string): void {
    this.#cutter.add(bytes);
  }

  /** What became of the log. @param problem why it was not read to its end */
  end(problem: string | undefined): ReadLog {
    // Where the reading broke off, what is left is no whole line.
    if (problem === undefined) this.#cutter.end();
    this.#choose();
    return {
      name: this.#name,
      requests: this.#requests,
      format: this.#entries?.format.name,
      unread: this.#unread,
      firstUnread: this.#firstUnread,
      problem,
    };
  }

  get from(): string | undefined {
    return this.#entries?.from;
  }

  get to(): string | undefined {
    return this.#entries?.to;
  }

  /** Whether the format has the name of a user. */
  get hasUsers(): boolean {
    return this.#entries?.format.fields.has('user') === true;
  }

  #add(line: string | undefined): void {
    this.#number++;
    if (this.#sample === undefined) this.#read(line, this.#number);
    else {
      this.#sample.push(line);
      if (this.#sample.length === SAMPLE) this.#choose();
    }
  }

  #choose(): void {
    const held = this.#sample;
    if (held === undefined) return;
    this.#sample = undefined;
    this.#entries = readerFor(held, this.#origin);
    for (const [i, line] of held.entries()) this.#read(line, i + 1);
  }

  #read(line: string | undefined, number: number): void {
    if (line === '') return;
    const entry = line === undefined ? undefined : this.#entries?.read(line);
    if (entry === undefined || line === undefined) {
      this.#unread++;
      this.#firstUnread ??= number;
      return;
    }
    this.#requests++;
    this.#onEntry(entry, () => ({ log: this.#name, line: number, text: line }));
  }
}

/** The format that most of some lines have, of those that may be meant; the first of several. */
function readerFor(
  sample: readonly (string | undefined)[],
  { formats, hosts }: LogOrigin,
): EntryReader | undefined {
  const server = hosts && { hosts };
  let best: EntryReader | undefined;
  let most = 0;
  for (const format of formats) {
    const fitting = sample.filter((line) => line !== undefined && format.pattern.test(line)).length;
    if (fitting <= most) continue;
    most = fitting;
    best = new EntryReader(format, server);
  }
  return best;
}
