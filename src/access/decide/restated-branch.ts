import { sameEdits } from '../../edit';
import { awakesIn24 } from '../collect';
import { type Scope, asksTlsFor22Alone, hasVersionBlocks, isReadFor24Alone, setsAccess } from '../policy';
import { groupBy, isSamePattern, memo } from '../primitives';
import { type AccessRun, type GivenGroup, ACCESS_RULE } from '../report';
import { type RewrittenSection, rewriteBranch } from '../rewrite';
import { type VersionBranch, VersionPair, areBothAnswersKnown, branchFor24, isOpening } from '../verify';
import type { RestatedBranch, AccessGroup } from './group';
import { NEW_PROVIDERS } from './lines';
import { shutFromAbove } from './shut-above';
import { needsHostsNotSeen } from './strictest';
import { mayBeAbove } from './unconverted';

/**
 * What becomes of the lines for 2.4 that stand in the place of a section's lines for 2.2; undefined where they stay. Lines that
 * only refuse more than a section without any for 2.2 stay too: their author closed with them what has always been open.
 */
export function restatedBranch(scope: Scope, group: GivenGroup): RestatedBranch | undefined {
  const { met, inherited, run } = group;
  const { facts, collected } = run;
  const isFor24Alone = scope.only22Count === 0;
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
  const requests = { before, byRoute: () => inherited.statesByRoute(scope) };
  const rewrite = rewriteBranch(scope, branch.scope, requests, facts);
  // They may say it as they stand.
  if (rewrite === undefined || rewrite.problem !== undefined || rewrite.edits.length === 0) return undefined;
  const hasItself = isTwin && branch.scope.lines.authTypesFor24.length > 0;
  if (!hasItself && mayLackAuthType(rewrite, scope, met)) return undefined;
  return { rewrite, replaces: isTwin ? undefined : difference };
}

const asksTlsAnywhere = memo((scopes: readonly Scope[]) => scopes.some(asksTlsFor22Alone));

/** Whether a rewrite asks for users where 2.4 may know no AuthType: it would answer 500. */
function mayLackAuthType({ edits }: RewrittenSection, scope: Scope, met: readonly Scope[]): boolean {
  const isFor22 = ({ lines: { only22 } }: Scope): boolean =>
    only22.some(({ node }) => node.key === 'authtype');
  return (
    edits.some(({ written }) => written.requires.some(({ provider }) => !NEW_PROVIDERS.has(provider))) &&
    met.some((other) => isFor22(other) && mayBeAbove(other, scope))
  );
}

/** Whether only 2.4 reads the access lines of a section, while a 2.2 runs it, and no other section has its lines for 2.2. */
function isMeantToReplace(scope: Scope, { collected: { shows22, scopes } }: AccessRun): boolean {
  if (!shows22 || !isReadFor24Alone(scope)) return false;
  return !sectionsLike(scope, scopes).some(
    (other) => other.only22Count > 0 && other !== scope && sectionFor24(other, scopes) === scope,
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
  if (scope.lines.requires24.length > 0) return scope;
  const others = sectionsLike(scope, scopes).filter(
    (other) =>
      other !== scope &&
      other.only24Count > 0 &&
      other.lines.old.length === 0 &&
      other.only22Count === 0 &&
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

/** The sections with lines for one version that open in the same place with the same words, in the order of `scopes`. */
const sectionsLike = (scope: Scope, scopes: readonly Scope[]): readonly Scope[] =>
  byOpening(scopes).get(scope.vhost)?.get(openingOf(scope)) ?? [];

/**
 * Restates lines that their author wrote for 2.4, beside others for 2.2. Where they answer as 2.2 does they stay. Where they say
 * by themselves what those for 2.2 say they are rewritten to what 2.2 decides with all that stands above them; so they are where
 * a 2.2 runs the configuration, so that nothing but its answers has ever been in force. Otherwise they stay, and a finding says
 * so.
 */
export function restateVersionBranches(group: AccessGroup): AccessGroup {
  if (group.refusals.size > 0) return { ...group, unlike: unlikeBranches(group) };
  const { targets, run } = group;
  const { facts, collected } = run;
  if (group.modernScope !== undefined || facts.reading !== '2.2' || run.decidedEdits !== undefined)
    return group;
  const branches = new Map<Scope, RestatedBranch>();
  for (const scope of targets) {
    const holder = sectionFor24(scope, collected.scopes);
    // What lets nobody in has its text, whatever its lines say.
    if (holder === undefined || group.denied.has(scope) || group.denied.has(holder)) continue;
    const restated = restatedBranch(scope, group);
    if (restated !== undefined) branches.set(holder, restated);
  }
  if (branches.size === 0) return group;
  for (const scope of sharedOtherwise(branches, collected.scopes)) branches.delete(scope);
  return withoutKept({ ...group, versionBranches: branches });
}

/** Branches in a `.htaccess` that cannot be written stay, with the directory shut where the server's own files can say so. */
function withoutKept(group: AccessGroup): AccessGroup {
  const { run, versionBranches } = group;
  const branches = new Map(versionBranches);
  const rewrites = new Map(group.rewrites);
  const strict = new Map(group.strict);
  const shut = new Set<string>();
  for (const [scope, { rewrite }] of versionBranches) {
    if (run.tree.cannotWrite?.(scope.place.root) !== true) continue;
    const why = run.tree.keeps?.(scope.file, ACCESS_RULE, rewrite.edits);
    if (why === undefined) continue;
    branches.delete(scope);
    const text = shutFromAbove(scope, group, shut);
    if (text === undefined) continue;
    rewrites.set(scope, text);
    strict.set(scope, { denies: { kind: 'left-alone', why } });
  }
  if (branches.size === versionBranches.size) return group;
  return { ...group, versionBranches: branches, rewrites, strict };
}

/** Sections with lines for 2.2 alone that are not known to say what those for 2.4 do. */
function unlikeBranches(group: AccessGroup): readonly Scope[] {
  return group.targets.filter(
    (scope) =>
      scope.only22Count > 0 &&
      setsAccess(scope) &&
      !answersAs22(scope, branchInPlaceOf(scope, group.run.collected), group),
  );
}

/** Sections whose lines for 2.4 stand in another too, as of a file included twice, where another text would be needed. */
function sharedOtherwise(branches: ReadonlyMap<Scope, RestatedBranch>, scopes: readonly Scope[]): Set<Scope> {
  const result = new Set<Scope>();
  const nodes = new Map<object, Scope>();
  for (const scope of branches.keys()) for (const { node } of scope.lines.requires24) nodes.set(node, scope);
  for (const scope of scopes)
    for (const { node } of scope.lines.requires24) {
      const first = nodes.get(node);
      if (first === undefined || first === scope) continue;
      const edits = branches.get(scope)?.rewrite.edits;
      if (edits !== undefined && sameEdits(branches.get(first)!.rewrite.edits, edits)) continue;
      result.add(first);
      if (edits !== undefined) result.add(scope);
    }
  return result;
}
