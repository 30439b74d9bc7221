import type { ConfigFile } from '../../config';
import { findModule } from '../../httpd/modules';
import type { Directive, Section } from '../../syntax';
import { type OverrideLine, conditionalTests } from '../policy';
import type { ScopeContext } from './lines';

/**
 * An AllowOverride or AllowOverrideList line, with the conditionals that decide whether it is read.
 * @param loaded modules that the lines before it load, whatever conditionals say
 * @returns undefined where no version reads it
 */
export function overrideLine(
  node: Directive,
  { condition, inner, outer, undecided, compat }: ScopeContext,
  file: ConfigFile,
  { key, values }: { readonly key: string; readonly values: readonly string[] },
  loaded: ReadonlySet<string>,
): OverrideLine | undefined {
  const open: Section[] = [];
  for (const section of [...outer, ...undecided]) {
    const holds = staysLoaded(section, loaded);
    if (holds === false) return undefined;
    if (holds === undefined) open.push(section);
  }
  const on22 = condition.before !== false;
  const on24 = condition.after !== false || compat === true;
  if (!on22 && !on24) return undefined;
  const isList = key === 'allowoverridelist';
  const words = values.map((value) => value.toLowerCase());
  return { isList, words, line: { file, node, inner }, on22, on24, tests: conditionalTests(open) };
}

/** What an `<IfModule>` asks for is loaded, and what loads it stays; undefined where that is not known. */
function staysLoaded(section: Section, loaded: ReadonlySet<string>): boolean | undefined {
  const [, not = '', name = ''] = /^(!?)(.*)$/.exec(section.args[0]?.value ?? '') ?? [];
  if (section.key !== 'ifmodule' || section.args.length !== 1) return undefined;
  const identifier = findModule(name)?.identifier;
  if (identifier === undefined || !loaded.has(identifier)) return undefined;
  return not === '';
}
