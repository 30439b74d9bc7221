import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Judged } from './judge';
import { requestText } from './tree';

/** Files that every tree has and none is about. */
const COMMON = /^conf\/(?:modules\.conf|mime\.types|htpasswd|htgroup)$|\.(?:txt|php)$/;

/** A failing tree in words: its files, what the tool made of them, the first requests that differ. */
export function failureText({ tree, verdict, differences, errors, texts }: Judged): string {
  const files = Object.entries(tree.files).flatMap(([path, content]) => {
    if (COMMON.test(path)) return [];
    return typeof content === 'string' ? [`### ${path}\n${content}`] : [`### ${path} -> ${content.link}\n`];
  });
  const changed = Object.entries(texts)
    .filter(([path]) => path !== 'conf/modules.conf')
    .map(([path, text]) => `### ${path}, rewritten\n${text.replaceAll('/srv/tree', '@B@')}`);
  const asked = differences
    .slice(0, 3)
    .map(
      ({ request, before, after, setting, reader }) =>
        `${requestText(request)}${setting === '' ? '' : ` (${setting})`}: 2.2 ${before}, ${reader === '2.2' ? 'the result in 2.2' : 'now'} ${after}`,
    );
  return [
    `== ${tree.name}: ${verdict}; given ${tree.paths.join(' ')}`,
    ...asked,
    ...(differences.length > 3 ? [`and ${differences.length - 3} more`] : []),
    ...errors.map((error) => `error: ${error.slice(0, 400)}`),
    ...files,
    ...changed,
    '',
  ].join('\n');
}

/** Writes failing trees into a folder, each as a text and as a tree that can be judged again. */
export function writeFailures(folder: string, kind: string, failures: readonly Judged[]): void {
  mkdirSync(folder, { recursive: true });
  for (const judged of failures) {
    writeFileSync(join(folder, `${kind}-${judged.verdict}-${judged.tree.name}.txt`), failureText(judged));
    writeFileSync(
      join(folder, `${kind}-${judged.verdict}-${judged.tree.name}.json`),
      JSON.stringify(judged.tree),
    );
  }
}
