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
