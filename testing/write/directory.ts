import fs from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Texts, writeTree } from './write-tree';

const roots: string[] = [];
afterAll(() => roots.forEach((root) => fs.rmSync(root, { recursive: true, force: true })));

/** A new directory with these files, which everybody may read; its real path. It is gone when the tests of a file are through. */
export function directory(texts: Texts = {}): string {
  const root = fs.realpathSync(fs.mkdtempSync(join(tmpdir(), 'codemod-')));
  roots.push(root);
  fs.chmodSync(root, 0o755);
  writeTree(root, texts);
  return root;
}
