import { join } from 'node:path';
import { MutantModules } from './modules';
import { type MeasuredServer, type Opening, OpeningServers } from './openings';
import { ProcessorLimit, patience } from './processor-limit';
import { Suite, type TestCase } from './suite';

/** What the process that runs the tests is asked. Texts are those of a path each. */
export type WorkerTask =
  | {
      readonly kind: 'measure';
      readonly files: readonly string[];
      readonly texts: readonly (readonly [string, string])[];
      readonly hitCount: number;
    }
  | {
      readonly kind: 'try';
      readonly tests: readonly MeasuredTest[];
      readonly texts: readonly (readonly [string, string])[];
    }
  | {
      readonly kind: 'measure servers';
      readonly seed: number;
      readonly servers: number;
      readonly texts: readonly (readonly [string, string])[];
      readonly hitCount: number;
    }
  | {
      readonly kind: 'open';
      readonly names: readonly string[];
      readonly unchecked: boolean;
      readonly texts: readonly (readonly [string, string])[];
    };

/** A test that passes where nothing is wrong. */
export interface MeasuredTest {
  readonly id: string;
  readonly file: string;
  readonly milliseconds: number;
  /** The numbers of the branches that it runs. */
  readonly hits: readonly number[];
}

export type WorkerAnswer =
  | {
      readonly kind: 'measured';
      readonly tests: readonly MeasuredTest[];
      readonly leftOut: readonly string[];
    }
  | { readonly kind: 'tried'; readonly killedBy: string | undefined }
  | { readonly kind: 'servers'; readonly servers: readonly MeasuredServer[] }
  | {
      readonly kind: 'opened';
      readonly changed: number;
      readonly told: number;
      readonly openings: readonly Opening[];
    }
  /** A test is about to run that took so long without a mistake, or is run for the first time. */
  | { readonly kind: 'goes on'; readonly milliseconds: number };

type MeasureTask = WorkerTask & { readonly kind: 'measure' };

const answer = (message: WorkerAnswer): void => void process.send!(message);

/** What is called before each step, with how long it takes without a mistake. */
const stepsWithin =
  (limit: ProcessorLimit) =>
  (milliseconds: number): void => {
    limit.allow(patience(milliseconds));
    answer({ kind: 'goes on', milliseconds });
  };

/** Answers tasks of the parent process, one at a time. */
export function serveTasks(root: string): void {
  let modules = new MutantModules(root, 0);
  const limit = new ProcessorLimit();
  const goesOn = stepsWithin(limit);
  const loader = (suite: Suite) => (file: string) =>
    suite.testsOf(file, () => modules.load(join(root, file)) as void);

  async function measure({ files, texts, hitCount }: MeasureTask): Promise<WorkerAnswer> {
    modules = new MutantModules(root, hitCount);
    modules.reset(new Map(texts));
    const suite = new Suite();
    const tests: MeasuredTest[] = [];
    const leftOut: string[] = [];
    // As in jest: random tests repeat the same cases.
    modules.load(join(root, 'scripts/jest-seed.cjs'));
    for (const file of files)
      for (const test of loader(suite)(file)) {
        goesOn(10_000);
        modules.hits.fill(0);
        const start = performance.now();
        if (await suite.passes(test)) {
          const hits = [...modules.hits.keys()].filter((i) => modules.hits[i] === 1);
          tests.push({ id: test.id, file, milliseconds: performance.now() - start, hits });
        } else leftOut.push(test.name);
      }
    await suite.close();
    return { kind: 'measured', tests, leftOut };
  }

  async function tryMutant({ tests, texts }: WorkerTask & { kind: 'try' }): Promise<WorkerAnswer> {
    modules.reset(new Map(texts));
    const suite = new Suite();
    const loaded = new Map<string, ReadonlyMap<string, TestCase>>();
    const testsOf = (file: string): ReadonlyMap<string, TestCase> => {
      const found = loaded.get(file) ?? new Map(loader(suite)(file).map((test) => [test.id, test]));
      loaded.set(file, found);
      return found;
    };
    try {
      modules.load(join(root, 'scripts/jest-seed.cjs'));
      for (const { id, file, milliseconds } of tests) {
        goesOn(milliseconds);
        const test = testsOf(file).get(id);
        if (test === undefined || !(await suite.passes(test)))
          return { kind: 'tried', killedBy: test?.name ?? file };
      }
      return { kind: 'tried', killedBy: undefined };
    } catch (error) {
      return { kind: 'tried', killedBy: `${String(error).split('\n')[0]}` };
    } finally {
      await suite.close();
    }
  }

  const servers = new OpeningServers(root, goesOn);

  function handle(task: WorkerTask): Promise<WorkerAnswer> | WorkerAnswer {
    switch (task.kind) {
      case 'measure':
        return measure(task);
      case 'try':
        return tryMutant(task);
      case 'measure servers':
        return { kind: 'servers', servers: servers.measure(task) };
      case 'open':
        return { kind: 'opened', ...servers.openings(task) };
    }
  }

  process.on('unhandledRejection', () => undefined);
  process.on('message', (task: WorkerTask) => {
    limit.allow(patience(0));
    void Promise.resolve(task)
      .then(handle)
      .then(answer, (error: unknown) => {
        console.error(error);
        process.exit(1);
      });
  });
}
