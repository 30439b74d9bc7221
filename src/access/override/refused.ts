import type { ConfigFile } from '../../config';
import type { Directive, Section } from '../../syntax';
import { type Scope, type SectionPolicy, accessDirectoryOf, hasOwnTree, policiesOf } from '../policy';
import { EMPTY_LIST } from '../primitives';
import { type AllowOverrideIndex, forReading } from './allow-override';
import { isRefusedIn24, lineRefusedByBoth } from './htaccess-lines';
import { type OverrideState, type OverridesInForce, allowsClass, allowsName } from './in-force';

const OF_HOSTS: ReadonlySet<string> = new Set(['order', 'allow', 'deny']);

/** Whether AllowOverride lets a section of a `.htaccess` say what it does to the server that it is for. */
export function maySay({ policy, modernLine, lines }: Scope, inForce: OverridesInForce): boolean {
  const { hosts, requires, authz, satisfy, authType, authorizers } = policy;
  const requiring = requires !== undefined || authz !== undefined || modernLine !== undefined;
  const auth = authType !== undefined || satisfy.length + authorizers.size > 0;
  // AllowOverrideList, which no 2.2 has, lets in single directives.
  const isListed = (name: string): boolean => inForce.names.has(name);
  const areHostsListed = (): boolean =>
    lines.old.every(({ node }) => !OF_HOSTS.has(node.key) || isListed(node.key));
  const isAuthListed =
    authorizers.size === 0 &&
    (authType === undefined || isListed('authtype')) &&
    (satisfy.length === 0 || isListed('satisfy'));
  return (
    (hosts === undefined || allowsClass(inForce, 'L') || areHostsListed()) &&
    (!auth || allowsClass(inForce, 'A') || isAuthListed) &&
    (!requiring || allowsName(inForce, 'Require'))
  );
}

/**
 * What AllowOverride does not let a section of a `.htaccess` say, or the file around it, to all of which httpd then answers 500;
 * undefined where it lets in all that counts.
 */
export function forbiddenIn(
  scope: Scope,
  state: OverrideState,
  overrides: AllowOverrideIndex,
): 'access' | Directive | Section | undefined {
  if (!maySay(scope, forReading(state, scope))) return 'access';
  return scope.reading === '2.2' ? lineRefusedByBoth(overrides.reading)(state)(scope.place.root) : undefined;
}

/**
 * What AllowOverride makes of the access lines of a section in one state: a version takes them, or answers 500 to all below their
 * file, and Require lines in their place are such a 500 to 2.4, too, or may be taken. Undefined where no access line counts: the
 * file is not read, or it is refused for another line whatever becomes of these.
 */
export type LinesFate = 'taken' | 'refused' | 'refused-by-22';

export function fateOfLines(
  scope: Scope,
  state: OverrideState,
  overrides: AllowOverrideIndex,
): LinesFate | undefined {
  const inForce = forReading(state, scope);
  if (!inForce.isRead) return undefined;
  const byOther =
    scope.reading === '2.2' ? lineRefusedByBoth(overrides.reading)(state)(scope.place.root) : undefined;
  if (byOther !== undefined) return undefined;
  if (maySay(scope, inForce)) return 'taken';
  return state.on24.isRead && !state.on24.isOpaque && !allowsName(state.on24, 'Require')
    ? 'refused'
    : 'refused-by-22';
}

/** The fates of a section in all states in which it has one. */
export function fatesOf(scope: Scope, overrides: AllowOverrideIndex): ReadonlySet<LinesFate> {
  return new Set(overrides.statesFor(scope).flatMap((state) => fateOfLines(scope, state, overrides) ?? []));
}

/** Sections of `.htaccess` files that play no part in the decisions of others: whoever comes to one gets 500 of both versions. */
export interface RefusedSections {
  /** Files of which no request gets past the first line that AllowOverride does not let in. */
  readonly files: ReadonlySet<ConfigFile>;
  /** All sections of these, and others that say nothing where their file is no 500. */
  readonly scopes: ReadonlySet<Scope>;
}

/** The sections to which 2.2 answers 500 wherever it reads them; 2.4 does so, too, as they are left as they are. */
export function refusedSections(scopes: readonly Scope[], overrides: AllowOverrideIndex): RefusedSections {
  const refused = new Map<ConfigFile, Set<string>>();
  const silent = new Set<Scope>();
  for (const scope of scopes) {
    const holder = scope.parent ?? scope;
    if (accessDirectoryOf(scope) === undefined || holder.pattern.kind !== 'path') continue;
    const states = overrides.statesFor(scope);
    if (states.length === 0) continue;
    if (states.every((state) => isRefusedIn(scope, state, overrides))) {
      const directories = refused.get(scope.place.root) ?? new Set();
      refused.set(scope.place.root, directories.add(holder.pattern.path));
    } else if (saysNothing(scope, states)) silent.add(scope);
  }
  // Where a link leads to a file it may be read in another directory.
  const files = new Set(
    [...refused].flatMap(([file, { size }]) => (size === file.directories.length ? [file] : [])),
  );
  const isRefused = (scope: Scope): boolean => files.has(scope.place.root) || silent.has(scope);
  return { files, scopes: new Set(scopes.filter(isRefused)) };
}

/** Whether the file of a section is surely a 500 to both versions. */
function isRefusedIn(scope: Scope, state: OverrideState, overrides: AllowOverrideIndex): boolean {
  const { lines, aroundLines } = scope;
  const inForce = forReading(state, scope);
  if (!inForce.isRead || inForce.isOpaque) return false;
  // A line that is surely read may stand beside others of which that is not known.
  if (scope.reading === '2.2' && lineRefusedByBoth(overrides.reading)(state)(scope.place.root) !== undefined)
    return true;
  const isRefused24 = (): boolean =>
    !allowsName(state.on24, 'Require') || isRefusedIn24(overrides.reading)(state.on24)(scope.place.root);
  if (lines.old.length === 0 && (lines.requires24.length === 0 || !isRefused24())) return false;
  return (
    aroundLines.length === 0 &&
    policiesOf(scope).every(({ policy }) => !maySay({ ...scope, policy }, inForce))
  );
}

/**
 * Whether AllowOverride lets in nothing of what a section says, in whatever blocks it stands: where a block is read both versions
 * answer 500 to all below the file, and where it is not nothing is said.
 */
function saysNothing(scope: Scope, states: readonly OverrideState[]): boolean {
  const { aroundLines, policies = EMPTY_LIST, modernLine, problems, only22Count, only24Count, lines } = scope;
  if (scope.reading !== '2.2' || lines.old.length === 0) return false;
  if (aroundLines.length + policies.length === 0) return false;
  if (modernLine !== undefined || only22Count + only24Count > 0) return false;
  const tests = [...aroundLines, ...policies.flatMap((variant) => variant.tests)];
  if (tests.some(({ on24 }) => on24 === false)) return false;
  const said = policiesOf(scope).flatMap(({ policy }) => (setsPart(policy) ? [{ ...scope, policy }] : []));
  const isLetIn = (inForce: OverridesInForce): boolean =>
    problems.length === 0
      ? said.some((part) => maySay(part, inForce))
      : lines.all.some(({ node }) => isLineLetIn(node, inForce));
  return states.every(
    ({ on22, on24 }) =>
      on22.isRead === on24.isRead && !on22.isOpaque && (!on22.isRead || (!isLetIn(on22) && !isLetIn(on24))),
  );
}

/** Whether an access line may stand there by itself. */
function isLineLetIn(node: Directive | Section, inForce: OverridesInForce): boolean {
  if (node.kind === 'section') return true;
  return allowsClass(inForce, OF_HOSTS.has(node.key) ? 'L' : 'A') || inForce.names.has(node.key);
}

function setsPart(policy: SectionPolicy): boolean {
  const { satisfy, authorizers, authType, ssl, tls } = policy;
  return (
    hasOwnTree(policy) || satisfy.length + authorizers.size > 0 || (authType ?? ssl ?? tls) !== undefined
  );
}
