import { type Place, placeCondition } from '../../src/config';
import { findModule } from '../../src/httpd/modules';
import type { Section } from '../../src/syntax';

/** Whether a block is read only where a module is loaded that does not come with httpd. */
function isForModuleOfOthers({ key, args }: Section): boolean {
  const name = args[0]?.value ?? '';
  return key === 'ifmodule' && !name.startsWith('!') && findModule(name) === undefined;
}

/** Whether 2.4 surely or maybe reads a line without asking first whether a module is loaded that does not come with httpd. */
export function isReadUnasked({ chain }: Place): boolean {
  return placeCondition(chain).on24 !== false && !chain.some(({ section }) => isForModuleOfOthers(section));
}
