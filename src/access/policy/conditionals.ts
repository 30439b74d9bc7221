import { type Condition, conditionOf, isConditional } from '../../config';
import { type ModuleInfo, findModule, nameIn24 } from '../../httpd/modules';
import type { Section } from '../../syntax';
import { EMPTY_LIST, memo } from '../primitives';
import type { ConditionalTest, Reading, Scope } from './scope';

/** Modules of a 2.2 as it is built by default that 2.4 has too, and the words after `Require` that they answer in 2.4. */
export const STOCK_MODULES: Readonly<Record<string, readonly string[]>> = {
  __proto__: null!,
  authz_host_module: ['ip', 'host', 'local', 'forward-dns'],
  authz_user_module: ['user', 'valid-user'],
  authz_groupfile_module: ['group'],
  auth_basic_module: [],
  authn_file_module: [],
};

/** `<IfModule>` around access lines that asks for a stock module: where 2.2 reads them it had that module. */
export interface Guard {
  readonly identifier: string;
  readonly negated: boolean;
}

/** What a conditional asks, if it is a guard. */
export const guardOf = memo((section: Section): Guard | undefined => {
  const { module, negated = false } = guardedModule(section) ?? {};
  if (module === undefined || !(module.identifier in STOCK_MODULES)) return undefined;
  return { identifier: module.identifier, negated };
});

/** The module that an `<IfModule>` asks for, or for the lack of it, in one bare word, as 2.2 takes it. */
export function guardedModule(
  section: Section,
): { readonly module: ModuleInfo; readonly negated: boolean } | undefined {
  const word = section.args[0]?.value;
  if (section.key !== 'ifmodule' || word === undefined || section.open.rest !== word) return undefined;
  const negated = word.startsWith('!');
  const module = findModule(negated ? word.slice(1) : word);
  return module && { module, negated };
}

/**
 * The module that a guard asks for, where the LoadModule lines read before it load others of the stock ones and not this: then
 * nothing is built in, and whether 2.2 had it is not known.
 */
export function missingGuardModule(section: Section, loadModules: readonly string[]): string | undefined {
  const guard = guardOf(section);
  if (guard === undefined || loadModules.includes(guard.identifier)) return undefined;
  return loadsStockModule(loadModules) ? guard.identifier : undefined;
}

/** Whether LoadModule lines load modules that a 2.2 has built in where it has any: then what they do not load is not there. */
export function loadsStockModule(loadModules: readonly string[]): boolean {
  return loadModules.some((identifier) => identifier in STOCK_MODULES);
}

/** Whether the server that the configuration was for reads a block, and whether a 2.4 without mod_access_compat does. */
export interface ReadCondition {
  readonly before: boolean | undefined;
  readonly after: boolean | undefined;
}

/** Who reads what stands in a section: everybody, where that is no conditional. */
export function conditionUnder(
  section: Section,
  defines?: Parameters<typeof conditionOf>[1],
  reading: Reading = '2.2',
): ReadCondition {
  const { on22, on24 }: Condition = conditionOf(section, defines);
  const guard = guardOf(section);
  if (guard !== undefined) return { before: !guard.negated, after: !guard.negated };
  const compat = asksForCompat(section);
  // With mod_access_compat no 2.4 reads what asks for the lack of it, and without it none reads the rest: nothing that must hold
  // may stand there.
  if (reading === '2.2')
    return { before: on22 ?? asksForBase(section), after: compat === undefined ? on24 : false };
  return { before: compat ?? on24, after: on24 };
}

/** Whether an `<IfModule>` asks for mod_access_compat; false: for the lack of it, undefined: for something else. */
export function asksForCompat(section: Section): boolean | undefined {
  if (section.key !== 'ifmodule') return undefined;
  const asked = /^(!?)[ \t]*(?:mod_access_compat\.c|access_compat_module)$/.exec(
    section.args.map(({ value }) => value).join(''),
  );
  return asked === null ? undefined : asked[1] === '';
}

/** Modules that a 2.2 is built with unless told otherwise, and that no 2.4 has: to ask for one is to ask for the version. */
const BASE_OF_22 = new Set(['authz_default_module', 'authn_default_module']);

/** Whether a 2.2 reads a block that asks for such a module; undefined for any other block. */
function asksForBase(section: Section): boolean | undefined {
  const asked = guardedModule(section);
  return asked !== undefined && BASE_OF_22.has(asked.module.identifier) ? !asked.negated : undefined;
}

/** What conditionals ask. */
export function conditionalTests(sections: readonly Section[]): readonly ConditionalTest[] {
  if (sections.length === 0) return EMPTY_LIST;
  return sections.map((section): ConditionalTest => {
    const { key, open } = section;
    const is = !open.rest.startsWith('!');
    const asked = is ? open.rest : open.rest.slice(1);
    const { on24 } = conditionOf(section);
    if (key !== 'ifmodule' && key !== 'ifdefine') {
      const text = `${section.name} ${asked}`;
      return { name: text, asks: { kind: 'other', text }, is, on24 };
    }
    // The rewrite, which asks the same again, does so in 2.4's words.
    const [kind, argument] =
      key === 'ifmodule' ? (['module', nameIn24(asked)] as const) : (['define', asked] as const);
    const name = `If${kind === 'module' ? 'Module' : 'Define'} ${argument}`;
    return { name, asks: { kind, argument }, is, on24 };
  });
}

/** What is asked around the virtual host that a section stands in: whether there is one. */
export function testsAroundHost({ vhost, place: { chain } }: Scope): readonly ConditionalTest[] {
  const at = chain.findIndex(({ section }) => section === vhost);
  if (at <= 0) return EMPTY_LIST;
  return conditionalTests(
    chain.slice(0, at).flatMap(({ section }) => (isConditional(section) ? section : [])),
  );
}

/** Whether what one place asks and what another asks cannot both hold. */
export function testsExclude(a: readonly ConditionalTest[], b: readonly ConditionalTest[]): boolean {
  return a.some((testA) => b.some((testB) => testA.name === testB.name && testA.is !== testB.is));
}
