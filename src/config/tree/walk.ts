import type { Directive, Node } from '../../syntax';
import { type ConfigFile, type ConfigTree, type Frame, type Place, SourceError, type Visit } from '../types';

/** Files that include others more than once can expand without limit; no real server configuration comes near this. */
const MAX_ENTERED = 200_000;

/**
 * Nodes that stand in one place, with the bodies that the sections and Includes among them lead to, in reading order: what is the
 * same for every walk over a tree.
 */
interface Body {
  readonly nodes: readonly Node[];
  readonly place: Place;
  readonly inner: readonly Body[];
}

/** By the files of a tree: its copies, with other wishes of a run, have the same. */
const walked = new WeakMap<ConfigTree['files'], readonly Body[]>();

/**
 * Calls back for every node of the tree in reading order: the roots, with included files in the place of their Include, then each
 * `.htaccess`, then each unreached file. A file that is included twice is visited twice, with different chains. The nodes of one
 * body are handed out with one and the same place, in every walk.
 * @throws SourceError ETOOBIG when too many files are included
 */
export function visitTree(tree: ConfigTree, visit: Visit): void {
  let known = walked.get(tree.files);
  if (known === undefined)
    walked.set(tree.files, (known = bodiesOf(tree, [tree.roots, tree.htaccess, tree.unreached])));
  for (const body of known) visitBody(body, tree, visit);
}

function visitBody({ nodes, place, inner }: Body, tree: ConfigTree, visit: Visit): void {
  let next = 0;
  for (let i = 0; i < nodes.length; i++) {
    const node = nodes[i]!;
    visit(node, place);
    if (inner.length === next) continue;
    for (let remaining = leadsTo(node, tree); remaining > 0; remaining--)
      visitBody(inner[next++]!, tree, visit);
  }
}

/** How many bodies a node leads to. */
function leadsTo(node: Node, tree: ConfigTree): number {
  if (node.kind === 'section') return 1;
  return isInclude(node) ? (tree.includes.get(node)?.length ?? 0) : 0;
}

function isInclude(node: Node): node is Directive {
  return node.kind === 'directive' && (node.key === 'include' || node.key === 'includeoptional');
}

function bodiesOf(tree: ConfigTree, lists: readonly (readonly ConfigFile[])[]): Body[] {
  let entered = 0;

  function bodyOf(nodes: readonly Node[], place: Place): Body {
    const { file, root } = place;
    let inner = NONE;
    const add = (body: Body): void => {
      // Most sections hold one other at most: an array that has been pushed to has room for more than a dozen.
      if (inner === NONE) inner = [body];
      else inner.push(body);
    };
    for (let i = 0; i < nodes.length; i++) {
      const node = nodes[i]!;
      if (node.kind === 'section') add(bodyOf(node.body, placeInside(place, { file, section: node })));
      else if (isInclude(node))
        for (const target of tree.includes.get(node) ?? []) {
          if (++entered > MAX_ENTERED)
            throw new SourceError(root.path, 'ETOOBIG', 'its includes expand to too many files');
          add(enter(target, place.chain, root));
        }
    }
    return { nodes, place, inner };
  }

  function enter(file: ConfigFile, chain: readonly Frame[], root: ConfigFile): Body {
    return bodyOf(file.document.body, { file, chain, root });
  }

  const bodies: Body[] = [];
  for (const roots of lists) for (const root of roots) bodies.push(enter(root, [], root));
  return bodies;
}

const NONE: Body[] = [];

/** So many sections around a place are kept for each; of more, whoever wrote them would decide how much room that takes. */
const KEPT = 32;

/** A place in more sections than {@link KEPT}: its chain is put together when it is asked for. */
class DeepPlace implements Place {
  declare readonly chain: readonly Frame[];

  constructor(
    readonly file: ConfigFile,
    readonly root: ConfigFile,
    readonly around: Place,
    readonly frame: Frame,
  ) {
    // Its own, so that a copy of the place has it, too.
    Object.defineProperty(this, 'chain', CHAIN);
  }
}

/** One for all places, which then have one hidden class. */
const CHAIN: PropertyDescriptor & ThisType<DeepPlace> = {
  get() {
    return chainOf(this);
  },
  enumerable: true,
};

function chainOf(place: DeepPlace): readonly Frame[] {
  const frames: Frame[] = [];
  let at: Place = place;
  for (; at instanceof DeepPlace; at = at.around) frames.push(at.frame);
  return [...at.chain, ...frames.reverse()];
}

function placeInside(around: Place, frame: Frame): Place {
  const { file, root } = around;
  if (around instanceof DeepPlace || around.chain.length >= KEPT)
    return new DeepPlace(file, root, around, frame);
  // As large as it is: a chain is kept for each section of the run.
  return { file, chain: around.chain.concat(frame), root };
}
