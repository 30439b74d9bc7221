import {
  type ConfigFile,
  type ConfigTree,
  conditionOf,
  placeCondition,
  readingOf,
  readsTheSame,
} from '../config';
import { applyEdits, type Edit } from '../edit';
import { type Node, parse, type Span } from '../syntax';
import type { TreeIndex } from './collect';
import type { Finding } from './types';

/**
 * What stands in blocks for one version: those for 2.2 alone are not to be rewritten, by any rule, and what one for 2.4 says already is
 * not to be said again.
 */
export class Skipped {
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

  /** Whether a finding would change nothing but lines for 2.2, and what 2.2 reads there, or would repeat what 2.4 reads. */
  holds({ file, edits }: Finding): boolean {
    if (edits.length === 0) return false;
    const spans = this.#spansOf(file);
    if (edits.every((edit) => this.#repeats(file, edit))) return true;
    const within =
      this.#skippedFiles().has(file) ||
      (spans.length > 0 && edits.every((edit) => spans.some((span) => lies(edit, span))));
    if (!within) return false;
    // 2.4 takes the block's line ends into account even so.
    const { text } = file.document;
    return !readsTheSame(text, applyEdits(text, edits), '2.2', this.#tree.defines);
  }

  /** Whether an edit inserts lines that a block for 2.4, in the same section, holds. */
  #repeats(file: ConfigFile, { start, end, text }: Edit): boolean {
    if (start !== end || !this.#with24.has(file)) return false;
    const { document } = file;
    const { defines } = this.#tree;
    const said = new Set<string>();
    for (const node of bodyAt(document.body, start)) {
      if (node.kind !== 'section') continue;
      const { on22, on24 } = conditionOf(node, defines);
      if (on22 !== false || on24 !== true) continue;
      const block = parse(document.text.slice(node.start, node.end), '2.4');
      for (const line of readingOf(block, '2.4', defines)) said.add(line);
    }
    const lines = readingOf(parse(text, '2.4'), '2.4', defines);
    return lines.length > 0 && lines.every((line) => said.has(line));
  }

  #spansOf(file: ConfigFile): readonly Span[] {
    let spans = this.#spans.get(file);
    if (spans === undefined) {
      const found: Span[] = [];
      this.#gather(file, file.document.body, found);
      this.#spans.set(file, (spans = found));
    }
    return spans;
  }

  #gather(file: ConfigFile, body: readonly Node[], found: Span[]): void {
    for (const node of body) {
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

/** The innermost body that a place between two lines is in. */
function bodyAt(body: readonly Node[], at: number): readonly Node[] {
  for (const node of body) {
    if (node.start >= at) break;
    if (node.kind === 'section' && at >= node.open.end && at <= (node.close?.start ?? node.end))
      return bodyAt(node.body, at);
  }
  return body;
}

function lies(edit: Span, span: Span): boolean {
  return edit.start >= span.start && edit.end <= span.end;
}
