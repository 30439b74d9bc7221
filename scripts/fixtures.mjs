// Runs testing/fixtures/write.ts, and with --answers testing/fixtures/answers.ts.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';

const scratch = mkdtempSync(join(tmpdir(), 'fixtures-'));
try {
  const outfile = join(scratch, 'fixtures.cjs');
  await build({
    entryPoints: [`testing/fixtures/${process.argv.includes('--answers') ? 'answers' : 'write'}.ts`],
    outfile,
    bundle: true,
    platform: 'node',
    logLevel: 'warning',
  });
  const { status } = spawnSync(process.execPath, [outfile, ...process.argv.slice(2)], { stdio: 'inherit' });
  process.exitCode = status ?? 1;
} finally {
  rmSync(scratch, { recursive: true });
}
