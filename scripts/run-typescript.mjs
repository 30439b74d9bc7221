// node scripts/run-typescript.mjs FILE [ARGUMENTS...]: bundles a TypeScript file and runs it, with its line numbers in messages.
// Exits as it does.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';

const [file, ...args] = process.argv.slice(2);
const scratch = mkdtempSync(join(tmpdir(), 'httpd-codemod-script-'));
try {
  const outfile = join(scratch, 'script.cjs');
  await build({
    entryPoints: [file],
    outfile,
    bundle: true,
    platform: 'node',
    target: 'node20',
    sourcemap: 'inline',
    logLevel: 'warning',
  });
  const command = ['--enable-source-maps', outfile, ...args];
  const { status } = spawnSync(process.execPath, command, { stdio: 'inherit' });
  process.exitCode = status ?? 1;
} finally {
  rmSync(scratch, { recursive: true });
}
