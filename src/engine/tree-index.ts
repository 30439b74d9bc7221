import { type ConfigTree, type Place, visitTree } from '../config';
import type { Directive, Section } from '../syntax';
import { memo } from '../maps';

interface PlacedNode<T> {
  readonly node: T;
  readonly place: Place;
}

/** The tree's nodes by name, collected in one walk for all transforms. */
export class TreeIndex {
  private readonly byDirective = new Map<string, NodesOfOneName<Directive>>();
  private readonly bySection = new Map<string, NodesOfOneName<Section>>();

  private readonly tree: ConfigTree;

  constructor(tree: ConfigTree) {
    this.tree = tree;
    visitTree(tree, (node, place) => {
      if (node.kind === 'section') addNode(this.bySection, node, place);
      else if (node.kind === 'directive') addNode(this.byDirective, node, place);
    });
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

  /** The lines of some directives and sections as they are read, not one name after the other. */
  visitInOrder(
    names: readonly string[],
    sectionNames: readonly string[],
    visit: (node: Directive | Section, place: Place) => void,
  ): void {
    const keys = {
      directive: keysIn(this.byDirective, names),
      section: keysIn(this.bySection, sectionNames),
    };
    if (keys.directive.size + keys.section.size === 0) return;
    visitTree(this.tree, (node, place) => {
      if ((node.kind === 'directive' || node.kind === 'section') && keys[node.kind].has(node.key))
        visit(node, place);
    });
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
 * the run.
 */
interface NodesOfOneName<T> {
  readonly nodes: T[];
  readonly places: Place[];
  readonly ends: number[];
}

function addNode<T extends Directive | Section>(
  map: Map<string, NodesOfOneName<T>>,
  node: T,
  place: Place,
): void {
  let lines = map.get(node.key);
  if (lines === undefined) map.set(node.key, (lines = { nodes: [], places: [], ends: [] }));
  lines.nodes.push(node);
  const last = lines.places.length - 1;
  if (lines.places[last] === place) lines.ends[last]!++;
  else {
    lines.places.push(place);
    lines.ends.push(lines.nodes.length);
  }
}

/** The names out of `names` that the tree has, in lower case. */
function keysIn(map: ReadonlyMap<string, unknown>, names: readonly string[]): ReadonlySet<string> {
  return new Set(names.map((name) => name.toLowerCase()).filter((key) => map.has(key)));
}

function visitByName<T>(
  map: ReadonlyMap<string, NodesOfOneName<T>>,
  names: readonly string[],
  visit: (node: T, place: Place) => void,
): void {
  someByName(map, names, (node, place) => {
    visit(node, place);
    return false;
  });
}

function someByName<T>(
  map: ReadonlyMap<string, NodesOfOneName<T>>,
  names: readonly string[],
  visit: (node: T, place: Place) => boolean,
): boolean {
  for (const name of names) {
    const lines = map.get(name.toLowerCase());
    if (lines === undefined) continue;
    let i = 0;
    for (const [run, place] of lines.places.entries())
      for (; i < lines.ends[run]!; i++) if (visit(lines.nodes[i]!, place)) return true;
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
