// node check.cjs [--kind KIND]... [--count N] [--seed N] [--dual] [--shrink N] [--failures DIR] [--recorded DIR]
// Makes N trees of each kind, or of those named, converts them and holds what 2.4 makes of the result against what 2.2 made of the tree.
// --shrink makes the first N failures of each kind small, --failures writes them into a folder. --recorded DIR first holds the reading of
// 2.2 against the recorded answers of DIR/trees.jsonl; with --count 0 that is all.
import { failureText, shrunk, writeFailures } from './failures';
import { KIND_NAMES, type Kind } from './kinds';
import { holdAgainstRecorded } from './recorded';
import { type Tally, judgeKind, tableOf } from './run';

function main(args: readonly string[]): void {
  const option = (name: string): string | undefined => {
    const at = args.indexOf(`--${name}`);
    return at < 0 ? undefined : args[at + 1];
  };
  const chosen = args.flatMap((word, i) => (args[i - 1] === '--kind' ? [word as Kind] : []));
  const dual = args.includes('--dual');
  const count = Number(option('count') ?? 200);
  const seed = Number(option('seed') ?? 1);
  const toShrink = Number(option('shrink') ?? 0);
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
  for (const kind of count === 0 ? [] : chosen.length > 0 ? chosen : KIND_NAMES) {
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

main(process.argv.slice(2));
