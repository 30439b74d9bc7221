// node check.cjs [--count N] [--seed S] [--under DIR,DIR]
// Makes N mutants of the parts that decide (operators.ts), a sample that the seed draws, and runs over each the quick tests of its part (suite.ts)
// until one fails. A mutant that no test sees survives. Its last line is "N killed, N survived". Run in the root of the repository; the mutants
// are made in memory alone.
import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { Dice } from '../fuzz/generate';
import { type Mutant, mutantsOf } from './operators';

const root = process.cwd();
// It brings its program along, so it is not bundled.
const { build } = createRequire(join(root, 'package.json'))('esbuild') as typeof import('esbuild');

/** A folder that mutants are made of, and the tests that it is held to: the quickest first, then fixtures. */
interface MutatedPart {
  readonly folder: string;
  readonly tests: readonly string[];
  /** The rules; those of all where undefined. */
  readonly fixtures?: string;
}

const EDIT = ['engine/compose', 'engine/overlaps', 'engine/settle', 'engine/dual'];
const ACCESS = [
  'expressions', 'states', 'mapping', 'groups', 'shared-lines', 'left-sections', 'places', 'strict-form', 'auth-merging', 'shown-22',
  'lost-override', 'files-by-host', 'linked-files', 'drive-letters', 'servers-told-apart', 'halves', 'endings', 'access', 'model24', 'includes',
  'blocks-for-22', 'mixed', 'limits', 'collect', 'conditionals', 'access-check',
].map((name) => `access/${name}`); // prettier-ignore

const PARTS: readonly MutatedPart[] = [
  { folder: 'src/syntax', tests: ['syntax/template', 'syntax/syntax', 'syntax/line-ends', ...EDIT] },
  { folder: 'src/edit', tests: EDIT },
  ...['policy', 'models', 'inherit', 'verify'].map((room) => ({
    folder: `src/access/${room}`,
    tests: ACCESS,
    fixtures: 'order-allow-deny',
  })),
];

/** Of the processor, for one mutant: those that never end are seen. */
const SECONDS = 120;

const scratch = join(root, 'node_modules/.cache/mutants');
const bundle = join(scratch, 'suite.cjs');

interface PlacedMutant {
  readonly part: MutatedPart;
  readonly mutant: Mutant;
}

function mutantsIn(part: MutatedPart): PlacedMutant[] {
  return readdirSync(join(root, part.folder), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts') && !path.endsWith('index.ts'))
    .map((path) => `${part.folder}/${path}`)
    .toSorted()
    .flatMap((file) => mutantsOf(file, readFileSync(join(root, file), 'utf8')))
    .map((mutant) => ({ part, mutant }));
}

/** Bundles the tests of a part with what a mutant makes of its file. */
async function bundleWith({ tests }: MutatedPart, mutant?: Mutant): Promise<void> {
  const files = [...tests.map((name) => join(root, '__tests__', `${name}.test.ts`)), join(root, 'testing/mutants/fixtures.ts')]; // prettier-ignore
  const loads = files.map((path) => `addFile(${JSON.stringify(path)}, () => { require(${JSON.stringify(path)}); });`); // prettier-ignore
  await build({
    stdin: {
      contents: `const { addFile, runAll } = require('./testing/mutants/suite');\n${loads.join('\n')}\nvoid runAll();`,
      resolveDir: root,
    },
    outfile: bundle,
    bundle: true,
    platform: 'node',
    target: 'node20',
    packages: 'external',
    logLevel: 'silent',
    plugins: [
      {
        name: 'mutant',
        setup(plugin): void {
          // Tests look for their files from their own directory.
          plugin.onLoad({ filter: /(?:__tests__|testing).*\.ts$/ }, ({ path }) => ({
            contents: readFileSync(path, 'utf8').replace(/\b__dirname\b/g, JSON.stringify(join(path, '..'))),
            loader: 'ts',
          }));
          plugin.onLoad({ filter: /src.*\.ts$/ }, ({ path }) => {
            if (mutant === undefined || path !== join(root, mutant.file)) return undefined;
            const text = readFileSync(path, 'utf8');
            return {
              contents: text.slice(0, mutant.start) + mutant.text + text.slice(mutant.end),
              loader: 'ts',
            };
          });
        },
      },
    ],
  });
}

/** @returns what the tests say last: the name of the one that failed, if any */
function runSuite(part: MutatedPart, ...args: readonly string[]): { isKilled: boolean; text: string } {
  const env = {
    ...process.env,
    MUTANTS_BASE: join(scratch, 'base.txt'),
    TMPDIR: scratch,
    ...(part.fixtures !== undefined && { MUTANTS_FIXTURES: part.fixtures }),
  };
  const script = `ulimit -t ${SECONDS}; exec "$@"`;
  const { status, stdout } = spawnSync('sh', ['-c', script, 'sh', process.execPath, bundle, ...args], {
    cwd: root,
    env,
    encoding: 'utf8',
    maxBuffer: 1e9,
  });
  return { isKilled: status !== 0, text: stdout.trim().split('\n').at(-1)?.replace(`${root}/`, '') ?? '' };
}

async function main(args: readonly string[]): Promise<number> {
  const option = (name: string): string | undefined => {
    const at = args.indexOf(`--${name}`);
    return at < 0 ? undefined : args[at + 1];
  };
  const under = option('under')?.split(',');
  const parts = PARTS.filter(({ folder }) => under === undefined || under.includes(folder));
  if (parts.length === 0) throw new Error(`--under takes ${PARTS.map(({ folder }) => folder).join(', ')}`);
  const dice = new Dice(Number(option('seed') ?? 1));
  const all = parts.flatMap(mutantsIn);
  const sample = new Set<PlacedMutant>();
  const count = Math.min(all.length, Number(option('count') ?? 100));
  while (sample.size < count) sample.add(dice.pick(all));
  mkdirSync(scratch, { recursive: true });
  let survivors = 0;
  let tests: MutatedPart['tests'] | undefined;
  for (const part of parts) {
    const drawn = [...sample].filter((placed) => placed.part === part);
    if (drawn.length === 0) continue;
    console.log(`${part.folder}: ${drawn.length} mutants`);
    if (part.tests !== tests) {
      ({ tests } = part);
      await bundleWith(part);
      const without = runSuite(part, '--base');
      if (without.isKilled) throw new Error('the tests do not run without a mutant, either');
      console.log(without.text);
    }
    for (const { mutant } of drawn) {
      await bundleWith(part, mutant);
      const { isKilled, text } = runSuite(part);
      if (!isKilled) survivors++;
      console.log(`${isKilled ? 'killed  ' : 'SURVIVED'} ${mutant.file}:${mutant.line} ${mutant.what}${text && ` (${text})`}`); // prettier-ignore
    }
  }
  rmSync(scratch, { recursive: true });
  console.log(`${count - survivors} killed, ${survivors} survived`);
  return 0;
}

void main(process.argv.slice(2)).then((status) => process.exit(status));
