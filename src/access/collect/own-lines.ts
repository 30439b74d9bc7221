import { type ConfigTree, isComplete } from '../../config';
import { findModule } from '../../httpd/modules';
import { isWrittenFor24 } from '../policy';
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
  const read = scopes.filter(({ scope }) => scope.unusedPart === undefined);
  const isFor24 = ({ scope }: ScopeBuilder): boolean =>
    isWrittenFor24(scope) ||
    scope.only24Count > 0 ||
    scope.problems.some(({ problem }) => problem.kind === 'per-request-block');
  const ofServer = read.filter(({ scope }) => scope.place.root.role !== 'htaccess');
  return ofServer.some(({ hasOldLines }) => hasOldLines) && !ofServer.some(isFor24) && read.some(isFor24);
}
