import { type ConfigTree, type Place, visitTree } from '../config';
import { sameEdits } from '../edit';
import { livesIn, NEWEST } from '../httpd/release';
import { skippedOf } from './skipped';
import type { Directive, Section } from '../syntax';
import type { Finding, RunOptions, Transform, TransformContext } from './types';

interface Found<T> {
  readonly node: T;
  readonly place: Place;
}

/** The tree's nodes by name, gathered in one walk however many transforms ask. */
export class TreeIndex {
  private readonly byDirective = new Map<string, Lines<Directive>>();
  private readonly bySection = new Map<string, Lines<Section>>();

  constructor(tree: ConfigTree) {
    let count = 0;
    visitTree(tree, (node, place) => {
      if (node.kind === 'section') push(this.bySection, node, place, count++);
      else if (node.kind === 'directive') push(this.byDirective, node, place, count++);
    });
  }

  directives(names: readonly string[]): readonly Found<Directive>[] {
    return gather(this.byDirective, names);
  }

  sections(names: readonly string[]): readonly Found<Section>[] {
    return gather(this.bySection, names);
  }

  visitDirectives(names: readonly string[], visit: (node: Directive, place: Place) => void): void {
    visitLines(this.byDirective, names, visit);
  }

  visitSections(names: readonly string[], visit: (node: Section, place: Place) => void): void {
    visitLines(this.bySection, names, visit);
  }

  /** The same, one name after the other, until `visit` says true; whether it did. */
  someDirective(names: readonly string[], visit: (node: Directive, place: Place) => boolean): boolean {
    return someLine(this.byDirective, names, visit);
  }

  someSection(names: readonly string[], visit: (node: Section, place: Place) => boolean): boolean {
    return someLine(this.bySection, names, visit);
  }

  /** The lines of some directives and sections as they are read, not one name after the other. */
  visitInOrder(
    names: readonly string[],
    sectionNames: readonly string[],
    visit: (node: Directive | Section, place: Place) => void,
  ): void {
    const found: (Found<Directive | Section> & { readonly order: number })[] = [];
    for (const [map, list] of [[this.byDirective, names], [this.bySection, sectionNames]] as const)
      for (const name of list) {
        const { nodes, places, order } = map.get(name.toLowerCase()) ?? NO_LINES;
        for (let i = 0; i < nodes.length; i++)
          found.push({ node: nodes[i]!, place: places[i]!, order: order[i]! });
      }
    found.sort((a, b) => a.order - b.order);
    for (const { node, place } of found) visit(node, place);
  } // prettier-ignore

  /** Every directive name of the tree, lower case. */
  get names(): IterableIterator<string> {
    return this.byDirective.keys();
  }

  get sectionNames(): IterableIterator<string> {
    return this.bySection.keys();
  }
}

/** The lines of one name, side by side: to keep an object of each would take as much as the lines. */
interface Lines<T> {
  readonly nodes: T[];
  readonly places: Place[];
  /** When each is read. */
  readonly order: number[];
}

const NO_LINES: Lines<never> = { nodes: [], places: [], order: [] };

function push<T extends Directive | Section>(
  map: Map<string, Lines<T>>,
  node: T,
  place: Place,
  order: number,
): void {
  let lines = map.get(node.key);
  if (lines === undefined) map.set(node.key, (lines = { nodes: [], places: [], order: [] }));
  lines.nodes.push(node);
  lines.places.push(place);
  lines.order.push(order);
}

function visitLines<T>(
  map: ReadonlyMap<string, Lines<T>>,
  names: readonly string[],
  visit: (node: T, place: Place) => void,
): void {
  for (const name of names) {
    const lines = map.get(name.toLowerCase());
    if (lines === undefined) continue;
    for (let i = 0; i < lines.nodes.length; i++) visit(lines.nodes[i]!, lines.places[i]!);
  }
}

function someLine<T>(
  map: ReadonlyMap<string, Lines<T>>,
  names: readonly string[],
  visit: (node: T, place: Place) => boolean,
): boolean {
  for (const name of names) {
    const lines = map.get(name.toLowerCase());
    if (lines === undefined) continue;
    for (let i = 0; i < lines.nodes.length; i++) if (visit(lines.nodes[i]!, lines.places[i]!)) return true;
  }
  return false;
}

function gather<T>(map: ReadonlyMap<string, Lines<T>>, names: readonly string[]): readonly Found<T>[] {
  const found: Found<T>[] = [];
  visitLines(map, names, (node, place) => found.push({ node, place }));
  return found;
}

const indexes = new WeakMap<ConfigTree, TreeIndex>();

/** The index of a tree, made once. */
export function indexOf(tree: ConfigTree): TreeIndex {
  let index = indexes.get(tree);
  if (index === undefined) indexes.set(tree, (index = new TreeIndex(tree)));
  return index;
}

/** Asks every transform; all see the same tree. */
export function collectFindings(
  tree: ConfigTree,
  transforms: readonly Transform[],
  options: RunOptions,
): Finding[] {
  const findings: Finding[] = [];
  const contextFor = contexts(tree, options, findings);
  for (const transform of transforms) if (isAbout(transform, tree)) transform.run(contextFor(transform));
  return mergeCopies(findings);
}

/** The tree as it is read for the target that the options name. */
export function treeFor(tree: ConfigTree, { target }: Pick<RunOptions, 'target'>): ConfigTree {
  return target === undefined ? tree : { ...tree, target };
}

/** Whether a transform has anything to say about the target. */
export function isAbout({ lifeSpan }: Transform, { target = NEWEST }: ConfigTree): boolean {
  return lifeSpan === undefined || livesIn(lifeSpan, target);
}

/** What each transform is handed for a tree; what they report goes to `findings`. */
export function contexts(
  tree: ConfigTree,
  options: RunOptions,
  findings: Finding[],
): (transform: Transform) => TransformContext {
  const index = indexOf(tree);
  const skipped = skippedOf(tree, index);
  return ({ id, advisory }) => ({
    tree,
    index,
    options: options.ruleOptions?.[id] ?? {},
    target: tree.target ?? NEWEST,
    targetModules: options.targetModules,
    dual: options.dual,
    pinDefaults: options.pinDefaults,
    directives: (names, visit) => index.visitDirectives(names, visit),
    sections: (names, visit) => index.visitSections(names, visit),
    report: (finding) => {
      if (advisory === true && finding.edits.length > 0) throw new Error(`${id} only tells, and would edit`);
      const found = { rule: id, ...finding };
      if (!skipped.holds(found)) findings.push(options.dual === true ? keep(found) : found);
    },
  });
}

/** A file included twice brings each finding twice: equal ones are one, ones with different edits are none. */
export function mergeCopies(findings: readonly Finding[]): Finding[] {
  const byPlace = new Map<string, Finding>();
  const result: Finding[] = [];
  const differing = new Set<Finding>();
  for (const finding of findings) {
    const key = `${finding.rule}\n${finding.file.path}\n${finding.at}\n${finding.edits.length === 0 ? finding.message : ''}`;
    const known = byPlace.get(key);
    if (known === undefined) {
      byPlace.set(key, finding);
      result.push(finding);
    } else if (!sameEdits(known.edits, finding.edits)) differing.add(known);
  }
  if (differing.size === 0) return result;
  return result.map((finding) =>
    differing.has(finding)
      ? {
          ...finding,
          safety: 'manual',
          edits: [],
          message: `${finding.message}: the file is included in places that would need different texts`,
        }
      : finding,
  );
}

/** What 2.4 takes as it is, if with a notice, stays where both versions are to read it: the old words are the ones that both know. */
function keep(finding: Finding): Finding {
  if (finding.level !== 'info' || finding.edits.length === 0 || finding.group !== undefined) return finding;
  return { ...finding, edits: [], message: `${finding.message}; left as it is, for both versions read it` };
}
