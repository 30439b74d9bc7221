import type { Scope } from '../policy';
import type { AllowOverrideIndex } from './allow-override';
import type { FileReading } from './htaccess-lines';
import { type ListNeed, sectionLetIn } from './override-lists';

/** A `.htaccess` section that says for 2.4 in Require lines what it says for 2.2 in Order, Allow and Deny. */
export function hasBothHalves({ only22, only24, policy, lines: { for24 } }: Scope): boolean {
  return only22 > 0 && only24 > 0 && for24.length > 0 && policy.hosts !== undefined;
}

/**
 * What stands in `.htaccess` files for 2.4 already, where 2.2 may say the same in its own words: no more than that is to be let
 * in.
 * @param scopes those that are read and have a say
 * @param others those, and those of files to which 2.2 answers 500
 * @param isMeant a section that may be let in
 * @param reading how the files are read
 */
export function standingNeeds(
  scopes: readonly Scope[],
  others: readonly Scope[],
  overrides: AllowOverrideIndex,
  isMeant: (scope: Scope) => boolean,
  reading: FileReading,
): readonly ListNeed[] {
  if (overrides.sections.length === 0) return [];
  return scopes
    .filter((scope) => hasBothHalves(scope) && isMeant(scope))
    .filter((scope) => sectionLetIn(scope, others, overrides, isMeant, reading) === undefined)
    .map((scope) => ({ scope, names: namesFor24(scope), group: undefined }));
}

/** What the lines for 2.4 of a section use, as it is named in a list. */
function namesFor24({ lines: { for24 } }: Scope): readonly string[] {
  const names = new Map([['require', 'Require']]);
  for (const { inner } of for24)
    for (const { section } of inner)
      if (/^(?:require(?:all|any|none)|limit(?:except)?)$/.test(section.key))
        names.set(section.key, `<${section.name}`);
  return [...names.values()];
}
