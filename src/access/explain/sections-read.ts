import type { ConfigFile, ConfigTree } from '../../config';
import { type Collected, collect, factsOf } from '../collect';
import { ScopeIndex } from '../models';
import { overridesOf, splitUnread } from '../override';
import { type Facts, type IsIncluded, type Scope, includedAfter, setsAccess } from '../policy';
import { lazy } from '../primitives';
import type { RequestTarget } from '../verify';

/** The sections of a tree that requests can meet, to be looked up. */
export interface SectionsRead {
  readonly index: ScopeIndex;
  readonly isRead: (scope: Scope, vhost: Scope['vhost']) => boolean;
}

/** Tells of sections whether they are in use: what nothing includes is not, unless there is nothing else. */
export function inUse({ roots, htaccess }: ConfigTree): (scope: Scope) => boolean {
  const lone = roots.length + htaccess.length === 0;
  return (scope) => lone || scope.unusedPart === undefined;
}

/** Prepares the sections that are included, without `.htaccess` files that no server opens. */
export function sectionsRead(
  { scopes, mapping }: Collected,
  tree: ConfigTree,
  isIncluded: (scope: Scope) => boolean,
): SectionsRead {
  const { opened, overrides } = splitUnread(scopes.filter(isIncluded), mapping, tree);
  return { index: new ScopeIndex(opened), isRead: (scope, vhost) => overrides.files.isRead(scope, vhost) };
}

/** The sections that a request to a server meets, in the order in which they are merged. */
export function metBy(
  { index, isRead }: SectionsRead,
  target: RequestTarget,
  vhost: Scope['vhost'],
): readonly Scope[] {
  return index.met(target, vhost).filter((scope) => isRead(scope, vhost));
}

/** Sections under one reading, with what holds for all of them. */
interface SectionsWithFacts extends SectionsRead {
  readonly facts: Facts;
}

/** The sections of a configuration, as the server that runs it reads them, and of its rewrite. */
export class SectionsOfBoth {
  readonly before: SectionsWithFacts;
  readonly after: SectionsRead;
  readonly #mixed: () => SectionsWithFacts;

  constructor(
    before: ConfigTree,
    after: ConfigTree,
    isInUse: (scope: Scope) => boolean,
    isInUseAfter: (scope: Scope, isIncluded: IsIncluded) => boolean,
  ) {
    const read = (reading: '2.2' | 'compat'): SectionsWithFacts => {
      const collected = collect(before, reading);
      return { ...sectionsRead(collected, before, isInUse), facts: factsOf(collected, before) };
    };
    const renewed = collect(after);
    const isIncluded = includedAfter(collect(before).scopes, renewed.scopes);
    this.before = read('2.2');
    this.after = sectionsRead(renewed, after, (scope) => isInUseAfter(scope, isIncluded));
    this.#mixed = lazy(() => read('compat'));
  }

  /** What to ask about a request that meets these of the configuration: where lines of both kinds meet, a 2.4 runs it. */
  runningAt(met22: readonly Scope[]): SectionsWithFacts {
    return met22.some(({ modernLine }) => modernLine !== undefined) ? this.#mixed() : this.before;
  }
}

/** The directories of a `.htaccess` in which 2.4 opens it, whatever the virtual host: AllowOverride may keep it from that. */
export function directoriesOpened(file: ConfigFile, tree: ConfigTree): readonly string[] {
  const { overrides, directoriesOf } = overridesOf(tree);
  return directoriesOf(file).filter((path) => overrides.states(path).every(({ on24 }) => on24.isRead));
}

/** Whether a section has a say in who gets in: also one whose lines a single version reads. */
export function saysSomething(scope: Scope): boolean {
  const { ssl, policy, lines, modernLine } = scope;
  if (setsAccess(scope) || ssl.length > 0 || policy.authType !== undefined) return true;
  return lines.old.length + lines.requires24.length > 0 || modernLine !== undefined;
}
