import type { ConfigFile, ConfigTree } from '../../config';
import type { UrlMapping } from '../mapping';
import type { Scope } from '../policy';
import { type AllowOverrideIndex, forReading, overrideIndexOf } from './allow-override';
import { refusedFiles } from './refused';
import { getOrInsert } from '../primitives';

/** The sections of a run by what AllowOverride makes of the `.htaccess` files among them. */
interface SplitScopes {
  readonly opened: readonly Scope[];
  /** The opened sections that have a say in who gets in. */
  readonly live: readonly Scope[];
  /** Files that are answered with 500: whoever comes to one gets no further. */
  readonly refused: ReadonlySet<ConfigFile>;
  /** Sections of files that httpd does not read. */
  readonly unread: readonly Scope[];
  readonly overrides: AllowOverrideIndex;
}

const splitsOfRuns = new WeakMap<readonly Scope[], SplitScopes>();

/** What httpd does not read, or answers with 500, has no part in others' decisions. @param tree that of scopes and mapping */
export function splitUnreadFiles(
  scopes: readonly Scope[],
  mapping: UrlMapping,
  tree: ConfigTree,
): SplitScopes {
  return getOrInsert(splitsOfRuns, scopes, () => {
    const overrides = overrideIndexOf(scopes, mapping, tree);
    const unread = scopes.filter((scope) => isUnread(scope, overrides));
    const silent = new Set(unread);
    const opened = silent.size === 0 ? scopes : scopes.filter((scope) => !silent.has(scope));
    const refused = refusedFiles(opened, overrides);
    const live = refused.size === 0 ? opened : opened.filter(({ place }) => !refused.has(place.root));
    return { opened, live, refused, unread, overrides };
  });
}

/** Leaves of sections without a line those that requests meet. @param split that of the sections with lines */
export function liveAmong(
  scopes: readonly Scope[],
  split: Pick<SplitScopes, 'overrides' | 'refused'>,
): readonly Scope[] {
  const { overrides, refused } = split;
  return scopes.filter((scope) => !refused.has(scope.place.root) && !isUnread(scope, overrides));
}

/** Whether httpd opens a `.htaccess` in no case: no server looks for it, or AllowOverride keeps all of them from that. */
function isUnread(scope: Scope, overrides: AllowOverrideIndex): boolean {
  if (!overrides.files.isWanted(scope)) return true;
  const states = overrides.statesFor(scope);
  return states.length > 0 && states.every((state) => !forReading(state, scope).isRead);
}
