// Writes docs/: a page for each rule and the table of what is covered.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';

const scratch = mkdtempSync(join(tmpdir(), 'docs-'));
try {
  const outfile = join(scratch, 'docs.cjs');
  await build({
    entryPoints: ['testing/docs/write.ts'],
    outfile,
    bundle: true,
    platform: 'node',
    logLevel: 'warning',
  });
  execFileSync(process.execPath, [outfile], { stdio: 'inherit' });
} finally {
  rmSync(scratch, { recursive: true });
}
