// Runs testing/shapes/check.ts.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';

const scratch = mkdtempSync(join(tmpdir(), 'shapes-'));
try {
  const outfile = join(scratch, 'shapes.cjs');
  await build({
    entryPoints: ['testing/shapes/check.ts'],
    outfile,
    bundle: true,
    platform: 'node',
    sourcemap: 'inline',
    logLevel: 'warning',
  });
  const args = ['--enable-source-maps', outfile, ...process.argv.slice(2)];
  const { status } = spawnSync(process.execPath, args, { stdio: 'inherit' });
  process.exitCode = status ?? 1;
} finally {
  rmSync(scratch, { recursive: true });
}
