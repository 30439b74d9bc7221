// node check.cjs [--fixtures] [--oracle DIR --trees DIR] [--shapes DIR] [--corpus DIR] What the judge makes of results that are
// right: it must refuse none of them. And of how many of its questions it can read both answers.
import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { type FileSource, SourceError, loadRereadable, memory } from '../../src/config';
import { disk } from '../../src/config/source/disk';
import { type RunOptions, run } from '../../src/engine';
import { judge } from '../../src/judge';
import { transforms } from '../../transforms';
import { HOME, ROOT, casesOf, readCase } from '../fixtures/case';
import { materialise, placeOf } from '../oracle/materialise';
import { loadLines } from '../run/load-lines';
import { MODULES_22 } from '../shapes/recorded';
import { BASE, type ShapeTree, sourceOf } from '../shapes/tree';

/** A configuration that the tool is given. */
interface GivenTree {
  readonly name: string;
  readonly source: FileSource;
  readonly paths: readonly string[];
  readonly options?: RunOptions;
}

function* fixtures(): Generator<GivenTree> {
  for (const rule of readdirSync(HOME))
    for (const name of casesOf(rule)) {
      const { id, input, options } = readCase(rule, name);
      const paths = `${ROOT}/input.conf` in input ? Object.keys(input) : [ROOT];
      yield { name: id, source: memory(new Map(Object.entries(input))), paths, options };
    }
}

function* oracle(folder: string, trees: string): Generator<GivenTree> {
  for (const level of [1, 2, 3, 4])
    for (const { id } of materialise(folder, level, trees)) {
      const { site, docroot } = placeOf(trees, id);
      yield { name: id, source: disk, paths: [site, docroot] };
    }
}

function* shapes(folder: string): Generator<GivenTree> {
  for (const line of readFileSync(join(folder, 'trees.jsonl'), 'utf8').trim().split('\n')) {
    const recorded = JSON.parse(line) as Omit<ShapeTree, 'paths'> & { readonly paths?: readonly string[] };
    const { name, files: given, paths = ['conf/httpd.conf', 'htdocs'] } = recorded;
    const files = { 'conf/modules.conf': loadLines(MODULES_22), ...given };
    const texts = Object.entries(files).filter(([, text]) => typeof text === 'string' || 'link' in text);
    const source = sourceOf({ files: Object.fromEntries(texts) });
    const there = paths.map((path) => `${BASE}/${path}`).filter((path) => source.kind(path) !== undefined);
    yield { name, source, paths: there };
  }
}

function* corpus(folder: string): Generator<GivenTree> {
  const entries = readdirSync(folder, { withFileTypes: true, recursive: true });
  for (const entry of entries) {
    const path = join(resolve(entry.parentPath), entry.name);
    const isTree = entry.isDirectory() && resolve(entry.parentPath) === resolve(folder);
    if (entry.isFile() || isTree) yield { name: path, source: disk, paths: [path] };
  }
}

const counts = { passed: 0, failed: 0 };

function check(what: string, trees: Iterable<GivenTree>): void {
  let [changed, asked, answered, silent] = [0, 0, 0, 0];
  for (const { name, source, paths, options } of trees) {
    try {
      const loaded = loadRereadable(source, paths, { cwd: '/', defines: new Map(), env: new Map() });
      const { tree, plan, outcomes } = run(loaded, transforms, options);
      const refusals = outcomes.flatMap(({ why }) =>
        why?.startsWith('the check of the result') === true ? why : [],
      );
      if (refusals.length > 0) console.log(`${name}: ${refusals[0]}`);
      counts[refusals.length > 0 ? 'failed' : 'passed']++;
      const after = loaded.reread(new Map(plan.map(({ file, text }) => [file.path, text])));
      if (plan.length === 0 || after === undefined) continue;
      const judgement = judge(tree, after, outcomes);
      if (judgement.asked === 0) continue;
      changed++;
      asked += judgement.asked;
      answered += judgement.answered;
      if (judgement.answered === 0) silent++;
      if (judgement.answered === 0 && process.env['SHOW'] !== undefined) console.log(`silent: ${name}`);
    } catch (error) {
      if (!(error instanceof SourceError)) throw error;
    }
  }
  const share = ((100 * answered) / Math.max(1, asked)).toFixed(1);
  console.log(
    `${what}: ${changed} results asked about, ${silent} of them without any answer; ${asked} questions, ${answered} answered (${share} %)`,
  );
}

const { values } = parseArgs({
  options: {
    fixtures: { type: 'boolean' },
    oracle: { type: 'string' },
    trees: { type: 'string' },
    shapes: { type: 'string' },
    corpus: { type: 'string' },
  },
});
if (values.fixtures === true) check('fixtures', fixtures());
if (values.oracle !== undefined) check('oracle', oracle(values.oracle, resolve(values.trees!)));
if (values.shapes !== undefined) check('shapes', shapes(values.shapes));
if (values.corpus !== undefined) check('corpus', corpus(values.corpus));
console.log(`${counts.passed} passed, ${counts.failed} failed`);
process.exitCode = counts.failed === 0 ? 0 : 1;
