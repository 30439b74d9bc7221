import { type Frame, type Place, isConditional, placeCondition } from '../../src/config';

/** Whether a line is, or may be, read by 2.2 and by 2.4: what only one of them reads stays as it is. */
export function isCarriedOver({ chain }: Place): boolean {
  const { on22, on24 } = placeCondition(chain);
  return on22 !== false && on24 !== false;
}

/** The sections around a place that are not conditionals and not virtual hosts, outermost first. */
export function containersOf({ chain }: Place): readonly Frame[] {
  return chain.filter(({ section }) => !isConditional(section) && section.key !== 'virtualhost');
}

/** True where a value holds a variable or a placeholder of a template, so that it cannot be read. */
export function isUnknown(value: string): boolean {
  return /[$]\{|@[A-Za-z_]+@|<%|%%|\{\{/.test(value);
}
