import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { withDocroot, writeDocroot } from '../httpd/case';
import { readMatrix, readTrees } from './recorded';
import type { Tree } from './recorded';

/** Where a tree is on disk. */
export interface TreePlace {
  readonly site: string;
  readonly docroot: string;
}

export function placeOf(dir: string, id: string): TreePlace {
  return { site: join(dir, id, 'site.conf'), docroot: join(dir, id, 'docroot') };
}

/** Writes the trees of a level as `<dir>/<id>/site.conf` and `<dir>/<id>/docroot`; `dir` is absolute. */
export function materialise(oracle: string, level: number, dir: string): Tree[] {
  const { files } = readMatrix(oracle, level);
  const trees = readTrees(oracle, level);
  for (const tree of trees) {
    const { site, docroot } = placeOf(dir, tree.id);
    mkdirSync(join(dir, tree.id), { recursive: true });
    writeDocroot(docroot, { files, htaccess: tree.htaccess });
    writeFileSync(site, withDocroot(tree.conf, docroot), 'latin1');
  }
  return trees;
}
