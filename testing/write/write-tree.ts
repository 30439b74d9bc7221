import fs from 'node:fs';
import { join } from 'node:path';
import type { Change } from '../../src/engine/types';
import { parse } from '../../src/syntax';

/** File name → text. */
export type Texts = Readonly<Record<string, string>>;

/** What stands below a directory: of each file its text, of a link where it points. */
export function snapshot(root: string): Record<string, string> {
  const found: Record<string, string> = {};
  for (const name of fs.readdirSync(root, { recursive: true, encoding: 'latin1' }).toSorted()) {
    const stat = fs.lstatSync(join(root, name));
    if (stat.isSymbolicLink()) found[name] = `-> ${fs.readlinkSync(join(root, name))}`;
    else if (stat.isFile()) found[name] = fs.readFileSync(join(root, name), 'latin1');
  }
  return found;
}

export function writeTree(root: string, texts: Texts): void {
  for (const [name, text] of Object.entries(texts)) {
    fs.mkdirSync(join(root, name, '..'), { recursive: true });
    fs.writeFileSync(join(root, name), text, 'latin1');
  }
}

/** The plan that gives these files their new texts; what stands there is what was read. */
export function planOf(root: string, texts: Texts): Change[] {
  return Object.entries(texts).map(([name, text]) => {
    const document = parse(fs.readFileSync(join(root, name), 'latin1'));
    const edits = [{ start: 0, end: document.text.length, text }];
    const file = { path: join(root, name), name, role: 'server', document, directories: [] } as const;
    return { file, edits, text };
  });
}
