import { type Frame, type Place, isConditional } from '../../src/config';
import type { Argument, Directive } from '../../src/syntax';

/** The innermost section around a place that is no conditional; undefined at server level. */
export function sectionAround({ chain }: Place): Frame | undefined {
  return chain.findLast(({ section }) => !isConditional(section) && section.key !== 'virtualhost');
}

/** The section, virtual host or file that a line sets something for: the same object for lines of the same scope. */
export function scopeOf(place: Place): object {
  const around = sectionAround(place)?.section;
  return around ?? place.chain.find(({ section }) => section.key === 'virtualhost')?.section ?? place.root;
}

/** An edit that removes an argument and the blanks before it. */
export function withoutArgument(
  node: Directive,
  index: number,
): { start: number; end: number; text: string } {
  const before: Argument | undefined = node.args[index - 1];
  const { start, end } = node.args[index]!;
  if (before !== undefined) return { start: before.end, end, text: '' };
  const after = node.args[index + 1];
  return { start, end: after === undefined ? end : after.start, text: '' };
}
