import { Channel } from './channel';
import type { Answer, Converted, GivenFiles, PastedText, Product, Question, Wishes } from './protocol';
import type { Reply } from '../src';

/** What a question gets, or why there is no answer. */
type Settled<T> = { readonly resolve: (value: T) => void; readonly reject: (reason: Error) => void };

/** What was asked has been overtaken by the next question. */
export class Overtaken extends Error {
  override readonly name = 'Overtaken';
}

/** Milliseconds that a conversion may take before the next keystroke ends it, with its worker. */
const PATIENCE = 150;

/**
 * The page's side of the worker. A conversion that is overtaken is ended with its worker if it takes long; another worker stands
 * by then, for a new one has to read the whole program first.
 */
export class Service {
  readonly #progress: (text: string) => void;
  #channel: Channel;
  #spare: Channel | undefined;
  #number = 0;
  #running: { readonly id: number; readonly since: number } | undefined;
  /** The input that a new worker has to know before it can be asked anything. */
  #input: PastedText | GivenFiles | undefined;
  #isHeld = false;
  readonly #open = new Map<number, Settled<Answer>>();

  constructor(progress: (text: string) => void) {
    this.#progress = progress;
    this.#channel = this.#newChannel();
  }

  /** Converts an input; the conversion before it, if it is still running, is over. */
  async convert(input: PastedText | GivenFiles, wishes: Wishes): Promise<Converted> {
    this.#endRunning();
    const isKnown = input.kind === 'files' && input === this.#input && this.#isHeld;
    this.#input = input;
    const id = ++this.#number;
    this.#running = { id, since: performance.now() };
    const answer = await this.#send(
      isKnown ? { kind: 'again', id, wishes } : { kind: 'convert', id, input, wishes },
    );
    if (answer.kind !== 'converted') throw new Overtaken();
    this.#isHeld = true;
    return answer.converted;
  }

  /** Asks about the last conversion. */
  async ask(text: string): Promise<Reply> {
    const answer = await this.#send({ kind: 'ask', id: ++this.#number, text });
    if (answer.kind !== 'replied') throw new Overtaken();
    return answer.reply;
  }

  /** Makes a file of the last conversion. */
  async make(product: Product): Promise<{ readonly name: string; readonly bytes: Uint8Array }> {
    const answer = await this.#send({ kind: 'make', id: ++this.#number, product });
    if (answer.kind !== 'made') throw new Overtaken();
    return answer;
  }

  /** Ends what is running. */
  cancel(): void {
    if (this.#running !== undefined) this.#replace();
  }

  #endRunning(): void {
    const running = this.#running;
    if (running === undefined) return;
    if (performance.now() - running.since > PATIENCE) this.#replace();
    else this.#overtake(running.id);
  }

  #overtake(id: number): void {
    this.#open.get(id)?.reject(new Overtaken());
    this.#open.delete(id);
    this.#running = undefined;
  }

  #replace(): void {
    this.#channel.end();
    for (const id of this.#open.keys()) this.#overtake(id);
    this.#running = undefined;
    this.#isHeld = false;
    this.#channel = this.#spare ?? this.#newChannel();
    this.#spare = this.#newChannel();
  }

  #send(question: Question): Promise<Answer> {
    const { id } = question;
    return new Promise((resolve, reject) => {
      this.#open.set(id, { resolve, reject });
      this.#channel.send(question);
    });
  }

  #newChannel(): Channel {
    const channel: Channel = new Channel(
      (answer) => this.#hear(answer),
      () => this.#fail(channel),
    );
    return channel;
  }

  /** A worker has died: the next question gets another. */
  #fail(channel: Channel): void {
    if (channel !== this.#channel) {
      this.#spare = undefined;
      return;
    }
    const open = [...this.#open.values()];
    this.#open.clear();
    this.#replace();
    for (const { reject } of open)
      reject(new Error('the browser has ended the conversion: it may need more memory'));
  }

  #hear(answer: Answer): void {
    const { id } = answer;
    if (answer.kind === 'progress') {
      if (this.#running?.id === id) this.#progress(answer.text);
      return;
    }
    if (this.#running?.id === id) this.#running = undefined;
    const settled = this.#open.get(id);
    this.#open.delete(id);
    if (answer.kind === 'failed') settled?.reject(new Error(answer.message));
    else settled?.resolve(answer);
  }
}
