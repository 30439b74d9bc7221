// node check.cjs [--count N] [--seed S] [--under DIR,DIR] [--at FILE:LINE,FILE:LINE] Makes N mutants of the parts that decide
// (operators.ts), a sample that the seed draws, or those of some lines. Each is held to the quick tests that run the code it
// stands in, the quickest first, until one fails. A mutant that no test sees survives. Its last line is "N killed, N survived".
// Run in the root of the repository; the mutants are made in memory alone.
import { type ChildProcess, fork } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { Dice } from '../fuzz/generate';
import { branchesOf, withHits } from './hits';
import { type Mutant, mutantsOf } from './operators';
import { type MeasuredTest, serveTasks, type WorkerAnswer, type WorkerTask } from './worker';

const root = process.cwd();

/** The folders that mutants are made of. */
const FOLDERS = ['src/syntax', 'src/edit', ...['policy', 'models', 'inherit', 'verify'].map((room) => `src/access/${room}`)]; // prettier-ignore

/** The folders of the tests. */
const TESTS = ['access', 'cli', 'config', 'engine', 'syntax', 'transforms'];

/** They take long, or start other programs. */
const NOT_QUICK = /^(?:completion|configtest|docs|hook.*|httpd.*|.*-httpd|judged-releases|model24|older-target|random-trees|served-.*|wide-trees)\.test/; // prettier-ignore

/**
 * How long a test may run that takes so long without a mistake; then the mutant is taken to run for ever. In milliseconds,
 * loading included.
 */
const patience = (milliseconds: number): number => 20_000 + 20 * milliseconds;

const scratch = join(root, 'node_modules/.cache/mutants');

interface PlacedMutant {
  readonly folder: string;
  readonly mutant: Mutant;
}

const textOf = (file: string): string => readFileSync(join(root, file), 'utf8');

function filesIn(folder: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts') && !path.endsWith('index.ts'))
    .map((path) => `${folder}/${path}`)
    .toSorted();
}

/** All mutants, in order. */
function allMutants(): PlacedMutant[] {
  return FOLDERS.flatMap((folder) =>
    filesIn(folder).flatMap((file) => mutantsOf(file, textOf(file)).map((mutant) => ({ folder, mutant }))),
  );
}

function testFiles(): string[] {
  return TESTS.map((folder) => `__tests__/${folder}`).flatMap((folder) =>
    readdirSync(join(root, folder))
      .filter((name) => !NOT_QUICK.test(name))
      .map((name) => `${folder}/${name}`),
  );
}

/** A process that runs tests: the modules stay compiled from one mutant to the next. */
class Worker {
  #process: ChildProcess | undefined;

  /** @returns undefined where the process ends, or no test does any more */
  async ask(task: WorkerTask): Promise<WorkerAnswer | undefined> {
    const worker = (this.#process ??= fork(process.argv[1]!, ['--worker'], {
      env: { ...process.env, TMPDIR: scratch },
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
      execArgv: ['--max-old-space-size=3000'],
    }));
    let timer: NodeJS.Timeout | undefined;
    const answer = await new Promise<WorkerAnswer | undefined>((resolve) => {
      const wait = (milliseconds: number): void => {
        clearTimeout(timer);
        timer = setTimeout(() => resolve(undefined), patience(milliseconds));
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

/** The tests, and which of them a mutant is held to. */
class MutantTests {
  readonly #worker = new Worker();
  readonly #branches = new Map<string, { readonly start: number; readonly end: number; readonly number: number }[]>(); // prettier-ignore
  #tests: readonly MeasuredTest[] = [];

  async measure(): Promise<void> {
    let hitCount = 0;
    const texts = FOLDERS.flatMap(filesIn).map((file): readonly [string, string] => {
      const text = textOf(file);
      const branches = branchesOf(text);
      const marked = withHits(text, branches, hitCount);
      this.#branches.set(
        file,
        branches.map(({ start, end }, i) => ({ start, end, number: hitCount + i })),
      );
      hitCount += branches.length;
      return [join(root, file), marked];
    });
    const answer = await this.#worker.ask({ kind: 'measure', files: testFiles(), texts, hitCount });
    if (answer?.kind !== 'measured') throw new Error('the tests do not run without a mutant, either');
    this.#tests = answer.tests.toSorted((a, b) => a.milliseconds - b.milliseconds);
    console.log(`${answer.tests.length} tests, ${answer.leftOut.length} left out${answer.leftOut.map((name) => `\n  ${name}`).join('')}`); // prettier-ignore
  }

  /** @returns what the mutant is killed by, or undefined; and how many tests run its code */
  async try({ file, start, end, text }: Mutant): Promise<{ killedBy: string | undefined; count: number }> {
    const around = this.#branches.get(file)!.filter((branch) => branch.start <= start && end <= branch.end);
    const inner = around.toSorted((a, b) => b.start - a.start || a.end - b.end)[0]?.number;
    // What runs while its file is loaded may be seen by any test.
    const tests = this.#tests.filter(({ hits }) => inner === undefined || hits.includes(inner));
    const whole = textOf(file);
    const mutated = whole.slice(0, start) + text + whole.slice(end);
    const answer = await this.#worker.ask({ kind: 'try', tests, texts: [[join(root, file), mutated]] });
    const killedBy = answer?.kind === 'tried' ? answer.killedBy : 'it does not end';
    return { killedBy, count: tests.length };
  }

  end(): void {
    this.#worker.end();
  }
}

async function main(args: readonly string[]): Promise<number> {
  const option = (name: string): string | undefined => {
    const at = args.indexOf(`--${name}`);
    return at < 0 ? undefined : args[at + 1];
  };
  const under = option('under')?.split(',');
  const places = option('at')?.split(',');
  const all = allMutants().filter(
    ({ folder, mutant }) =>
      under?.includes(folder) !== false && places?.includes(`${mutant.file}:${mutant.line}`) !== false,
  );
  if (all.length === 0) throw new Error(`no mutants there: --under takes ${FOLDERS.join(', ')}`);
  const dice = new Dice(Number(option('seed') ?? 1));
  const sample = new Set<PlacedMutant>();
  const count = Math.min(all.length, Number(option('count') ?? 100));
  while (sample.size < count) sample.add(dice.pick(all));
  mkdirSync(scratch, { recursive: true });
  const scores = new Map<string, { killed: number; survived: number }>();
  const tests = new MutantTests();
  await tests.measure();
  for (const { folder, mutant } of all.filter((placed) => sample.has(placed))) {
    const { killedBy, count: testCount } = await tests.try(mutant);
    const score = scores.get(folder) ?? { killed: 0, survived: 0 };
    scores.set(folder, score);
    if (killedBy === undefined) score.survived++;
    else score.killed++;
    console.log(`${killedBy === undefined ? 'SURVIVED' : 'killed  '} ${mutant.file}:${mutant.line}:${mutant.column} ${mutant.what} (${killedBy ?? `${testCount} tests`})`); // prettier-ignore
  }
  tests.end();
  rmSync(scratch, { recursive: true, force: true });
  for (const [folder, { killed, survived }] of scores)
    console.log(`${folder}: ${killed} killed, ${survived} survived`);
  const survivors = [...scores.values()].reduce((sum, { survived }) => sum + survived, 0);
  console.log(`${count - survivors} killed, ${survivors} survived`);
  return 0;
}

if (process.argv[2] === '--worker') serveTasks(root);
else void main(process.argv.slice(2)).then((status) => process.exit(status));
