import type { ConfigTree } from '../../config';
import { collect } from './collect';
import { isComplete } from './facts';
import { isOurs } from './strangers';

/**
 * Whether mod_authn_default had the last word in 2.2 about a user whom no provider knows: the 401 that 2.4 makes a 500 (2.4
 * mod_authn_core.c: authenticate_no_user). Undefined where the run does not show all modules, or another one may take such users.
 */
export function defaultHadLastWord(tree: ConfigTree): boolean | undefined {
  const { loadModules } = collect(tree);
  if (!isComplete(tree) || !isOurs(tree, loadModules)) return undefined;
  return loadModules.includes('authn_default_module');
}
