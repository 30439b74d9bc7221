import { inNamespace, runInNamespace } from '../httpd/netns';
import type { Arguments } from './arguments';
import { compareLevel } from './compare';
import type { TreeReport } from './compare';
import { readMatrix } from './recorded';

/**
 * Serves the trees on 2.4 and compares their answers with the recorded ones, in a private network namespace. The calling script
 * is run a second time in there, with the same arguments: it must come here again, and print what it gets as JSON.
 */
export async function replay(args: Arguments, argv: readonly string[]): Promise<TreeReport[]> {
  const { levels, oracle, trees, compat } = args;
  if (!inNamespace()) {
    const hosts: Record<string, string> = {};
    for (const level of levels) Object.assign(hosts, readMatrix(oracle, level).hosts);
    return JSON.parse(await runInNamespace(process.argv[1] as string, argv, hosts)) as TreeReport[];
  }
  const reports = [];
  for (const level of levels) reports.push(...(await compareLevel(oracle, level, trees, compat)));
  return reports;
}
