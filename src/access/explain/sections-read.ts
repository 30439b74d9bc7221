import type { ConfigTree } from '../../config';
import type { Collected } from '../collect';
import { ScopeIndex, placedScopes } from '../models';
import { splitUnreadFiles } from '../override';
import { type Scope, setsAccess } from '../policy';
import type { RequestTarget } from '../verify';

/** The sections of a tree that requests can meet, to be looked up. */
export interface SectionsRead {
  readonly index: ScopeIndex;
  readonly isRead: (scope: Scope, vhost: Scope['vhost']) => boolean;
}

/** Prepares the sections that are included, without `.htaccess` files that no server opens. */
export function sectionsRead(
  { scopes, mapping }: Collected,
  tree: ConfigTree,
  isIncluded: (scope: Scope) => boolean,
): SectionsRead {
  const { opened, overrides } = splitUnreadFiles(scopes.filter(isIncluded), mapping, tree);
  return { index: new ScopeIndex(opened), isRead: (scope, vhost) => overrides.files.isRead(scope, vhost) };
}

/** The sections that a request to a server meets, in the order in which they are merged. */
export function metBy(
  { index, isRead }: SectionsRead,
  target: RequestTarget,
  vhost: Scope['vhost'],
): readonly Scope[] {
  return placedScopes(index.candidates(target, vhost), target).filter((scope) => isRead(scope, vhost));
}

/** Whether a section has a say in who gets in: also one whose lines a single version reads. */
export function saysSomething(scope: Scope): boolean {
  return (
    setsAccess(scope) ||
    scope.ssl.length > 0 ||
    scope.policy.authType !== undefined ||
    scope.lines.old.length + scope.lines.for24.length > 0 ||
    scope.modern !== undefined
  );
}
