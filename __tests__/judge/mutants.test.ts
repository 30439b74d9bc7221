import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { share } from '../../testing/run/size';

const root = join(__dirname, '../..');

/** The last line of `npm run mutants -- --judge`. */
const LAST =
  /(\d+) mutants, .* (\d+) let somebody in without a word where nobody judges, (\d+) with the judge\n$/;

test('no mistake of one token in the parts that decide lets somebody in where the judge is asked', () => {
  const count = share(40, 8);
  const given = ['--judge', '--count', count, '--seed', 1, '--servers', 5].map(String);
  const script = [join(root, 'scripts/run-typescript.mjs'), 'testing/mutants/check.ts', ...given];
  const { stdout, status } = spawnSync(process.execPath, script, { cwd: root, encoding: 'utf8' });
  const [, mutants, alone, judged] = LAST.exec(stdout) ?? [stdout];
  expect([mutants, judged, status]).toEqual([String(count), '0', 0]);
  // A share is too small to say that something opens at all.
  expect(Number(alone)).toBeGreaterThanOrEqual(share(1, 40) - 1);
}, 600_000);
