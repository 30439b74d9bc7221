import fs from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Texts, writeTree } from './write-tree';

/** A new directory with these files, which everybody may read; its real path. It is gone when the run of the tests is through. */
export function directory(texts: Texts = {}): string {
  const root = fs.realpathSync(fs.mkdtempSync(join(tmpdir(), 'codemod-')));
  fs.chmodSync(root, 0o755);
  writeTree(root, texts);
  return root;
}
