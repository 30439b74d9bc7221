// node check.cjs --trees DIR: runs the command on the trees of DIR, in which a real 2.2 with mod_ssl has been asked, by
// DIR/replay.py, which serves the result by a real 2.4. A tree fails where somebody is let in or kept out without a word, or 2.4
// answers 500 or does not start. Needs root, Python 3, iproute2 and httpd 2.4. Its last line is "N passed, N failed".
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { requireHttpd } from '../httpd/binary';

const { values } = parseArgs({ options: { trees: { type: 'string' } } });
if (values.trees === undefined) throw new Error('--trees DIR is missing');
const trees = resolve(values.trees);

function run(command: string, ...args: readonly string[]): string {
  const { status, stdout, stderr, error } = spawnSync(command, args, {
    encoding: 'utf8',
    maxBuffer: 64 << 20,
  });
  if (status === null) throw error ?? new Error(`${command} was ended`);
  process.stderr.write(stderr);
  return stdout;
}

process.env['HTTPD24'] = requireHttpd().bin;
if (!existsSync('/sbin/ip') && !existsSync('/usr/sbin/ip') && !existsSync('/bin/ip'))
  run('apt-get', 'install', '-y', '--no-install-recommends', 'iproute2');
run('npm', 'run', 'build');
const tool = `node ${join(process.cwd(), 'bin/httpd-codemod.js')}`;
const said = run('python3', join(trees, 'replay.py'), join(trees, 'trees.jsonl'), '--tool', tool);
console.log(said.trimEnd());

/** The last line that is printed: `119/198 trees same; opened 14, closed 21, ...`. */
const counts =
  /^[0-9]+\/([0-9]+) trees same; opened ([0-9]+), closed ([0-9]+), 500 ([0-9]+), startup ([0-9]+),/m.exec(
    said,
  );
if (counts === null) throw new Error('the replay has not run to its end');
const [all, ...bad] = counts.slice(1).map(Number) as [number, ...number[]];
const failed = bad.reduce((sum, count) => sum + count, 0);
console.log(`${all - failed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;
