import type { Place } from '../../src/config';
import type { Edit } from '../../src/edit';
import type { Argument, Directive } from '../../src/syntax';
import { containersOf } from '../common/lines';

/** The section, virtual host or file that a line sets something for: the same object for lines of the same scope. */
export function scopeOf(place: Place): object {
  const container = containersOf(place).at(-1)?.section;
  return container ?? place.chain.find(({ section }) => section.key === 'virtualhost')?.section ?? place.root;
}

/** An edit that removes an argument and the blanks before it. */
export function withoutArgument(node: Directive, index: number): Edit {
  const before: Argument | undefined = node.args[index - 1];
  const { start, end } = node.args[index]!;
  if (before !== undefined) return { start: before.end, end, text: '' };
  const after = node.args[index + 1];
  return { start, end: after === undefined ? end : after.start, text: '' };
}
