// node replay-cli.cjs --oracle DIR --trees DIR [--level N]... [--compat]
// Prints one JSON array of tree reports.
import { readArguments } from './arguments';
import { replay } from './replay';

async function main(argv: readonly string[]): Promise<void> {
  process.stdout.write(`${JSON.stringify(await replay(readArguments(argv), argv))}\n`);
}

main(process.argv.slice(2)).catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 2;
});
