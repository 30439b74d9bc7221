import {
  type ConfigFile,
  type ConfigTree,
  conditionOf,
  placeCondition,
  readingOf,
  readsTheSameIn22,
} from '../../config';
import { applyEdits, type Edit } from '../../edit';
import { firstWhere, type Node, parse, type Section, type Span } from '../../syntax';
import type { TreeIndex } from '../tree-index';
import type { Finding } from '../types';
import { getOrInsert } from '../../maps';

/** The blocks that one version reads: no rule may rewrite those for 2.2, or add what a block for 2.4 already says. */
class SkippedBlocks {
  readonly #tree: ConfigTree;
  readonly #index: TreeIndex;
  readonly #spans = new Map<ConfigFile, readonly Span[]>();
  /** Files with blocks that 2.4 alone reads. */
  readonly #with24 = new Set<ConfigFile>();
  #files: ReadonlySet<ConfigFile> | undefined;

  constructor(tree: ConfigTree, index: TreeIndex) {
    this.#tree = tree;
    this.#index = index;
  }

  /** Whether a finding would only change what 2.2 alone reads, or repeat what a block for 2.4 says. */
  holds({ file, edits }: Finding): boolean {
    if (edits.length === 0) return false;
    const spans = this.#spansOf(file);
    // Few files have blocks for one version at all.
    if (spans.length === 0 && !this.#with24.has(file) && !this.#skippedFiles().has(file)) return false;
    const repeats = edits.map((edit) => this.#repeats(file, edit));
    if (repeats.every(Boolean)) return true;
    const { text } = file.document;
    const whole = this.#skippedFiles().has(file) ? { start: 0, end: text.length } : undefined;
    const around = edits.map((edit) => whole ?? spanHolding(spans, edit));
    if (!edits.every((_, i) => repeats[i] === true || around[i] !== undefined)) return false;
    // 2.4 takes the block's line ends into account even so.
    return edits.some((edit, i) => around[i] !== undefined && !this.#leaves22(text, edit, around[i]));
  }

  /** Whether 2.2 reads in a span what it read. */
  #leaves22(text: string, { start, end, text: newText }: Edit, span: Span): boolean {
    const before = text.slice(span.start, span.end);
    const edit = { start: start - span.start, end: end - span.start, text: newText };
    return readsTheSameIn22(before, applyEdits(before, [edit]), this.#tree.defines);
  }

  /** Whether an edit inserts lines that a block for 2.4, in the same section, holds. */
  #repeats(file: ConfigFile, edit: Edit): boolean {
    if (!this.#with24.has(file)) return false;
    const { document } = file;
    const inserted = insertion(document.text, edit);
    if (inserted === undefined) return false;
    const { start, text } = inserted;
    const { defines } = this.#tree;
    const only24 = (node: Node): boolean => {
      if (node.kind !== 'section') return false;
      const { on22, on24 } = conditionOf(node, defines);
      return on22 === false && on24 === true;
    };
    const around = sectionsAt(document.body, start);
    const siblings = around.at(-1)?.body ?? document.body;
    const linesFor24 = new Set<string>();
    for (const node of around.some(only24) ? siblings : siblings.filter(only24)) {
      const block = parse(document.text.slice(node.start, node.end), '2.4');
      for (const line of readingOf(block, '2.4', defines)) linesFor24.add(line);
    }
    const lines = readingOf(parse(text, '2.4'), '2.4', defines);
    return lines.length > 0 && lines.every((line) => linesFor24.has(line));
  }

  #spansOf(file: ConfigFile): readonly Span[] {
    return getOrInsert(this.#spans, file, () => {
      const found: Span[] = [];
      this.#gather(file, file.document.body, found);
      return found;
    });
  }

  #gather(file: ConfigFile, body: readonly Node[], found: Span[]): void {
    for (let i = 0; i < body.length; i++) {
      const node = body[i]!;
      if (node.kind !== 'section') continue;
      const { on22, on24 } = conditionOf(node, this.#tree.defines);
      if (on22 === false && on24 === true) this.#with24.add(file);
      if (on24 !== false) this.#gather(file, node.body, found);
      else if (node.close !== undefined) found.push({ start: node.open.end, end: node.close.start });
    }
  }

  /** Files that nothing includes but blocks that 2.4 skips. */
  #skippedFiles(): ReadonlySet<ConfigFile> {
    if (this.#files !== undefined) return this.#files;
    const skipped = new Set<ConfigFile>();
    const read = new Set<ConfigFile>([...this.#tree.roots, ...this.#tree.htaccess, ...this.#tree.unreached]);
    for (const { node, place } of this.#index.directives(['Include', 'IncludeOptional'])) {
      const on24 = placeCondition(place.chain, this.#tree.defines).on24;
      for (const file of this.#tree.includes.get(node) ?? []) (on24 === false ? skipped : read).add(file);
    }
    for (const file of read) skipped.delete(file);
    return (this.#files = skipped);
  }
}

const known = new WeakMap<ConfigTree, SkippedBlocks>();

export function skippedOf(tree: ConfigTree, index: TreeIndex): SkippedBlocks {
  return getOrInsert(known, tree, () => new SkippedBlocks(tree, index));
}

/** An edit as the insertion that it comes down to, if it does. */
function insertion(text: string, edit: Edit): { readonly start: number; readonly text: string } | undefined {
  const old = text.slice(edit.start, edit.end);
  if (edit.text.startsWith(old)) return { start: edit.end, text: edit.text.slice(old.length) };
  if (edit.text.endsWith(old)) return { start: edit.start, text: edit.text.slice(0, -old.length) };
  return undefined;
}

/** The sections that a place between two lines is in, outermost first. */
function sectionsAt(body: readonly Node[], at: number): Section[] {
  for (const node of body) {
    if (node.start >= at) break;
    if (node.kind === 'section' && at >= node.open.end && at <= (node.close?.start ?? node.end))
      return [node, ...sectionsAt(node.body, at)];
  }
  return [];
}

/** The span that an edit lies in; the spans are in order. */
function spanHolding(spans: readonly Span[], edit: Span): Span | undefined {
  const span = spans[firstWhere(spans, ({ end }) => end >= edit.start)];
  return span !== undefined && edit.start >= span.start && edit.end <= span.end ? span : undefined;
}
