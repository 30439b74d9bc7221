import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { transforms } from '../../transforms';
import { lintConfig } from '../imports/lint';
import { pages } from './pages';

// All made before any is taken away: a case may lack its output yet.
const made = pages(transforms);
rmSync('docs/rules', { recursive: true, force: true });
for (const [name, text] of made) {
  const path = join('docs', name);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

writeFileSync('.oxlintrc.json', lintConfig());
execFileSync(process.execPath, ['node_modules/prettier/bin/prettier.cjs', '--write', '.oxlintrc.json']);
