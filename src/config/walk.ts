import type { Node } from '../syntax';
import { type ConfigFile, type ConfigTree, type Frame, type Place, SourceError, type Visit } from './types';

/** Files that include others twice over can unfold without end; no server configuration comes near this. */
const MAX_ENTERED = 200_000;

/** All nodes of a tree with their places: what is the same for every walk over it. */
interface Walked {
  readonly nodes: readonly Node[];
  readonly places: readonly Place[];
}

const walked = new WeakMap<ConfigTree, Walked>();

/**
 * Calls back for every node of the tree in reading order: the roots, with included files in the place of their Include, then each
 * `.htaccess`, then each unreached file. A file that is included twice is visited twice, with different chains.
 * @throws SourceError ETOOBIG when the includes unfold beyond all measure
 */
export function visitTree(tree: ConfigTree, visit: Visit): void {
  let known = walked.get(tree);
  if (known === undefined) walked.set(tree, (known = walk(tree)));
  const { nodes, places } = known;
  for (let i = 0; i < nodes.length; i++) visit(nodes[i]!, places[i]!);
}

function walk(tree: ConfigTree): Walked {
  const all: Node[] = [];
  const places: Place[] = [];
  let entered = 0;

  function body(nodes: readonly Node[], place: Place): void {
    for (const node of nodes) {
      all.push(node);
      places.push(place);
      if (node.kind === 'section') {
        const chain = [...place.chain, { file: place.file, section: node }];
        body(node.body, { file: place.file, chain, root: place.root });
      } else if (node.kind === 'directive' && (node.key === 'include' || node.key === 'includeoptional')) {
        for (const file of tree.includes.get(node) ?? []) {
          if (++entered > MAX_ENTERED)
            throw new SourceError(place.root.path, 'ETOOBIG', 'its includes unfold without end');
          enter(file, place.chain, place.root);
        }
      }
    }
  }

  function enter(file: ConfigFile, chain: readonly Frame[], root: ConfigFile): void {
    body(file.document.body, { file, chain, root });
  }

  for (const roots of [tree.roots, tree.htaccess, tree.unreached]) {
    for (const root of roots) enter(root, [], root);
  }
  return { nodes: all, places };
}
