import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { transforms } from '../../transforms';
import { pages } from './pages';

rmSync('docs/rules', { recursive: true, force: true });
for (const [name, text] of pages(transforms)) {
  const path = join('docs', name);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}
