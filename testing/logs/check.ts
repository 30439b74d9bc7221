// node check.cjs FOLDER [--lines N] [--only NAME]: twelve trees of recorded answers of 2.2, in FOLDER.
// What a log says of their conversion, as it is and with planted mistakes, is held against what a real 2.4 answers.
// It asks N lines in all (200000). Its last line is "N passed, N failed".
import { inNamespace, runInNamespace } from '../httpd/netns';
import { readRecorded } from '../shapes/recorded';
import { type Replayed, replayTree } from './replay';

/**
 * Trees of every sort: hosts, names of clients, users, methods, index files, Limit, links, home directories, variables,
 * applications.
 */
const TREES = new Set([
  'debian_two',
  'dirmatch',
  'env_many',
  'files_index',
  'ht_vhosts',
  'hostforms0',
  'loc_req',
  'methods',
  'nagios',
  'names_expr',
  'pma',
  'userdir',
]);

async function main(argv: readonly string[]): Promise<void> {
  const option = (name: string): string | undefined =>
    argv.includes(name) ? argv[argv.indexOf(name) + 1] : undefined;
  const only = option('--only');
  const trees = readRecorded(argv[0]!).filter(({ name }) =>
    only === undefined ? TREES.has(name) : name === only,
  );
  if (!inNamespace()) {
    const hosts = Object.assign({}, ...trees.map((tree) => tree.hosts)) as Readonly<Record<string, string>>;
    report(JSON.parse(await runInNamespace(process.argv[1]!, argv, hosts)) as readonly Replayed[]);
    return;
  }
  const reports: Replayed[] = [];
  for (const tree of trees)
    reports.push(await replayTree(tree, Math.ceil(Number(option('--lines') ?? 200_000) / trees.length)));
  process.stdout.write(JSON.stringify(reports));
}

function report(reports: readonly Replayed[]): void {
  for (const { name, lines, counts, faults } of reports) {
    console.log(`${name}: ${lines} lines, ${JSON.stringify(counts)}`);
    for (const fault of faults.slice(0, 10)) console.log(`  ${fault}`);
    if (faults.length > 10) console.log(`  and ${faults.length - 10} more`);
  }
  const failed = reports.filter(({ faults }) => faults.length > 0).length;
  console.log(`${reports.length - failed} passed, ${failed} failed`);
  process.exitCode = failed === 0 ? 0 : 1;
}

main(process.argv.slice(2)).catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 2;
});
