import { type Frame, type Place, isConditional } from '../../src/config';
import type { Argument, Directive } from '../../src/syntax';

/** The innermost section around a place that is no conditional; undefined at server level. */
export function sectionAround({ chain }: Place): Frame | undefined {
  return chain.findLast(({ section }) => !isConditional(section) && section.key !== 'virtualhost');
}

/** Where a line puts its settings: equal for two lines of one section, reached the same way. */
export function scopeOf(place: Place): object {
  const around = sectionAround(place)?.section;
  return around ?? place.chain.find(({ section }) => section.key === 'virtualhost')?.section ?? place.root;
}

/** Takes an argument away, with the blanks before it. */
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
