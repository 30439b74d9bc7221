// node check.cjs [--kind KIND]... [--count N] [--seed N] [--dual] [--shrink N] [--failures DIR] [--recorded DIR] Makes N trees of
// each kind, or of those named, converts them and holds what 2.4 makes of the result against what 2.2 made of the tree. --shrink
// makes the first N failures of each kind small, --failures writes them into a folder. --recorded DIR first holds the reading of
// 2.2 against the recorded answers of DIR/trees.jsonl; with --count 0 that is all. --mistakes plants wrong texts in the place of
// right rewrites, and counts those that the product's own checks find. --serve asks a real 2.4 instead, about what the tool makes
// of the trees, and holds the reading of 2.4 against that; --httpd22 PROGRAM a real 2.2, about the trees as they were (its
// modules in ../modules beside it). Both take root, and iproute2.
import { dirname, join } from 'node:path';
import { inNamespace, runInNamespace } from '../httpd/netns';
import { compareServed, program24 } from './compare-served';
import { failureText, writeFailures } from './failures';
import { KIND_NAMES, type Kind } from './kinds';
import { plantMistakes } from './mistakes';
import { holdAgainstRecorded } from './recorded';
import { type Tally, judgeKind, tableOf, treesAtRandom } from './run';
import type { ServerProgram } from './serve';
import { shrunk } from './shrink';

async function main(args: readonly string[]): Promise<void> {
  const option = (name: string): string | undefined => {
    const at = args.indexOf(`--${name}`);
    return at < 0 ? undefined : args[at + 1];
  };
  const chosen = args.flatMap((word, i) => (args[i - 1] === '--kind' ? [word as Kind] : []));
  const dual = args.includes('--dual');
  const count = Number(option('count') ?? 200);
  const seed = Number(option('seed') ?? 1);
  const toShrink = Number(option('shrink') ?? 0);
  const kinds = chosen.length > 0 ? chosen : KIND_NAMES;
  const old = option('httpd22');
  if (args.includes('--serve') || old !== undefined) {
    await serveTrees(args, old, kinds, { seed, count, dual });
    return;
  }
  if (args.includes('--mistakes')) {
    plantAll(kinds, { seed, count, dual });
    return;
  }
  let [passed, failed] = [0, 0];
  const recorded = option('recorded');
  if (recorded !== undefined) {
    const { same, unread, differences } = holdAgainstRecorded(recorded);
    for (const difference of differences) console.log(difference);
    console.log(
      `the reading of 2.2 gives ${same} of ${same + differences.length} recorded answers; ${unread} are of what it does not read`,
    );
    passed += same;
    failed += differences.length;
  }
  const tallies = new Map<string, Tally>();
  for (const kind of count === 0 ? [] : kinds) {
    const tally = judgeKind(kind, seed, count, dual);
    tallies.set(kind, tally);
    const failures = [
      ...tally.failures.slice(0, toShrink).map((judged) => shrunk(judged, dual)),
      ...tally.failures.slice(toShrink),
    ];
    for (const judged of failures.slice(0, toShrink)) console.log(failureText(judged));
    const folder = option('failures');
    if (folder !== undefined) writeFailures(folder, kind, failures);
    passed += tally.trees - failures.length;
    failed += failures.length;
  }
  if (tallies.size > 0) console.log(tableOf(tallies));
  console.log(`${passed} passed, ${failed} failed`);
  process.exitCode = failed === 0 ? 0 : 1;
}

interface Trees {
  readonly seed: number;
  readonly count: number;
  readonly dual: boolean;
}

/** Prints how many planted mistakes are found. */
function plantAll(kinds: readonly Kind[], { seed, count, dual }: Trees): void {
  let [found, missed] = [0, 0];
  for (const kind of kinds) {
    const result = plantMistakes(kind, seed, count, dual);
    const rows = [...result.byVerdict.values()];
    const kindFound = rows.reduce((sum, row) => sum + row.found, 0);
    console.log(`${kind}: ${kindFound} of ${kindFound + result.missed.length} planted mistakes are found`);
    for (const [what, row] of [...result.byVerdict, ...result.byMistake])
      console.log(`  ${what}: ${row.found} of ${row.planted}`);
    for (const line of result.missed.slice(0, 10)) console.log(`  missed: ${line}`);
    found += kindFound;
    missed += result.missed.length;
  }
  console.log(`${found} passed, ${missed} failed`);
  process.exitCode = missed === 0 ? 0 : 1;
}

/** Serves so many trees of each kind, in a namespace in which this script runs a second time. */
async function serveTrees(
  args: readonly string[],
  old: string | undefined,
  kinds: readonly Kind[],
  { seed, count, dual }: Trees,
): Promise<void> {
  if (!inNamespace()) {
    const printed = await runInNamespace(process.argv[1]!, args, {});
    process.stdout.write(printed);
    process.exitCode = printed.endsWith(' 0 failed\n') ? 0 : 1;
    return;
  }
  const program: ServerProgram =
    old === undefined
      ? program24()
      : { bin: old, moduleDir: join(dirname(dirname(old)), 'modules'), version: '2.2' };
  let [passed, failed] = [0, 0];
  for (const kind of kinds) {
    const { trees, requests, differences } = await compareServed(
      program,
      treesAtRandom(kind, seed, count),
      dual,
    );
    for (const difference of differences) console.log(difference);
    console.log(
      `${kind}: ${trees} trees, ${requests} requests, ${differences.length} trees answer differently than read`,
    );
    passed += trees - differences.length;
    failed += differences.length;
  }
  console.log(`${passed} passed, ${failed} failed`);
}

void main(process.argv.slice(2));
