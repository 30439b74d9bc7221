import { type ConfigTree, isComplete } from '../../config';
import { findModule } from '../../httpd/modules';
import type { ScopeBuilder } from './scope-builder';

/**
 * Whether the own files of a whole server have old lines alone, and lines for 2.4 stand in a `.htaccess`: whoever may write one
 * says nothing about which version reads the others.
 */
export function isOldButForAccessFiles(
  scopes: readonly ScopeBuilder[],
  tree: ConfigTree,
  loadModules: readonly string[],
): boolean {
  if (!isComplete(tree) || loadModules.some((name) => findModule(name)?.versions === '2.4')) return false;
  const read = scopes.filter(({ isUnused }) => !isUnused);
  const isOfUser = ({ place }: ScopeBuilder): boolean => place.root.role === 'htaccess';
  const ofServer = read.filter((scope) => !isOfUser(scope));
  return (
    ofServer.some(({ hasOldLines }) => hasOldLines) &&
    !ofServer.some(({ isModern, only24 }) => isModern || only24 > 0) &&
    read.some((scope) => scope.isModern && isOfUser(scope))
  );
}
