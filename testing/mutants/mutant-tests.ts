import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Branches } from './branches';
import type { Mutant } from './operators';
import type { MeasuredTest } from './worker';
import type { WorkerProcess } from './worker-process';

/** The text of a file with a mistake in it. */
export function mutated(root: string, { file, start, end, text }: Mutant): readonly [string, string] {
  const whole = readFileSync(join(root, file), 'utf8');
  return [join(root, file), whole.slice(0, start) + text + whole.slice(end)];
}

/** The tests, and which of them a mutant is held to. */
export class MutantTests {
  readonly #root: string;
  readonly #worker: WorkerProcess;
  readonly #branches: Branches;
  #tests: readonly MeasuredTest[] = [];

  /** @param sources the files that mutants are made of */
  constructor(root: string, worker: WorkerProcess, sources: readonly string[]) {
    this.#root = root;
    this.#worker = worker;
    this.#branches = new Branches(root, sources);
  }

  /** @param files of tests */
  async measure(files: readonly string[]): Promise<void> {
    const { texts, count: hitCount } = this.#branches;
    const answer = await this.#worker.ask({ kind: 'measure', files, texts, hitCount });
    if (answer?.kind !== 'measured') throw new Error('the tests do not run without a mutant, either');
    this.#tests = answer.tests.toSorted((a, b) => a.milliseconds - b.milliseconds);
    console.log(
      `${answer.tests.length} tests, ${answer.leftOut.length} left out${answer.leftOut.map((name) => `\n  ${name}`).join('')}`,
    );
  }

  /** @returns what the mutant is killed by, or undefined; and how many tests run its code */
  async try(mutant: Mutant): Promise<{ killedBy: string | undefined; count: number }> {
    const tests = this.#tests.filter(this.#branches.mayRun(mutant));
    const answer = await this.#worker.ask({ kind: 'try', tests, texts: [mutated(this.#root, mutant)] });
    const killedBy = answer?.kind === 'tried' ? answer.killedBy : 'it does not end';
    return { killedBy, count: tests.length };
  }
}
