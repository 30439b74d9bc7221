import type { ConfigFile, ConfigTree } from '../../config';
import type { UrlMapping } from '../mapping';
import { type ConditionalTest, type OverrideLine, type Scope, accessDirectoryOf } from '../policy';
import { type AllowOverrideIndex, forReading, overrideIndexOf } from './allow-override';
import type { OverrideState } from './in-force';
import { refusedSections } from './refused';
import { getOrInsert, groupBy } from '../primitives';

/** The sections of a run by what AllowOverride makes of the `.htaccess` files among them. */
interface SplitScopes {
  readonly opened: readonly Scope[];
  /** The opened sections that have a say in who gets in. */
  readonly live: readonly Scope[];
  /** Files that are answered with 500: whoever comes to one gets no further. */
  readonly refused: ReadonlySet<ConfigFile>;
  /** The opened sections that have none for this: all of such a file, and those whose every line is answered with 500. */
  readonly silent: readonly (readonly Scope[])[];
  /** Sections of files that httpd does not read. */
  readonly unread: readonly Scope[];
  readonly overrides: AllowOverrideIndex;
}

const splitsOfRuns = new WeakMap<readonly Scope[], SplitScopes>();

/** What httpd does not read, or answers with 500, has no part in others' decisions. @param tree that of scopes and mapping */
export function splitUnread(scopes: readonly Scope[], mapping: UrlMapping, tree: ConfigTree): SplitScopes {
  return getOrInsert(splitsOfRuns, scopes, () => {
    const overrides = overrideIndexOf(scopes, mapping, tree);
    const unread = scopes.filter((scope) => isUnread(scope, overrides));
    const notRead = new Set(unread);
    const read = notRead.size === 0 ? scopes : scopes.filter((scope) => !notRead.has(scope));
    const opened = withTestsOfFiles(read, overrides);
    const { files, scopes: refused } = refusedSections(opened, overrides);
    const live = refused.size === 0 ? opened : opened.filter((scope) => !refused.has(scope));
    const byFile = groupBy(refused, ({ place }) => place.root);
    return { opened, live, refused: files, silent: [...byFile.values()], unread, overrides };
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

/** The sections of files that AllowOverride has read or not, by conditionals around it, as sections in such a conditional. */
function withTestsOfFiles(scopes: readonly Scope[], overrides: AllowOverrideIndex): readonly Scope[] {
  let isAny = false;
  const all = scopes.map((scope) => {
    const test = testOfFile(scope, overrides);
    if (test === undefined) return scope;
    isAny = true;
    const { aroundLines, aroundSection } = scope;
    if (aroundLines.some(({ name, is }) => name === test.name && is === test.is)) return scope;
    return { ...scope, aroundLines: [...aroundLines, test], aroundSection: [...aroundSection, test] };
  });
  return isAny ? all : scopes;
}

/** In the order in which they stand. */
function comparePlaces({ line: a }: OverrideLine, { line: b }: OverrideLine): number {
  if (a.file.path !== b.file.path) return a.file.path < b.file.path ? -1 : 1;
  return a.node.start - b.node.start;
}

/** What decides whether the file of a section is read: the same for all files under the same AllowOverride lines. */
function testOfFile(scope: Scope, overrides: AllowOverrideIndex): ConditionalTest | undefined {
  const states = overrides.statesFor(scope);
  const isRead = (state: OverrideState): boolean => forReading(state, scope).isRead;
  if (states.every(isRead) || !states.some(isRead)) return undefined;
  const known = overrides.testOfReading(accessDirectoryOf(scope)!);
  if (known !== undefined) return known;
  // Told apart by their words, so that a rewrite, which moves them, leaves them what they are.
  const lines = [...new Set(states.flatMap((state) => forReading(state, scope).line ?? []))].sort(
    comparePlaces,
  );
  const texts = lines.map(({ words, tests }) =>
    [...words, ...tests.map((test) => `${test.is ? '' : '!'}${test.name}`)].join(' '),
  );
  const name = `AllowOverride ${texts.join(', ')}`;
  return { name, asks: { kind: 'other', text: name }, is: true };
}
