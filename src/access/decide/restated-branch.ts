import { awakesIn24 } from '../collect';
import { type Scope, asksTlsFor22Alone, hasVersionBlocks, isReadFor24Alone } from '../policy';
import { groupBy, isSamePattern, memo } from '../primitives';
import type { AccessRun, GivenGroup } from '../report';
import { type RewrittenSection, rewriteBranch } from '../rewrite';
import { type VersionBranch, VersionPair, areBothAnswersKnown, branchFor24, isOpening } from '../verify';
import type { RestatedBranch } from './group';
import { NEW_PROVIDERS } from './lines';
import { needsHostsNotSeen } from './strictest';
import { mayBeAbove } from './unconverted';

/**
 * What becomes of the lines for 2.4 that stand in the place of a section's lines for 2.2; undefined where they stay. Lines that
 * only refuse more than a section without any for 2.2 stay too: their author closed with them what has always been open.
 */
export function restatedBranch(scope: Scope, group: GivenGroup): RestatedBranch | undefined {
  const { met, inherited, run } = group;
  const { facts, collected } = run;
  const isFor24Alone = scope.only22 === 0;
  if (scope.lines.old.length > 0 || (isFor24Alone && !isMeantToReplace(scope, run))) return undefined;
  const pair = pairOf(scope, branchInPlaceOf(scope, collected), group);
  if (pair === undefined || needsHostsNotSeen(scope, pair.before, run)) return undefined;
  const { branch, before } = pair;
  const difference = pair.difference();
  if (difference === undefined) return undefined;
  // No request of 2.2 comes to it: lines that let in nobody else are its strictest form.
  if (awakesIn24(scope) && areBothAnswersKnown(difference) && !isOpening(difference)) return undefined;
  const isTwin = !isFor24Alone && pair.areTwins();
  if (!isTwin && !(collected.shows22 && areBothAnswersKnown(difference))) return undefined;
  if (isFor24Alone && !isOpening(difference)) return undefined;
  // They may ask for the TLS that 2.2 is told to ask for above.
  if (!isOpening(difference) && asksTlsAnywhere(collected.scopes)) return undefined;
  const rewrite = rewriteBranch(
    scope,
    branch.scope,
    { before, byRoute: () => inherited.statesByRoute(scope) },
    facts,
  );
  // They may say it as they stand.
  if (rewrite === undefined || rewrite.problem !== undefined || rewrite.edits.length === 0) return undefined;
  const hasItself = isTwin && branch.scope.lines.authTypesFor24.length > 0;
  if (!hasItself && mayLackAuthType(rewrite, scope, met)) return undefined;
  return { rewrite, replaces: isTwin ? undefined : difference };
}

const asksTlsAnywhere = memo((scopes: readonly Scope[]) => scopes.some(asksTlsFor22Alone));

/** Whether a rewrite asks for users where 2.4 may know no AuthType: it would answer 500. */
function mayLackAuthType({ edits }: RewrittenSection, scope: Scope, met: readonly Scope[]): boolean {
  const isFor22 = ({ lines: { for22 } }: Scope): boolean => for22.some(({ node }) => node.key === 'authtype');
  return (
    edits.some(({ written }) => written.requires.some(({ provider }) => !NEW_PROVIDERS.has(provider))) &&
    met.some((other) => isFor22(other) && mayBeAbove(other, scope))
  );
}

/** Whether only 2.4 reads the access lines of a section, while a 2.2 runs it, and no other section has its lines for 2.2. */
function isMeantToReplace(scope: Scope, { collected: { shows22, scopes } }: AccessRun): boolean {
  return (
    shows22 &&
    isReadFor24Alone(scope) &&
    !sectionsLike(scope, scopes).some(
      (other) => other.only22 > 0 && other !== scope && sectionFor24(other, scopes) === scope,
    )
  );
}

/** Whether it is known that 2.4 answers by a branch, if there is one, as 2.2 does by a section. */
export function answersAs22(...asked: Parameters<typeof pairOf>): boolean {
  const pair = pairOf(...asked);
  return pair !== undefined && pair.difference() === undefined;
}

/** A section beside what 2.4 reads in its place; undefined where that is nothing, or it is reached in too many ways. */
export function pairOf(
  scope: Scope,
  branch: VersionBranch | undefined,
  { inherited, run: { facts } }: GivenGroup,
): VersionPair | undefined {
  const before = branch && inherited.statesBefore(scope);
  return branch && before && new VersionPair(scope.policy, branch, before, facts);
}

/** What 2.4 reads in place of the lines of a section for 2.2. */
export function branchInPlaceOf(
  scope: Scope,
  { scopes, mapping }: AccessRun['collected'],
): VersionBranch | undefined {
  const holder = sectionFor24(scope, scopes);
  return holder && branchFor24(holder, mapping);
}

/** The section with the lines that 2.4 reads in place of those for 2.2: the same, or another for the same place. */
export function sectionFor24(scope: Scope, scopes: readonly Scope[]): Scope | undefined {
  if (scope.lines.for24.length > 0) return scope;
  const others = sectionsLike(scope, scopes).filter(
    (other) =>
      other !== scope &&
      other.only24 > 0 &&
      other.lines.old.length === 0 &&
      other.only22 === 0 &&
      isSamePattern(other.pattern, scope.pattern),
  );
  return others.length === 1 ? others[0] : undefined;
}

/** How a section opens, and in what; a `.htaccess` has its directory instead. */
function openingOf({ kind, section, pattern, parent }: Scope): string {
  const within = `${kind} ${parent?.order ?? ''}`;
  if (section !== undefined) return `${within} ${section.key} ${section.open.rest}`;
  return `${within} ${pattern.kind === 'path' ? pattern.path : ''}`;
}

const byOpening = memo((scopes: readonly Scope[]) => {
  const byHost = groupBy(scopes.filter(hasVersionBlocks), ({ vhost }) => vhost);
  return new Map([...byHost].map(([vhost, inHost]) => [vhost, groupBy(inHost, openingOf)]));
});

/**
 * The sections with lines for one version that open in the same place with the same words, in the order of `scopes`: there may be
 * thousands of others.
 */
const sectionsLike = (scope: Scope, scopes: readonly Scope[]): readonly Scope[] =>
  byOpening(scopes).get(scope.vhost)?.get(openingOf(scope)) ?? [];
