import type { Document } from './document';
import type { Node, Section } from './nodes';

/** Every node of `body` and below in the order of the file, with the sections it stands in, outermost first. */
export function* walk(
  body: readonly Node[],
  parents: readonly Section[] = [],
): Generator<readonly [Node, readonly Section[]]> {
  for (const node of body) {
    yield [node, parents];
    if (node.kind === 'section') yield* walk(node.body, [...parents, node]);
  }
}

/** Counts the lines that httpd would reject, for comparing a text with its rewrite. */
export function countStray(document: Document): number {
  let count = 0;
  for (const [node] of walk(document.body)) {
    if (node.kind === 'stray' || (node.kind === 'section' && node.close === undefined)) count++;
  }
  return count;
}
