import { type ConfigFile, type ConfigTree, visitTree } from '../config';
import type { Node } from '../syntax';

/**
 * Where a block can ask for mod_authz_core: httpd decides as it reads, so that only what stands below the LoadModule line of that module,
 * or below those of its kin that it will stand next to, is answered right.
 */
export class LoadOrder {
  /** How far each file has been read when the last of those lines comes. */
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

  /** Why what starts at `start` cannot be put in blocks that ask for the version; undefined where it can. */
  refusal(file: ConfigFile, start: number, nodes: readonly Node[]): string | undefined {
    if (nodes.some(loadsModules))
      return 'no block can ask for the version before the modules are loaded; keep a file of LoadModule lines for each version';
    if (start <= (this.#read.get(file) ?? -1))
      return 'it stands above the LoadModule lines, where no block can ask for the version; move it below them';
    return undefined;
  }
}

function loadsModules(node: Node): boolean {
  if (node.kind === 'section') return node.body.some(loadsModules);
  return node.kind === 'directive' && (node.key === 'loadmodule' || node.key === 'loadfile');
}
