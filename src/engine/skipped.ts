import { type ConfigFile, type ConfigTree, conditionOf, placeCondition, readsTheSame } from '../config';
import { applyEdits } from '../edit';
import type { Node, Span } from '../syntax';
import type { TreeIndex } from './collect';
import type { Finding } from './types';

/** What 2.4 surely does not read: blocks that are for 2.2 alone are not to be rewritten, by any rule. */
export class Skipped {
  readonly #tree: ConfigTree;
  readonly #index: TreeIndex;
  readonly #spans = new Map<ConfigFile, readonly Span[]>();
  #files: ReadonlySet<ConfigFile> | undefined;

  constructor(tree: ConfigTree, index: TreeIndex) {
    this.#tree = tree;
    this.#index = index;
  }

  /** Whether a finding would change nothing but lines for 2.2, and would change what 2.2 reads there. */
  holds({ file, edits }: Finding): boolean {
    if (edits.length === 0) return false;
    const spans = this.#spansOf(file);
    const within =
      this.#skippedFiles().has(file) ||
      (spans.length > 0 && edits.every((edit) => spans.some((span) => lies(edit, span))));
    if (!within) return false;
    // 2.4 takes the block's line ends into account even so.
    const { text } = file.document;
    return !readsTheSame(text, applyEdits(text, edits), '2.2', this.#tree.defines);
  }

  #spansOf(file: ConfigFile): readonly Span[] {
    let spans = this.#spans.get(file);
    if (spans === undefined) {
      const found: Span[] = [];
      this.#gather(file.document.body, found);
      this.#spans.set(file, (spans = found));
    }
    return spans;
  }

  #gather(body: readonly Node[], found: Span[]): void {
    for (const node of body) {
      if (node.kind !== 'section') continue;
      if (conditionOf(node, this.#tree.defines).on24 !== false) this.#gather(node.body, found);
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

function lies(edit: Span, span: Span): boolean {
  return edit.start >= span.start && edit.end <= span.end;
}
