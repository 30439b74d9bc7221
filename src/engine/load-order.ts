import { type ConfigFile, type ConfigTree, isIncludeProblem, problemsByLine, visitTree } from '../config';
import type { Directive, Node } from '../syntax';
import { type DualReason, dualReasonText } from './apply';

/**
 * Where `<IfModule mod_authz_core.c>` can be used: httpd evaluates it while it reads, so it must come after the LoadModule line
 * of that module, or after those of the other authz modules, next to which that line will be added. Where no such line was read,
 * they may stand in files that an Include names and that are not here: then it must come after that Include.
 */
export class LoadOrder {
  /** File → offset up to which it has been read when the last of those lines comes. */
  readonly #read = new Map<ConfigFile, number>();

  constructor(tree: ConfigTree) {
    const read = new Map<ConfigFile, number>();
    const unread = new Map<ConfigFile, number>();
    const lackingAt = problemsByLine(tree.problems.filter(isIncludeProblem));
    let part: ConfigFile | undefined;
    visitTree(tree, (node, { file, root }) => {
      if (root.role === 'htaccess' || (tree.isServer && root.role === 'unreached')) return;
      // Of parts without a server nobody knows which is read first.
      if (root.role === 'unreached' && root !== part) read.clear();
      part = root;
      read.set(file, node.start);
      if (node.kind !== 'directive') return;
      if (namesModules(node) && lackingAt(node, file).length > 0)
        // The line itself may be in a block: both versions read one or the other.
        for (const [readFile, at] of read) unread.set(readFile, readFile === file ? at - 1 : at);
      if (node.key === 'loadmodule' && node.args[0]?.value.startsWith('authz_') === true)
        for (const [readFile, at] of read) this.#read.set(readFile, at);
    });
    if (this.#read.size === 0) for (const [readFile, at] of unread) this.#read.set(readFile, at);
  }

  /** Why the lines from `start` on cannot be put into a block for each version; undefined if they can. */
  dualReason(file: ConfigFile, start: number, nodes: readonly Node[]): DualReason | undefined {
    if (nodes.some(loadsModules)) return 'loads-modules';
    return start <= (this.#read.get(file) ?? -1) ? 'above-load-module' : undefined;
  }

  /** Why the block cannot be used at a place, in words. */
  refusal(file: ConfigFile, start: number): string | undefined {
    const reason = this.dualReason(file, start, []);
    return reason && dualReasonText(reason);
  }
}

/** Where systems keep LoadModule lines, such as `mods-enabled/*.load`. What a template fills in may have blanks. */
const FILES_OF_MODULES = /\.load"?$|(?:^|\/)(?:mods-enabled|(?:conf\.)?mod(?:ule)?s?\.d)(?:["/]|$)/;

function namesModules({ key, rest }: Directive): boolean {
  return /^include(?:optional)?$/.test(key) && FILES_OF_MODULES.test(rest.trim());
}

function loadsModules(node: Node): boolean {
  if (node.kind === 'section') return node.body.some(loadsModules);
  return node.kind === 'directive' && (node.key === 'loadmodule' || node.key === 'loadfile');
}
