// Runs testing/fixtures/write-fixtures.ts.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';

const scratch = mkdtempSync(join(tmpdir(), 'fixtures-'));
try {
  const outfile = join(scratch, 'fixtures.cjs');
  await build({
    entryPoints: ['testing/fixtures/write-fixtures.ts'],
    outfile,
    bundle: true,
    platform: 'node',
    logLevel: 'warning',
  });
  execFileSync(process.execPath, [outfile, ...process.argv.slice(2)], { stdio: 'inherit' });
} finally {
  rmSync(scratch, { recursive: true });
}
