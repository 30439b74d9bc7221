import { make } from './dom';
import type { Answer, Question } from './protocol';

/** The worker's program, a text: all that a page from a disk can make a worker of. */
const holder = globalThis as { workerProgram?: string };

/** A worker, or one whose program is still on its way: what is sent waits. */
export class Channel {
  readonly #hear: (answer: Answer) => void;
  readonly #fail: () => void;
  #worker: Worker | undefined;
  #isEnded = false;
  readonly #waiting: Question[] = [];

  /** @param fail is told where the worker dies, or its program is not there */
  constructor(hear: (answer: Answer) => void, fail: () => void) {
    this.#hear = hear;
    this.#fail = fail;
    void (program ??= load()).then((address) => this.#start(address), fail);
  }

  send(question: Question): void {
    if (this.#worker === undefined) this.#waiting.push(question);
    else this.#worker.postMessage(question, []);
  }

  end(): void {
    this.#isEnded = true;
    this.#worker?.terminate();
  }

  #start(address: string): void {
    if (this.#isEnded) return;
    this.#worker = new Worker(address);
    this.#worker.addEventListener('message', ({ data }: MessageEvent<Answer>) => {
      if (!this.#isEnded) this.#hear(data);
    });
    this.#worker.addEventListener('error', () => {
      if (!this.#isEnded) this.#fail();
    });
    for (const question of this.#waiting) this.#worker.postMessage(question, []);
  }
}

let program: Promise<string> | undefined;

/** Asks for the program once the editor can be typed into: nothing of that waits for it. */
async function load(): Promise<string> {
  await Promise.resolve();
  const script = make('script', '');
  script.src = 'worker.js';
  const loaded = new Promise((resolve, reject) => {
    script.addEventListener('load', resolve);
    script.addEventListener('error', () => reject(new Error('worker.js is not there')));
  });
  document.head.append(script);
  await loaded;
  const address = URL.createObjectURL(new Blob([holder.workerProgram ?? ''], { type: 'text/javascript' }));
  delete holder.workerProgram;
  return address;
}
