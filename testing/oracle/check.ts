// node check.cjs --oracle DIR --trees DIR [--level N]... [--dual] Converts the recorded trees as `httpd-codemod --write site.conf
// docroot` does, and lets 2.4 answer for them. With --dual the same of trees that are for both versions: to 2.2 each must be the
// very tree that it was.
import { writeFileSync } from 'node:fs';
import { convertPaths, treeAfter } from '../run/convert-paths';
import { inNamespace } from '../httpd/netns';
import { differsFor22 } from '../access/sides';
import { readArguments } from './arguments';
import { type TreeVerdict, judge } from './judge';
import { materialise, placeOf } from './materialise';
import { holdModel } from './model';
import { readMatrix, readTrees } from './recorded';
import { replay } from './replay';
import type { RunResult } from '../../src/engine';

/** Levels that are converted completely: the tool may not even refuse one of their trees. */
const COMPLETE = new Set([1, 2]);

/** Groups that may be refused, on all levels together. */
const MAX_REFUSED = 0;
const MAX_STRICT = 3;

async function main(argv: readonly string[]): Promise<void> {
  const args = readArguments(argv);
  if (inNamespace()) {
    process.stdout.write(JSON.stringify(await replay(args, argv)));
    return;
  }
  const results = new Map<string, RunResult>();
  const model = { given: 0, recorded: 0 };
  for (const level of args.levels) {
    const matrix = readMatrix(args.oracle, level);
    for (const recorded of materialise(args.oracle, level, args.trees)) {
      const { id } = recorded;
      const { site, docroot } = placeOf(args.trees, id);
      const result = convertPaths([site, docroot], undefined, args.dual ? { dual: true } : {});
      const after = treeAfter([site, docroot], result);
      const differs = args.dual ? differsFor22(result.tree, after) : undefined;
      const { same, first } = holdModel(result, recorded, matrix, docroot);
      model.given += same;
      model.recorded += recorded.answers.length;
      if (first !== undefined) console.log(`${id}: ${first}`);
      for (const { file, text } of result.plan) writeFileSync(file.path, text, 'latin1');
      results.set(id, differs === undefined ? result : { ...result, failure: differs });
    }
  }
  const reports = new Map((await replay(args, argv)).map((report) => [report.id, report]));
  let [passed, failed, refused, strict] = [0, 0, 0, 0];
  for (const level of args.levels) {
    const counts = { same: 0, strict: 0, refused: 0, failed: 0 };
    for (const { id } of readTrees(args.oracle, level)) {
      const [result, report] = [results.get(id), reports.get(id)];
      if (result === undefined || report === undefined) throw new Error(`${id}: not replayed`);
      const verdict = atLevel(level, judge(result, report));
      counts[verdict.kind]++;
      if (verdict.kind !== 'same')
        console.log(`${id}: ${verdict.kind === 'failed' ? verdict.why : verdict.kind}`);
    }
    console.log(
      `oracle level ${level}${args.dual ? ', for both versions' : ''}: ${counts.same} as recorded, ${counts.strict} stricter, ${counts.refused} refused, ${counts.failed} failed`,
    );
    passed += counts.same + counts.strict + counts.refused;
    strict += counts.strict;
    failed += counts.failed;
    refused += counts.refused;
  }
  console.log(`the model of 2.2 gives ${model.given} of ${model.recorded} recorded answers`);
  if (model.given !== model.recorded) failed++;
  if (refused > MAX_REFUSED || strict > MAX_STRICT) {
    console.log(
      `${refused} trees refused and ${strict} stricter, and ${MAX_REFUSED} and ${MAX_STRICT} may be`,
    );
    failed++;
  }
  console.log(`${passed} passed, ${failed} failed`);
  process.exitCode = failed === 0 ? 0 : 1;
}

function atLevel(level: number, verdict: TreeVerdict): TreeVerdict {
  return (verdict.kind === 'refused' || verdict.kind === 'strict') && COMPLETE.has(level)
    ? { kind: 'failed', why: `${verdict.kind}, on a level that must convert completely` }
    : verdict;
}

main(process.argv.slice(2)).catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 2;
});
