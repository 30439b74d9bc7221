import { type Condition, conditionOf } from '../config';
import type { Section } from '../syntax';
import { guardOf } from './guards';

/**
 * Which server the configuration is read as: a 2.2, or a 2.4 with mod_access_compat, as one must be on which lines of 2.2's access
 * control and of 2.4's meet.
 */
export type Reading = '2.2' | 'compat';

/** Whether the server that the configuration was for reads a block, and whether a 2.4 without mod_access_compat does. */
export interface ReadCondition {
  readonly before: boolean | undefined;
  readonly after: boolean | undefined;
}

export function conditionUnder(
  section: Section,
  defines: Parameters<typeof conditionOf>[1],
  reading: Reading,
): ReadCondition {
  const { on22, on24 }: Condition = conditionOf(section, defines);
  const guard = guardOf(section);
  if (guard !== undefined) return { before: !guard.negated, after: !guard.negated };
  if (reading === '2.2') return { before: on22, after: on24 };
  if (section.key !== 'ifmodule') return { before: on24, after: on24 };
  const [, not = '', name = ''] =
    /^(!?)[ \t]*(.*)$/.exec(section.args.map((arg) => arg.value).join('')) ?? [];
  const compat = name === 'mod_access_compat.c' || name === 'access_compat_module';
  return { before: compat ? not === '' : on24, after: on24 };
}

/** Whether a block inside of another is read, given whether each of them is. */
export function meet(a: boolean | undefined, b: boolean | undefined): boolean | undefined {
  if (a === false || b === false) return false;
  return a === undefined || b === undefined ? undefined : true;
}
