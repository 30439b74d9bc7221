import { type ChildProcess, fork } from 'node:child_process';
import { patience } from './processor-limit';
import type { WorkerAnswer, WorkerTask } from './worker';

/** A step that waits for what never comes uses no processor time: so many times as long on the clock is too long, too. */
const WAITING = 20;

/** A process that runs what mutants are tried with: the modules stay compiled from one mutant to the next. */
export class WorkerProcess {
  readonly #scratch: string;

  #process: ChildProcess | undefined;

  /** @param scratch a folder for files of the tests */
  constructor(scratch: string) {
    this.#scratch = scratch;
  }

  /** @returns undefined where the process ends, or no test does any more */
  async ask(task: WorkerTask): Promise<WorkerAnswer | undefined> {
    const worker = (this.#process ??= fork(process.argv[1]!, ['--worker'], {
      env: { ...process.env, TMPDIR: this.#scratch },
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
      execArgv: ['--max-old-space-size=3000'],
    }));
    let timer: NodeJS.Timeout | undefined;
    const answer = await new Promise<WorkerAnswer | undefined>((resolve) => {
      const wait = (milliseconds: number): void => {
        clearTimeout(timer);
        timer = setTimeout(() => resolve(undefined), WAITING * patience(milliseconds));
      };
      wait(0);
      worker.once('exit', () => resolve(undefined));
      worker.on('message', (message: WorkerAnswer) =>
        message.kind === 'goes on' ? wait(message.milliseconds) : resolve(message),
      );
      worker.send(task);
    });
    clearTimeout(timer);
    worker.removeAllListeners();
    if (answer === undefined) this.end();
    return answer;
  }

  end(): void {
    this.#process?.kill('SIGKILL');
    this.#process = undefined;
  }
}
