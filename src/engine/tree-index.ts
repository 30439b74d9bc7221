import { type ConfigTree, type Place, visitTree } from '../config';
import { type DirectiveContext, judge } from '../httpd/judge';
import type { Directive, Section } from '../syntax';
import { getOrInsert, memo } from '../maps';

interface PlacedNode<T> {
  readonly node: T;
  readonly place: Place;
}

/** The tree's nodes by name, collected in one walk for all transforms. */
export class TreeIndex {
  private readonly byDirective = new Map<string, NodesOfOneName<Directive>>();
  private readonly bySection = new Map<string, NodesOfOneName<Section>>();
  /**
   * Lines of a `.htaccess` to which both versions answer 500, since they are for the server alone: no other list has
   * them, as whoever may write such a file does not say what the server is.
   */
  readonly misplaced: PlacedNode<Directive>[] = [];
  /** Whether a server is given, and not just parts of one, as `isServer` of the tree has it. */
  readonly isServer: boolean;

  readonly #tree: ConfigTree;
  #ofServer: TreeIndex | undefined;

  constructor(tree: ConfigTree) {
    this.#tree = tree;
    this.isServer = tree.isServer;
    const alone = new Map<string, boolean>();
    const isMisplaced = (key: string): boolean => getOrInsert(alone, key, () => isOfServerAlone(key));
    let stretch = 0;
    let before: Place | undefined;
    visitTree(tree, (node, place) => {
      if (place !== before) {
        before = place;
        stretch++;
      }
      if (node.kind === 'section') addNode(this.bySection, node, place, stretch);
      else if (node.kind !== 'directive') return;
      else if (place.root.role === 'htaccess' && isMisplaced(node.key)) this.misplaced.push({ node, place });
      else addNode(this.byDirective, node, place, stretch);
    });
  }

  /** The index without what `.htaccess` files say: this one itself where there are none. */
  get ofServer(): TreeIndex {
    if (this.#tree.htaccess.length === 0) return this;
    // Caches of a tree are keyed by its list of files: another list, other answers.
    const files = this.#tree.files.filter(({ role }) => role !== 'htaccess');
    return (this.#ofServer ??= new TreeIndex({ ...this.#tree, files, htaccess: [] }));
  }

  directives(names: readonly string[]): readonly PlacedNode<Directive>[] {
    return listByName(this.byDirective, names);
  }

  sections(names: readonly string[]): readonly PlacedNode<Section>[] {
    return listByName(this.bySection, names);
  }

  visitDirectives(names: readonly string[], visit: (node: Directive, place: Place) => void): void {
    visitByName(this.byDirective, names, visit);
  }

  visitSections(names: readonly string[], visit: (node: Section, place: Place) => void): void {
    visitByName(this.bySection, names, visit);
  }

  /** Visits the directives, one name after the other, until `visit` says true. Returns whether it did. */
  someDirective(names: readonly string[], visit: (node: Directive, place: Place) => boolean): boolean {
    return someByName(this.byDirective, names, visit);
  }

  someSection(names: readonly string[], visit: (node: Section, place: Place) => boolean): boolean {
    return someByName(this.bySection, names, visit);
  }

  /** Visits directives and sections of several names in the order in which httpd reads them, and not name by name. */
  visitInOrder(
    names: readonly string[],
    sectionNames: readonly string[],
    visit: (node: Directive | Section, place: Place) => void,
  ): void {
    const cursors = [...listsOf(this.byDirective, names), ...listsOf(this.bySection, sectionNames)].map(
      (lines) => new Cursor(lines),
    );
    for (;;) {
      let first: Cursor | undefined;
      for (const cursor of cursors)
        if (!cursor.isAtEnd && (first === undefined || cursor.isBefore(first))) first = cursor;
      if (first === undefined) return;
      first.handOut(visit);
    }
  }

  /** Every directive name of the tree, lower case. */
  get names(): IterableIterator<string> {
    return this.byDirective.keys();
  }

  get sectionNames(): IterableIterator<string> {
    return this.bySection.keys();
  }
}

/**
 * The nodes of one name. Most stand where the one before them does: each place is kept once for a run of nodes, with the end of
 * the run, and the number of the stretch of the tree that it is part of. In a stretch nodes follow each other in one place.
 */
interface NodesOfOneName<T> {
  readonly nodes: T[];
  readonly places: Place[];
  readonly ends: number[];
  readonly stretches: number[];
}

function addNode<T extends Directive | Section>(
  map: Map<string, NodesOfOneName<T>>,
  node: T,
  place: Place,
  stretch: number,
): void {
  let lines = map.get(node.key);
  if (lines === undefined) map.set(node.key, (lines = { nodes: [], places: [], ends: [], stretches: [] }));
  lines.nodes.push(node);
  const last = lines.places.length - 1;
  if (lines.stretches[last] === stretch) lines.ends[last]!++;
  else {
    lines.places.push(place);
    lines.ends.push(lines.nodes.length);
    lines.stretches.push(stretch);
  }
}

/** A position in the nodes of one name, used to merge several such lists into one order. */
class Cursor {
  #at = 0;
  #run = 0;
  readonly #lines: NodesOfOneName<Directive | Section>;

  constructor(lines: NodesOfOneName<Directive | Section>) {
    this.#lines = lines;
  }

  get isAtEnd(): boolean {
    return this.#at === this.#lines.nodes.length;
  }

  /** The byte offset of its next node in the file that this stands in. */
  get #offset(): number {
    const node = this.#lines.nodes[this.#at]!;
    return node.kind === 'section' ? node.open.from : node.from;
  }

  /** Whether its next node is read before that of another. */
  isBefore(other: Cursor): boolean {
    const mine = this.#lines.stretches[this.#run]!;
    const theirs = other.#lines.stretches[other.#run]!;
    return mine === theirs ? this.#offset < other.#offset : mine < theirs;
  }

  handOut(visit: (node: Directive | Section, place: Place) => void): void {
    const { nodes, places, ends } = this.#lines;
    const [node, place] = [nodes[this.#at]!, places[this.#run]!];
    this.#at++;
    if (this.#at === ends[this.#run]) this.#run++;
    visit(node, place);
  }
}

const ACCESS_FILE: DirectiveContext = { sections: [], htaccess: { classes: 'LOFAI' } };

/** Whether 2.4 refuses a directive in every `.htaccess`, and 2.2, too, or does not know it. */
function isOfServerAlone(key: string): boolean {
  const [in22, in24] = (['2.2', '2.4'] as const).map(
    (version) => judge(key, ACCESS_FILE, undefined, version)?.problem,
  );
  return in24 === 'place' && (in22 === 'place' || in22 === 'unknown');
}

/** The nodes of those out of `names` that the tree has. */
function listsOf<T>(
  map: ReadonlyMap<string, NodesOfOneName<T>>,
  names: readonly string[],
): NodesOfOneName<T>[] {
  const keys = new Set(names.map((name) => name.toLowerCase()));
  return [...keys].flatMap((key) => map.get(key) ?? []);
}

function visitByName<T>(
  map: ReadonlyMap<string, NodesOfOneName<T>>,
  names: readonly string[],
  visit: (node: T, place: Place) => void,
): void {
  for (const name of names) {
    const lines = map.get(name.toLowerCase());
    if (lines === undefined) continue;
    const { nodes, places, ends } = lines;
    for (let run = 0, i = 0; run < places.length; run++)
      for (; i < ends[run]!; i++) visit(nodes[i]!, places[run]!);
  }
}

function someByName<T>(
  map: ReadonlyMap<string, NodesOfOneName<T>>,
  names: readonly string[],
  visit: (node: T, place: Place) => boolean,
): boolean {
  for (const name of names) {
    const lines = map.get(name.toLowerCase());
    if (lines === undefined) continue;
    const { nodes, places, ends } = lines;
    for (let run = 0, i = 0; run < places.length; run++)
      for (; i < ends[run]!; i++) if (visit(nodes[i]!, places[run]!)) return true;
  }
  return false;
}

function listByName<T>(
  map: ReadonlyMap<string, NodesOfOneName<T>>,
  names: readonly string[],
): readonly PlacedNode<T>[] {
  const found: PlacedNode<T>[] = [];
  visitByName(map, names, (node, place) => found.push({ node, place }));
  return found;
}

/** The index of a tree, made once. */
export const indexOf = memo((tree: ConfigTree) => new TreeIndex(tree));
