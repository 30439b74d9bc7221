import type { Edit } from '../../src/edit';
import type { Argument, Directive } from '../../src/syntax';

/** An edit that removes an argument and the blanks before it. */
export function withoutArgument(node: Directive, index: number): Edit {
  const before: Argument | undefined = node.args[index - 1];
  const { start, end } = node.args[index]!;
  if (before !== undefined) return { start: before.end, end, text: '' };
  const after = node.args[index + 1];
  return { start, end: after === undefined ? end : after.start, text: '' };
}
