import {
  type Frame,
  type ConfigFile,
  type ConfigTree,
  isSpareAccessFile,
  placeCondition,
  surelyHasCompat,
  visitTree,
} from '../config';
import { isProvider } from '../httpd/providers';
import { type Directive, readWords } from '../syntax';
import type { OldLines, Outcome, Withdrawal } from './types';

const OF_COMPAT = new Set(['order', 'allow', 'deny', 'satisfy']);

/**
 * The lines of a text that 2.4 takes with mod_access_compat only, where the 2.4 that it is for may be without, and the Require
 * lines that it may refuse.
 */
export function oldLinesIn(tree: ConfigTree): OldLines {
  const found: { -readonly [Kind in keyof OldLines]: OldLines[Kind] } = {};
  const hasCompat = surelyHasCompat(tree);
  const templates = new Set<ConfigFile>();
  visitTree(tree, (node, { file, root, chain }) => {
    // What stands behind a line of a template may not be there once that is filled in.
    if (node.kind === 'stray' && node.reason === 'template') templates.add(file);
    if (node.kind !== 'directive') return;
    const isDoubtful = node.key === 'require' && mayBeRefused(node, chain);
    if (!isDoubtful && (hasCompat || !OF_COMPAT.has(node.key))) return;
    const { on24 } = placeCondition(chain);
    if (on24 === false || (root.role === 'unreached' && tree.isServer)) return;
    const isOfHtaccess = root.role === 'htaccess' || (root.role === 'unreached' && isSpareAccessFile(root));
    const isSure = on24 === true && !templates.has(file) && (isOfHtaccess || root.role !== 'unreached');
    if (isOfHtaccess && (isDoubtful || !isSure)) return;
    const kind = isOfHtaccess ? 'ofHtaccess' : isSure && !isDoubtful ? 'ofServer' : 'mayBeOfServer';
    found[kind] ??= `${file.name}:${file.document.positionAt(node.from).line}`;
  });
  return found;
}

/**
 * The `.htaccess` files whose old lines stay in a result, where a second run would read lines of others otherwise beside them:
 * those that it would change too, if there are any. What it would change in such files alone keeps nobody.
 */
export function filesThatUnsettle(after: ConfigTree, secondOutcomes: readonly Outcome[]): Withdrawal {
  const changed = new Set(
    secondOutcomes.flatMap(({ status, file: { path } }) => (status === 'applied' ? path : [])),
  );
  const left = new Set<string>();
  if (changed.size > 0)
    visitTree(after, (node, { root, chain }) => {
      const isOld = node.kind === 'directive' && OF_COMPAT.has(node.key);
      if (isOld && root.role === 'htaccess' && placeCondition(chain).on24 !== false) left.add(root.path);
    });
  const both = [...left].filter((path) => changed.has(path));
  const unsettling = both.length > 0 ? both : [...left];
  return {
    why: 'its old lines would stay, and a second run would read those of others otherwise beside them',
    madeBy: changed.size > both.length ? unsettling : [],
  };
}

/** Whether 2.4 may refuse a Require line: no module of it answers it, or it has no effect there (mod_authz_core.c). */
function mayBeRefused({ rest }: Directive, chain: readonly Frame[]): boolean {
  const words = readWords(rest).map(({ value }) => value);
  const isNegated = words[0]?.toLowerCase() === 'not';
  const [provider = '', ...asked] = isNegated ? words.slice(1) : words;
  if (!isProvider(provider) || (provider === 'all' && !/^(?:granted|denied)$/i.test(asked.join(' '))))
    return true;
  return (
    isNegated && chain.findLast(({ section }) => CONTAINERS.has(section.key))?.section.key !== 'requireall'
  );
}

const CONTAINERS = new Set(['requireall', 'requireany', 'requirenone']);
