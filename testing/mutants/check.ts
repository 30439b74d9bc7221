// node check.cjs [--count N] [--seed S] [--under DIR,DIR] [--at FILE:LINE,FILE:LINE] [--judge [--servers N] [--unchecked]] Makes
// N mutants of the parts that decide (operators.ts), a sample that the seed draws, or those of some lines. Each is held to the
// quick tests that run the code it stands in, the quickest first, until one fails. A mutant that no test sees survives. Its last
// line is "N killed, N survived". With --judge the mutants convert servers, N of each kind, and it is counted how many let
// somebody in whom 2.2 refused, without the judge and with it; status 1 where any does with it. --unchecked leaves out the models
// of src/access, so that the judge is alone. Run in the root of the repository; the mutants are made in memory alone.
import { mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { Dice } from '../fuzz/generate';
import { MutantServers } from './mutant-servers';
import { MutantTests } from './mutant-tests';
import { type Mutant, mutantsOf } from './operators';
import { serveTasks } from './worker';
import { WorkerProcess } from './worker-process';

const root = process.cwd();

/** The folders that mutants are made of. */
const FOLDERS = [
  'src/syntax',
  'src/edit',
  ...['policy', 'models', 'inherit', 'verify'].map((room) => `src/access/${room}`),
];

/** The folders of those that are held to the judge. */
const DECIDING = ['collect', 'policy', 'inherit', 'mapping', 'override', 'rewrite'].map(
  (room) => `src/access/${room}`,
);

/** The folders of the tests. */
const TESTS = ['access', 'cli', 'config', 'engine', 'syntax', 'transforms'];

/** Tests that take long, or start other programs. */
const NOT_QUICK =
  /^(?:completion|configtest|docs|hook.*|httpd.*|.*-httpd|judged-releases|model24|older-target|random-trees|served-.*|wide-trees)\.test/;

const scratch = join(tmpdir(), `httpd-codemod-mutants-${process.pid}`);

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

function testFiles(): string[] {
  return TESTS.map((folder) => `__tests__/${folder}`).flatMap((folder) =>
    readdirSync(join(root, folder))
      .filter((name) => !NOT_QUICK.test(name))
      .map((name) => `${folder}/${name}`),
  );
}

/** @throws Error where there are none */
function sampled({ folders, under, places, seed, count }: Choice): readonly PlacedMutant[] {
  const all = folders
    .flatMap((folder) =>
      under?.includes(folder) === false
        ? []
        : filesIn(folder).flatMap((file) =>
            mutantsOf(file, textOf(file)).map((mutant) => ({ folder, mutant })),
          ),
    )
    .filter(({ mutant }) => places?.includes(`${mutant.file}:${mutant.line}`) !== false);
  if (all.length === 0) throw new Error(`no mutants there: --under takes ${folders.join(', ')}`);
  const dice = new Dice(seed);
  const chosen = new Set<PlacedMutant>();
  while (chosen.size < Math.min(all.length, count)) chosen.add(dice.pick(all));
  // In the order in which they were drawn, so that a run that is ended early has seen a sample of all parts, too.
  return [...chosen];
}

interface Choice {
  readonly folders: readonly string[];
  readonly under: readonly string[] | undefined;
  readonly places: readonly string[] | undefined;
  readonly seed: number;
  readonly count: number;
}

async function holdToTests(sample: readonly PlacedMutant[]): Promise<void> {
  const worker = new WorkerProcess(scratch);
  const tests = new MutantTests(root, worker, FOLDERS.flatMap(filesIn));
  await tests.measure(testFiles());
  const scores = new Map<string, { killed: number; survived: number }>();
  for (const { folder, mutant } of sample) {
    const { killedBy, count } = await tests.try(mutant);
    const score = scores.get(folder) ?? { killed: 0, survived: 0 };
    scores.set(folder, score);
    if (killedBy === undefined) score.survived++;
    else score.killed++;
    console.log(
      `${killedBy === undefined ? 'SURVIVED' : 'killed  '} ${nameOf(mutant)} (${killedBy ?? `${count} tests`})`,
    );
  }
  worker.end();
  for (const [folder, { killed, survived }] of scores)
    console.log(`${folder}: ${killed} killed, ${survived} survived`);
  const survivors = [...scores.values()].reduce((sum, { survived }) => sum + survived, 0);
  console.log(`${sample.length - survivors} killed, ${survivors} survived`);
}

/** @returns how many let somebody in with the judge */
async function holdToJudge(
  sample: readonly PlacedMutant[],
  { seed, count, unchecked }: { readonly seed: number; readonly count: number; readonly unchecked: boolean },
): Promise<number> {
  const worker = new WorkerProcess(scratch);
  const servers = new MutantServers(root, worker, DECIDING.flatMap(filesIn), unchecked);
  await servers.measure(seed, count);
  let [changing, telling, opening, open, unrun] = [0, 0, 0, 0, 0];
  for (const { mutant } of sample) {
    const { openings, changed, told, count: tried } = await servers.try(mutant);
    if (changed > 0) changing++;
    if (told > 0) telling++;
    if (tried === 0) unrun++;
    const [first] = openings;
    const still = openings.find(({ stillOpen }) => stillOpen !== undefined);
    if (first !== undefined) opening++;
    if (still !== undefined) open++;
    const what =
      still !== undefined
        ? 'OPENS'
        : first !== undefined
          ? 'vetoed'
          : told > 0
            ? 'told'
            : changed > 0
              ? 'other'
              : 'same';
    const where = still ?? first;
    const request = where === undefined ? '' : `; ${where.server}: ${where.stillOpen ?? where.request}`;
    console.log(`${what.padEnd(6)} ${nameOf(mutant)}: ${openings.length} of ${tried} servers${request}`);
  }
  worker.end();
  console.log(
    `${sample.length} mutants, ${unrun} of them in code that no server runs; ${changing} change a result, ${telling} let somebody in with an error that says so; ${opening} let somebody in without a word where nobody judges, ${open} with the judge`,
  );
  return open;
}

const nameOf = ({ file, line, column, what }: Mutant): string => `${file}:${line}:${column} ${what}`;

async function main(args: readonly string[]): Promise<number> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      count: { type: 'string', default: '100' },
      seed: { type: 'string', default: '1' },
      under: { type: 'string' },
      at: { type: 'string' },
      judge: { type: 'boolean', default: false },
      servers: { type: 'string', default: '5' },
      unchecked: { type: 'boolean', default: false },
    },
  });
  const seed = Number(values.seed);
  const sample = sampled({
    folders: values.judge ? DECIDING : FOLDERS,
    under: values.under?.split(','),
    places: values.at?.split(','),
    seed,
    count: Number(values.count),
  });
  mkdirSync(scratch, { recursive: true });
  try {
    if (values.judge)
      return (await holdToJudge(sample, {
        seed,
        count: Number(values.servers),
        unchecked: values.unchecked,
      })) === 0
        ? 0
        : 1;
    await holdToTests(sample);
    return 0;
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

if (process.argv[2] === '--worker') serveTasks(root);
else void main(process.argv.slice(2)).then((status) => process.exit(status));
