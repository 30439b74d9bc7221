import { type ConfigFile, type ConfigTree, visitTree } from '../config';
import type { Node } from '../syntax';
import { type DualReason, dualReasonText } from './apply';

/**
 * Where `<IfModule mod_authz_core.c>` can be used: httpd evaluates it while it reads, so it must come after the LoadModule line
 * of that module, or after those of the other authz modules, next to which that line will be added.
 */
export class LoadOrder {
  /** File → offset up to which it has been read when the last of those lines comes. */
  readonly #read = new Map<ConfigFile, number>();

  constructor(tree: ConfigTree) {
    const read = new Map<ConfigFile, number>();
    visitTree(tree, (node, { file, root }) => {
      if (root.role === 'htaccess' || root.role === 'unreached') return;
      read.set(file, node.start);
      if (node.kind !== 'directive' || node.key !== 'loadmodule') return;
      if (node.args[0]?.value.startsWith('authz_') === true)
        for (const [readFile, at] of read) this.#read.set(readFile, at);
    });
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

function loadsModules(node: Node): boolean {
  if (node.kind === 'section') return node.body.some(loadsModules);
  return node.kind === 'directive' && (node.key === 'loadmodule' || node.key === 'loadfile');
}
