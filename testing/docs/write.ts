import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { transforms } from '../../transforms';
import { lintConfig } from '../imports/lint';
import { pages } from './pages';

const { id } = transforms.find(({ changes }) => !Array.isArray(changes)) ?? {};
if (id !== undefined) {
  const file = readdirSync('transforms', { recursive: true, encoding: 'utf8' }).find((path) => `/${path}`.endsWith(`/${id}.ts`));
  console.error(`transforms/${file ?? '...'}: the rule ${id} lacks \`changes: [...]\`, the changes that it looks after`);
  process.exit(1);
}

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
