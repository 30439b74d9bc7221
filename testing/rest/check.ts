/**
 * Asks both versions the trees of `__fixtures__/rest`: `HTTPD22=/path/to/bin/httpd node scripts/run-typescript.mjs
 * testing/rest/check.ts [--record] [AREA[/NAME]…]`. Prints which answers differ, and every finding. With `--record`, 2.2's
 * answers are written down, and what differs with the reasons that are there already.
 */
import { existsSync, writeFileSync } from 'node:fs';
import type { Outcome } from '../../src/engine';
import type { RestAnswer } from './plain';
import { RECORDED, type RecordedTree, differingIn, marksOf, readRecorded } from './compare';
import { convertTree } from './convert';
import { type Served, judge, server22, servedBy } from './serve';
import { CONFIG, type RestTree, readTrees } from './tree';

async function main(args: readonly string[]): Promise<void> {
  const bin = process.env['HTTPD22'] ?? '';
  if (!existsSync(bin)) throw new Error('HTTPD22 names no program: set it to the path of an httpd 2.2');
  const wanted = args.filter((arg) => !arg.startsWith('-'));
  const recorded: Record<string, Record<string, RecordedTree>> = existsSync(RECORDED)
    ? { ...readRecorded() }
    : {};
  const count = { same: 0, differ: 0, broken: 0 };
  for (const tree of readTrees()) {
    const id = `${tree.area}/${tree.name}`;
    if (wanted.length > 0 && !wanted.some((start) => id.startsWith(start))) continue;
    const { result, texts } = convertTree(tree);
    let before: Served;
    let after: Served;
    try {
      before = await servedBy({ texts: tree.files, requests: tree.requests }, server22(bin));
      after = await servedBy({ texts, requests: tree.requests }, judge());
    } catch (error) {
      console.log(`=== ${id}: ${(error as Error).message}`);
      count.broken++;
      continue;
    }
    const differing = differingIn(tree, marksOf(before), marksOf(after));
    const known = recorded[tree.area]?.[tree.name]?.differs ?? {};
    recorded[tree.area] = {
      ...recorded[tree.area],
      [tree.name]: {
        marks: marksOf(before),
        ...(differing.length > 0 && {
          differs: Object.fromEntries(differing.map((name) => [name, known[name] ?? '?'])),
        }),
      },
    };
    if (differing.length === 0) count.same++;
    else {
      count.differ++;
      console.log(`=== ${id}\n${shown(tree, before, after).join('\n')}\n${told(result.outcomes).join('\n')}`);
    }
    // Written after each tree, so that nothing is lost where the run ends early.
    if (args.includes('--record')) writeFileSync(RECORDED, `${JSON.stringify(recorded, undefined, 1)}\n`);
  }
  console.log(JSON.stringify(count));
}

function shown({ requests }: RestTree, before: Served, after: Served): string[] {
  const lines = requests.flatMap((request, i) => {
    const parts = partsThatDiffer(before.answers[i]!, after.answers[i]!);
    const headers = request.headers.map((header) => header.join(': ')).join(' | ');
    return parts.length === 0 ? [] : [`  ${request.method} ${request.path} ${headers}`, ...parts];
  });
  const [was, is] = [before.logs.split('\n'), after.logs.split('\n')];
  return [...lines, ...was.flatMap((line, i) => (line === is[i] ? [] : [`  log ${line}\n   -> ${is[i]}`]))];
}

function partsThatDiffer(was: RestAnswer, is: RestAnswer): string[] {
  const names = [...new Set([...Object.keys(was.headers), ...Object.keys(is.headers)])];
  return [
    ...(was.status === is.status ? [] : [`      status ${was.status} -> ${is.status}`]),
    ...names
      .filter((name) => was.headers[name] !== is.headers[name])
      .map((name) => `      ${name}: ${was.headers[name]} -> ${is.headers[name]}`),
    ...(was.body === is.body
      ? []
      : [
          `      body ${JSON.stringify(was.body.slice(0, 300))}\n        -> ${JSON.stringify(is.body.slice(0, 300))}`,
        ]),
  ];
}

function told(outcomes: readonly Outcome[]): string[] {
  return outcomes
    .filter(({ rule, level, status }) => rule !== 'load-module' && (status !== 'applied' || level !== 'info'))
    .map(
      ({ level, status, rule, message, at, file }) =>
        `    ${level} ${status} ${rule} ${file.path.endsWith(CONFIG) ? '' : file.name}:${file.document.positionAt(at).line} ${message.slice(0, 200)}`,
    );
}

main(process.argv.slice(2)).catch((error: unknown) => {
  console.error((error as Error).message);
  process.exitCode = 1;
});
