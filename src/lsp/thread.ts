import { type MessagePort, type ResourceLimits, Worker, parentPort, workerData } from 'node:worker_threads';
import type { Analyst, Checked, RemoteAnalyst } from './types';

/** A question to the thread, and its answer. */
interface ThreadQuestion {
  readonly id: number;
  readonly name: keyof Analyst;
  readonly args: readonly unknown[];
}
interface ThreadAnswer {
  readonly id: number;
  readonly value?: unknown;
  /** The answer to a check that is not through yet; another comes later. */
  readonly likely?: Checked;
  /** A line for a person, where the question could not be answered. */
  readonly trouble?: string;
}

/** Who waits for the answer to a question. */
interface Asker {
  resolve(value: unknown): void;
  reject(error: Error): void;
  readonly early: ((likely: Checked) => void) | undefined;
}

const NAMES = ['update', 'forget', 'check', 'fixes', 'edits', 'hover', 'audience', 'explain'] as const;

/** What a change of a large text makes is gone with the next: with room for it, it is not copied again and again before. */
const YOUNG: ResourceLimits = { maxYoungGenerationSizeMb: 256 };

type Ask = (name: keyof Analyst, args: readonly unknown[]) => Promise<unknown>;

function remote(ask: Ask, overtake: RemoteAnalyst['overtake']): RemoteAnalyst {
  const methods = NAMES.map((name) => [name, (...args: readonly unknown[]) => ask(name, args)] as const);
  return { ...Object.fromEntries(methods), overtake } as unknown as RemoteAnalyst;
}

/** An analyst of this thread. @param analyst gets what says which turn is the newest that was asked for */
export function localAnalyst(analyst: (newestTurn: () => number) => Analyst): RemoteAnalyst {
  let newest = 0;
  const asked = analyst(() => newest);
  const ask: Ask = (name, args) =>
    new Promise((resolve, reject) => {
      setImmediate(() => {
        try {
          resolve(answer(asked, name, args));
        } catch (error) {
          reject(error instanceof Error ? error : new Error(String(error)));
        }
      });
    });
  return remote(ask, (turn) => (newest = turn));
}

function answer(analyst: Analyst, name: keyof Analyst, args: readonly unknown[]): unknown {
  return (analyst[name] as (...given: unknown[]) => unknown).apply(analyst, [...args]);
}

/**
 * An analyst in a thread of its own, so that the editor is answered while a run goes on. Where the thread ends (for want of
 * memory, say), what was asked of it fails, and the next question gets a new one, which is told all texts again.
 * @param program what the thread runs, a file or the code itself: it must come to {@link answerQuestions}
 */
export function threadedAnalyst(
  program: { readonly script: string } | { readonly code: string },
  argv: readonly string[],
): RemoteAnalyst & { end(): void } {
  const turns = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
  const texts = new Map<string, string>();
  const waiting = new Map<number, Asker>();
  let worker: Worker | undefined;
  let ids = 0;
  const stop = (why: string): void => {
    worker = undefined;
    for (const asker of waiting.values()) asker.reject(new Error(why));
    waiting.clear();
  };
  const start = (): Worker => {
    const [text, isCode] = 'code' in program ? [program.code, true] : [program.script, false];
    const made = new Worker(text, {
      argv: [...argv],
      workerData: turns,
      stdin: true,
      eval: isCode,
      resourceLimits: YOUNG,
    });
    made.on('message', ({ id, value, likely, trouble }: ThreadAnswer) => {
      const asker = waiting.get(id);
      if (likely !== undefined) {
        asker?.early?.(likely);
        return;
      }
      waiting.delete(id);
      if (trouble === undefined) asker?.resolve(value);
      else asker?.reject(new Error(trouble));
    });
    made.on('error', (error) => made === worker && stop(error.message));
    made.on('exit', () => made === worker && stop('the check has ended unexpectedly'));
    if (texts.size > 0)
      made.postMessage({ id: -1, name: 'update', args: [new Map(texts)] } satisfies ThreadQuestion, []);
    return made;
  };
  const ask: Ask = (name, args) => {
    const thread = (worker ??= start());
    if (name === 'update')
      for (const [path, text] of args[0] as ReadonlyMap<string, string | undefined>)
        if (text === undefined) texts.delete(path);
        else texts.set(path, text);
    return new Promise((resolve, reject) => {
      const id = ids++;
      const [early] = args.filter((arg) => typeof arg === 'function') as Asker['early'][];
      waiting.set(id, { resolve, reject, early });
      const told = args.filter((arg) => typeof arg !== 'function');
      thread.postMessage({ id, name, args: told } satisfies ThreadQuestion, []);
    });
  };
  const overtake = (turn: number): void => void Atomics.store(turns, 0, turn);
  return { ...remote(ask, overtake), end: () => void worker?.terminate() };
}

/** Answers the questions of the thread that has started this one, for as long as it asks. Never returns. */
export function answerQuestions(analyst: (newestTurn: () => number) => Analyst): Promise<never> {
  const port = parentPort as MessagePort;
  const turns = workerData as Int32Array;
  const asked = analyst(() => Atomics.load(turns, 0));
  port.on('message', ({ id, name, args }: ThreadQuestion) => {
    let answered: ThreadAnswer;
    const early = (likely: Checked): void => port.postMessage({ id, likely } satisfies ThreadAnswer, []);
    try {
      answered = { id, value: answer(asked, name, name === 'check' ? [...args, early] : args) };
    } catch (error) {
      answered = { id, trouble: error instanceof Error ? error.message : String(error) };
    }
    port.postMessage(answered, []);
  });
  return new Promise(() => undefined);
}
