import {
  type ConfigFile,
  type ConfigTree,
  isSpareAccessFile,
  placeCondition,
  surelyHasCompat,
  visitTree,
} from '../config';
import type { OldLines } from './types';

const OF_COMPAT = new Set(['order', 'allow', 'deny', 'satisfy']);

/** The lines of a text that 2.4 takes with mod_access_compat only; none where the 2.4 that it is for surely has the module. */
export function oldLinesIn(tree: ConfigTree): OldLines {
  const found: { -readonly [Kind in keyof OldLines]: OldLines[Kind] } = {};
  if (surelyHasCompat(tree)) return found;
  const templates = new Set<ConfigFile>();
  visitTree(tree, (node, { file, root, chain }) => {
    // What stands behind a line of a template may not be there once that is filled in.
    if (node.kind === 'stray' && node.reason === 'template') templates.add(file);
    if (node.kind !== 'directive' || !OF_COMPAT.has(node.key)) return;
    const { on24 } = placeCondition(chain);
    if (on24 === false || (root.role === 'unreached' && tree.isServer)) return;
    const isOfHtaccess = root.role === 'htaccess' || (root.role === 'unreached' && isSpareAccessFile(root));
    const isSure = on24 === true && !templates.has(file) && (isOfHtaccess || root.role !== 'unreached');
    if (isOfHtaccess && !isSure) return;
    const kind = isOfHtaccess ? 'ofHtaccess' : isSure ? 'ofServer' : 'mayBeOfServer';
    found[kind] ??= `${file.name}:${file.document.positionAt(node.from).line}`;
  });
  return found;
}
