import type { Document } from './document';
import type { Node, SectionClose, SectionOpen } from './nodes';
import type { Span } from './span';
import { readWords } from './words';

export type LeafKind = 'bom' | 'space' | 'word' | 'comment' | 'stray' | 'raw';

/** One piece of the text. `space` is everything between words: blanks, continuations, line ends, bytes after a NUL. */
export interface Leaf extends Span {
  readonly kind: LeafKind;
}

/** The leaves of a document in order. They tile its text: no gap, no overlap, nothing left over. */
export function* leaves(document: Document): Generator<Leaf> {
  if (document.bom > 0) yield { kind: 'bom', start: 0, end: document.bom };
  for (const node of document.body) yield* nodeLeaves(node);
}

function* nodeLeaves(node: Node): Generator<Leaf> {
  if (node.kind === 'section') {
    yield* lineLeaves(node.open, 'word');
    for (const child of node.body) yield* nodeLeaves(child);
    if (node.close !== undefined) yield* lineLeaves(node.close, 'word');
  } else if (node.kind === 'raw') {
    yield { kind: 'raw', start: node.start, end: node.end };
  } else {
    yield* lineLeaves(node, node.kind === 'directive' ? 'word' : node.kind === 'blank' ? 'space' : node.kind);
  }
}

type LineLike = Exclude<Node, { kind: 'section' | 'raw' }> | SectionOpen | SectionClose;

function* lineLeaves(node: LineLike, kind: LeafKind): Generator<Leaf> {
  let at = node.start;
  for (const { start, end } of kind === 'word' ? words(node) : [{ start: node.from, end: node.to }]) {
    if (start > at) yield { kind: 'space', start: at, end: start };
    if (end > start) yield { kind, start, end };
    at = end;
  }
  if (node.end > at) yield { kind: 'space', start: at, end: node.end };
}

function words(node: LineLike): Span[] {
  const logical = node.logical;
  return readWords(logical.text).map((word) => logical.span(word.start, word.end));
}
