// node replay.cjs --oracle DIR --trees DIR [--level N]... [--compat]
// Prints one JSON array of tree reports. Goes into a private network namespace by itself.
import { inNamespace, runInNamespace } from '../httpd/netns';
import { readArguments } from './arguments';
import { compareLevel } from './compare';
import { readMatrix } from './recorded';

async function main(argv: readonly string[]): Promise<string> {
  const { levels, oracle, trees, compat } = readArguments(argv);
  if (!inNamespace()) {
    const hosts = Object.assign({}, ...levels.map((level) => readMatrix(oracle, level).hosts)) as Record<
      string,
      string
    >;
    return runInNamespace(process.argv[1] as string, argv, hosts);
  }
  const reports = [];
  for (const level of levels) reports.push(...(await compareLevel(oracle, level, trees, compat)));
  return JSON.stringify(reports) + '\n';
}

main(process.argv.slice(2)).then(
  (text) => process.stdout.write(text),
  (error: Error) => {
    process.stderr.write(`${error.message}\n`);
    process.exitCode = 2;
  },
);
