// node check.cjs DIR
// Takes every file below DIR, and every directory in it as one tree, through the tool. Writes nothing.
import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { statusOf } from '../../src/cli/output';
import { SourceError } from '../../src/config';
import { applyEdits } from '../../src/edit';
import type { RunResult } from '../../src/engine';
import { contentOf } from '../../src/report/content';
import { leaves, parse } from '../../src/syntax';
import { convertAgain, convertPaths } from '../run/convert-paths';

/** What the tool may answer instead of converting: there is no configuration at that place. */
const NOT_CONFIGURATION = new Set(['EBINARY', 'ENOCONFIG']);

const LIMIT_MS = 10_000;

function checkSyntax(path: string): string | undefined {
  const bytes = readFileSync(path);
  const text = bytes.toString('latin1');
  for (const grammar of ['2.2', '2.4'] as const) {
    let at = 0;
    for (const leaf of leaves(parse(text, grammar))) {
      if (leaf.start !== at || leaf.end <= at)
        return `grammar ${grammar}: the leaves do not tile at byte ${at}`;
      at = leaf.end;
    }
    if (at !== text.length) return `grammar ${grammar}: nothing holds the bytes from ${at}`;
  }
  return Buffer.from(applyEdits(text, []), 'latin1').equals(bytes) ? undefined : 'no edit, but other bytes';
}

const counts = { changed: 0, passedOver: 0 };

function checkRun(paths: readonly string[]): string | undefined {
  const begin = performance.now();
  let result: RunResult;
  try {
    result = convertPaths(paths);
    if (result.failure !== undefined) return result.failure;
    const { blockers } = contentOf(result, { transforms: [] }).plan;
    if (blockers.length > 0 && statusOf(result, { mode: 'write', failOn: 'error' }) === 0)
      return `${blockers.length} blockers, and the exit status is 0`;
    const again = convertAgain(paths, result);
    const [left] = again.plan;
    if (left !== undefined) return `a second run changes ${left.file.path} again`;
    counts.changed += result.plan.length > 0 ? 1 : 0;
  } catch (error) {
    if (!(error instanceof SourceError && NOT_CONFIGURATION.has(error.code))) throw error;
    counts.passedOver++;
  }
  const took = performance.now() - begin;
  return took < LIMIT_MS ? undefined : `took ${Math.round(took / 1000)} s`;
}

function attempt(check: () => string | undefined): string | undefined {
  try {
    return check();
  } catch (error) {
    return `threw ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`;
  }
}

const [top] = process.argv.slice(2);
if (top === undefined) throw new Error('needs a directory');
const entries = readdirSync(top, { withFileTypes: true, recursive: true });
const trees = readdirSync(top, { withFileTypes: true }).filter((entry) => entry.isDirectory());
const checks = [
  ...entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(resolve(entry.parentPath), entry.name))
    .map((path) => ({ path, check: () => checkSyntax(path) ?? checkRun([path]) })),
  ...trees.map((entry) => resolve(top, entry.name)).map((path) => ({ path, check: () => checkRun([path]) })),
];

let failed = 0;
for (const { path, check } of checks) {
  const problem = attempt(check);
  if (problem === undefined) continue;
  failed++;
  console.log(`${path}: ${problem}`);
}
console.log(
  `corpus: ${checks.length - trees.length} files and ${trees.length} trees; ${counts.changed} of them change, ${counts.passedOver} are no configuration`,
);
console.log(`${checks.length - failed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;
