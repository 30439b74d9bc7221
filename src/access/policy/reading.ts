import { type Condition, conditionOf } from '../../config';
import { nameIn24 } from '../../httpd/modules';
import type { Section } from '../../syntax';
import { NONE } from '../primitives';
import { guardOf } from './guards';
import type { ConfigTest, Reading } from './scope';

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

const CONTAINERS: Readonly<Record<string, string>> = { ifmodule: 'IfModule', ifdefine: 'IfDefine' };

/** Conditional sections by what they test. */
export function configTests(sections: readonly Section[]): readonly ConfigTest[] {
  if (sections.length === 0) return NONE;
  return sections.map((section) => {
    const argument = section.open.rest;
    const is = !argument.startsWith('!');
    const asked = is ? argument : argument.slice(1);
    // The rewrite, which asks the same again, does so in 2.4's words.
    const name = `${CONTAINERS[section.key] ?? section.name} ${section.key === 'ifmodule' ? nameIn24(asked) : asked}`;
    return { name, is, on24: conditionOf(section).on24 };
  });
}
