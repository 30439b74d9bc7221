import { isConditional } from '../../config';
import {
  type Scope,
  type ScopeLine,
  type SectionPolicy,
  directoryOf,
  hasOwnTree,
  hasVersionBlocks,
  isReadFor24Alone,
  isWrittenFor24,
  policiesOf,
  saysSatisfyAny,
} from '../policy';
import { groupBy, isWithin, lazy, memo, mayBeOnOneWay } from '../primitives';
import { type AccessRun, type Refusal, isOfOverride, mayBeKeptAlone, unknownPart } from '../report';
import type { AccessGroup } from './group';

/** The group with other refusals, and with what follows from them. */
export function withRefusals(group: AccessGroup, refusals: ReadonlyMap<Scope, Refusal>): AccessGroup {
  if (refusals.size + group.refusals.size === 0) return group;
  return { ...group, refusals, isKept: !areKeptAlone(group.met, refusals, group.run) };
}

/**
 * Whether the sections that are refused can stay while those that they meet are converted. 2.4 must refuse each of them by
 * itself: it does not start with old lines in the server's files, and answers 500 to those of a `.htaccess`, so that nobody gets
 * in where they are met. What is only met below such a section may stay too.
 */
function areKeptAlone(met: readonly Scope[], refusals: ReadonlyMap<Scope, Refusal>, run: AccessRun): boolean {
  const read = [...refusals].filter(([scope, refusal]) => !isNoFileOfHttpd(scope, refusal));
  if (read.length === 0) return true;
  if (read.every(([scope, { kind }]) => kind === 'open-question' && isApart(scope, met, refusals)))
    return true;
  if (!isOf22Alone(run)) return false;
  const mayKeep = lazy(() => mayBeKept(met, run));
  for (const [scope, refusal] of read) {
    // What it says is known.
    if (refusal.kind === 'left-alone' || refusal.kind === 'below-unread') {
      if (!isRefusedAsWritten(scope, run, refusal.kind)) return false;
    } else if (!mayKeep()(scope) || !canKeepAlone(scope, refusal, run)) return false;
  }
  const isMixed = [...refusals].some(([scope, { kind }]) => kind === 'mixed' && isWrittenFor24(scope));
  if (!isMixed || !mayHaveCompat(run)) return true;
  return ![...refusals.keys()].some((scope) => isOpenedFromAbove(scope, met, refusals));
}

/**
 * Whether a section that stays may let in more on a 2.4 with mod_access_compat once those above it are converted: one with
 * AuthMerging takes their Require lines, which were host lists, with its own, and one with a Satisfy of its own, and without
 * Require, takes those of sections with `Satisfy Any`, which 2.2 let it inherit otherwise.
 */
function isOpenedFromAbove(scope: Scope, met: readonly Scope[], refusals: AccessGroup['refusals']): boolean {
  const modern = [...scope.lines.requires, ...scope.lines.requires24];
  const isMerging = scope.lines.merging.length > 0;
  const setsSatisfy = policiesOf(scope).some(({ policy }) => policy.satisfy.length > 0);
  if (!isMerging && (!setsSatisfy || modern.some(isSure))) return false;
  return met.some(
    (other) => isWritten(other, refusals) && (isMerging || saysSatisfyAny(other)) && mayBeAbove(other, scope),
  );
}

function isWritten(other: Scope, refusals: ReadonlyMap<Scope, Refusal>): boolean {
  return other.lines.old.length > 0 && !refusals.has(other);
}

/**
 * Whether a section that stays says the same on a 2.4 with mod_access_compat, whatever becomes of the others: host lists are not
 * merged, and its Require lines take the place of others, unless AuthMerging says otherwise; without any it must inherit none
 * that is written. Those below it get its host list, too, which can only refuse more, unless it has Satisfy Any.
 */
function isApart(scope: Scope, met: readonly Scope[], refusals: ReadonlyMap<Scope, Refusal>): boolean {
  const { policies } = scope;
  const { old, requires, requires24, merging } = scope.lines;
  const modern = [...requires, ...requires24];
  const isOpen = old.some(({ node }) => node.key === 'satisfy');
  if (policies !== undefined || isOpen || !old.some(isSure) || merging.length > 0) return false;
  return (
    modern.some(isSure) ||
    (modern.length === 0 && !met.some((other) => isWritten(other, refusals) && mayBeAbove(other, scope)))
  );
}

/** Whether a section may be merged before one: only of what has the path of a directory it is known which are not. */
export function mayBeAbove(other: Scope, { kind, pattern, placeUnknown }: Scope): boolean {
  if ((kind !== 'directory' && kind !== 'htaccess') || pattern.kind !== 'path' || placeUnknown) return true;
  if (other.kind !== 'directory' && other.kind !== 'htaccess') return false;
  return other.pattern.kind !== 'path' || other.placeUnknown || isWithin(pattern.path, other.pattern.path);
}

/** Whether it is known what all of the run says to a 2.2, and whether anything else has a say. */
function isOf22Alone({ facts, decidedEdits }: AccessRun): boolean {
  return facts.reading === '2.2' && decidedEdits === undefined;
}

/**
 * Whether a section that cannot be converted may stay at all: to a 2.2 that is seen, lines for 2.4 let nobody in. The blocks for
 * each version in a `.htaccess` are nothing to a section that no request meets together with it.
 */
export function mayBeKept(met: readonly Scope[], run: AccessRun): (scope: Scope) => boolean {
  const { shows22 } = run.collected;
  if (!isOf22Alone(run) || run.dual || (!shows22 && met.some(isWrittenFor24))) return () => false;
  const blocks = met.filter((scope) => hasVersionBlocks(scope) && !isReadFor24Alone(scope));
  if (blocks.some(({ place }) => place.root.role !== 'htaccess')) return () => false;
  const among = new Set(blocks.map(directoryOf));
  return (scope) => ![...among].some((path) => mayBeOnOneWay(path, directoryOf(scope)));
}

/** Whether a section may stay for the reason that it is refused for. */
export function canKeepAlone(scope: Scope, refusal: Refusal, run: AccessRun): boolean {
  return (
    (isRefusedBy24(scope) ||
      (isOfOverride(refusal) && isRefusedWhereRead(scope)) ||
      (refusal.kind === 'inherits-unconverted' && refusal.always)) &&
    (scope.place.root.role !== 'htaccess' || (!isWrittenFor24(scope) && isKeptShut(scope, refusal, run))) &&
    !(refusal.kind === 'inherits-unconverted' && letsInBelow(scope, refusal.other, run)) &&
    scope.problems.every(({ problem }) => unknownPart(problem) !== undefined) &&
    mayBeKeptAlone(refusal)
  );
}

/** Whether both versions answer 500 to all below a `.htaccess`, which has no access line that could say anything else. */
function isNoFileOfHttpd({ place: { root }, lines }: Scope, { kind }: Refusal): boolean {
  const { old, requires, requires24 } = lines;
  if (root.role !== 'htaccess' || old.length + requires.length + requires24.length > 0) return false;
  return (
    kind === 'misplaced-section' ||
    (kind === 'template' && root.isTemplate !== true && root.document.flaws > 0)
  );
}

/**
 * Whether what stays may let in where it is met before sections that are converted: its host list and `Satisfy Any` are then
 * theirs, if a 2.4 with mod_access_compat reads them. Lines for 2.4 among those that stay make that likely.
 */
export function letsInBelow(scope: Scope, mixed: Scope, run: AccessRun): boolean {
  return isWrittenFor24(mixed) && mayHaveCompat(run) && saysSatisfyAny(scope);
}

function mayHaveCompat({ tree }: AccessRun): boolean {
  return tree.targetModules?.has('access_compat_module') !== false;
}

/** Whether 2.4 comes to a line of the section that it does not know. */
function isRefusedBy24({ policies, lines: { old } }: Scope): boolean {
  return policies === undefined && old.some(isSure);
}

/**
 * Whether 2.4 comes to a line that it does not know wherever the section says anything: what stands in blocks that are not read
 * is nothing to both versions.
 */
function isRefusedWhereRead(scope: Scope): boolean {
  const { aroundLines, problems, unanswered } = scope;
  if (problems.length + unanswered.length > 0 || hasVersionBlocks(scope)) return false;
  return policiesOf(scope).every(
    ({ tests, policy }) =>
      [...aroundLines, ...tests].every(({ on24 }) => on24 !== false) &&
      (saysNothing(policy) || policy.hosts !== undefined || policy.satisfy.length > 0),
  );
}

function saysNothing(policy: SectionPolicy): boolean {
  return !hasOwnTree(policy) && policy.satisfy.length === 0;
}

function isSure({ inner }: ScopeLine): boolean {
  return inner.every(({ section }) => !isConditional(section));
}

const HOSTS = new Set(['order', 'allow', 'deny']);

/**
 * Whether nobody new gets in by the old lines of a `.htaccess` where the sections around it are converted: a 2.4 with
 * mod_access_compat takes its host list and Satisfy with the Require lines that it has or inherits, and no host list or Satisfy
 * of the sections above.
 */
function isKeptShut(scope: Scope, refusal: Refusal | undefined, run: AccessRun): boolean {
  if (!mayHaveCompat(run)) return true;
  const { old, requires, requires24 } = scope.lines;
  if (refusal !== undefined && isOfOverride(refusal) && isRefusedWhereRead(scope))
    return policiesOf(scope).every(({ policy }) => saysNothing(policy) || staysShut(policy));
  // Those of the file above are in force here, too.
  if (refusal?.kind === 'inherits-unconverted' && refusal.always && old.length === 0) return true;
  const hasHosts = old.some((line) => isSure(line) && HOSTS.has(line.node.key));
  const isAsked = requires.length + requires24.length > 0;
  const satisfies = policiesOf(scope).flatMap(({ policy }) => policy.satisfy.map(({ value }) => value));
  if (!hasHosts || satisfies.includes('any')) return !isAsked && old.length === 0;
  return satisfies.length === 0 || isAsked;
}

/** Whether a 2.4 with mod_access_compat lets in nobody new by what a `.htaccess` says, as {@link isKeptShut} has it. */
function staysShut({ hosts, satisfy, requires }: SectionPolicy): boolean {
  const isOpen = satisfy.some(({ value }) => value === 'any');
  return hosts !== undefined && !isOpen && (satisfy.length === 0 || requires !== undefined);
}

/**
 * Whether a `.htaccess` that is not changed is a 500 to 2.4. Where mod_access_compat reads one that is left alone, it may let in
 * whom the sections above kept out: that is told, and blocks, but whoever may write the file must not keep those of others from
 * being converted. Of one below what could not be read nobody knows whom that keeps out.
 */
export function isRefusedAsWritten(
  { place: { root } }: Scope,
  run: AccessRun,
  kind: 'left-alone' | 'below-unread',
): boolean {
  const inFile = scopesByFile(run.collected).get(root) ?? [];
  return (
    inFile.some(({ lines: { old } }) => old.some(isSure)) &&
    (kind === 'left-alone' || inFile.every((scope) => isKeptShut(scope, undefined, run)))
  );
}

const scopesByFile = memo((collected: AccessRun['collected']) =>
  groupBy(collected.scopes, ({ place }) => place.root),
);
