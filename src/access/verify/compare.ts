import { appendAll } from '../../syntax';
import { type ConfigTree, type SlashMerging, dirname } from '../../config';
import { type Slashes, collect, factsOf } from '../collect';
import { findMixedSections, isRunByCompat, wantedAsWritten } from '../inherit';
import type { UrlMapping } from '../mapping';
import { ScopeIndex, hostKey, isUnsure, withMergedSlashes } from '../models';
import { type FilesByHost, splitUnread } from '../override';
import {
  type Facts,
  type Scope,
  accessDirectoryOf,
  includedAfter,
  includedScopes,
  scopesByUnusedPart,
  setsSomething,
} from '../policy';
import { EMPTY_LIST, directoriesAbove, getOrInsert, groupBy, isWithin, lazy, memo } from '../primitives';
import { SectionShapes, chooseSections } from './section-choice';
import { HostPairs } from './host-pairs';
import { HostsToAsk, globalScopes, neighbours } from './surroundings';
import { type RequestTarget, anyTargets, targetsFor, withDoubledSlashes } from './test-requests';
import { type AnswerDifference, type DifferenceKind, isStricter, firstDifference } from './first-difference';

/** How much is asked: of a small configuration nearly everything, of a large one a sample of sections, targets and clients. */
const MAX_TARGETS = 40;
const MAX_CLIENTS = 300;
const BUDGET = 24_000;
/** So many sections are asked about beside the sample, where that shows a difference. */
const MAX_MORE = 2000;

/**
 * Asks the 2.2 model of the configuration as it was and the 2.4 model of the rewrite the same requests: a check on the whole way
 * from the policy to the text. Sections that still need mod_access_compat are left out. Where the sample of a large run shows a
 * difference, all its other sections are asked about, too.
 * @param isWanted whether a section is asked about
 * @param counts whether a difference is one to return: else others are looked for
 * @param as22 sections in which lines of both versions meet are read as 2.2 does, too
 */
export function differences(
  before: ConfigTree,
  after: ConfigTree,
  isWanted: (scope: Scope) => boolean,
  counts: (difference: DifferenceKind) => boolean,
  as22 = false,
): AnswerDifference[] {
  const result: AnswerDifference[] = [];
  const old = collect(before);
  const renewed = collect(after);
  const facts = factsOf(old, before);
  const isIncludedIn = lazy(() => includedAfter(old.scopes, renewed.scopes));
  const parts = [...scopesByUnusedPart(old.scopes)];
  // The parts that stand in one directory, which one Include may read.
  const byDirectory = groupBy(before.isServer ? [] : parts, ([first]) => dirname(first!.place.root.path));
  const beside = [...byDirectory.values()].filter(({ length }) => length > 1).map((some) => some.flat());
  for (const inside of [undefined, ...parts, ...beside]) {
    const unusedParts = new Set(
      inside === undefined ? [undefined] : inside.map(({ unusedPart }) => unusedPart),
    );
    const isIncluded = ({ unusedPart }: Scope): boolean =>
      unusedPart === undefined || unusedParts.has(unusedPart);
    const isIncludedAfter = (scope: Scope): boolean =>
      [...unusedParts].some((part) => isIncludedIn()(scope, part));
    const isTarget = (scope: Scope): boolean =>
      unusedParts.has(scope.unusedPart) && isAsked(scope) && isWanted(scope);
    // Nobody knows whether several parts are used together: all that must not come of it is that they let somebody in.
    const isCounted = (found: DifferenceKind): boolean =>
      (unusedParts.size === 1 || found.is === 'P') && counts(found);
    // Of most files that nothing includes there is nothing to ask, by either reading.
    const asks = (scope: Scope): boolean => isIncluded(scope) && isTarget(scope);
    const asksMixed = (): boolean =>
      isRunByCompat(old.scopes, before) && collect(before, 'compat').scopes.some(asks);
    if (!old.scopes.some(asks) && !asksMixed()) continue;
    const onlyIncluded = (all: readonly Scope[], holds: (scope: Scope) => boolean): readonly Scope[] =>
      inside === undefined ? includedScopes(all) : all.filter(holds);
    const inBefore = onlyIncluded(old.scopes, isIncluded);
    const read = liveSections(inBefore, old.mapping, before);
    const { scopes } = read;
    const inAfter = onlyIncluded(renewed.scopes, isIncludedAfter);
    // Where nothing is rewritten, both are one, and are filed once.
    const rewritten =
      renewed === old && inside === undefined ? read : liveSections(inAfter, renewed.mapping, after);
    const among = inside && new Set(scopes.filter(({ unusedPart }) => unusedParts.has(unusedPart)));
    const mixed = as22 ? undefined : findMixedSections(scopes, before, among);
    const inMixed = ({ order }: Scope): boolean => mixed?.orders.has(order) === true;
    const plain = scopes.filter((scope) => isTarget(scope) && !inMixed(scope));
    const manner = { as22, slashes: renewed.slashes };
    appendAll(result, compare(plain, { read, rewritten, mapping: old.mapping, facts }, isCounted, manner));
    if (mixed === undefined) continue;
    const wanted = wantedAsWritten(before);
    for (const isWritten of [false, true]) {
      const isOfReading = ({ order }: Scope): boolean => wanted.has(order) === isWritten;
      if (isWritten && ![...mixed.orders].some((order) => wanted.has(order))) continue;
      const { collected, scopes: all, overrides } = isWritten ? mixed.asWritten() : mixed.today;
      const targets = all.filter((scope) => isTarget(scope) && inMixed(scope) && isOfReading(scope));
      const { mapping } = collected;
      const inReading = { scopes: all, files: overrides.files };
      const sections = { read: inReading, rewritten, mapping, facts: factsOf(collected, before) };
      const isAnswer = (found: DifferenceKind): boolean => isOfReading(found.decides) && isCounted(found);
      appendAll(result, compare(targets, sections, isAnswer));
    }
  }
  return result;
}

/** The sections of a configuration that are in use, and which host reads which `.htaccess`. */
interface LiveSections {
  readonly scopes: readonly Scope[];
  readonly files: FilesByHost;
  /** A section of each file that is answered with 500, by its directory: nobody gets in there. */
  readonly refused?: ReadonlyMap<string, Scope>;
}

function liveSections(scopes: readonly Scope[], mapping: UrlMapping, tree: ConfigTree): LiveSections {
  const { live, overrides, refused } = splitUnread(scopes, mapping, tree);
  // Whoever comes to a file that is answered with 500 gets to none below it.
  const reached = live.some((scope) => overrides.isCutOff(scope))
    ? live.filter((scope) => !overrides.isCutOff(scope))
    : live;
  const ofRefused = refused.size === 0 ? EMPTY_LIST : scopes.filter(({ place }) => refused.has(place.root));
  const byDirectory = ofRefused.map((scope): [string, Scope] => [accessDirectoryOf(scope) ?? '', scope]);
  return { scopes: reached, files: overrides.files, refused: new Map(byDirectory) };
}

/**
 * Like {@link differences}, for requests that lead to what is not there ({@link ConfigTree.absent}): they meet no section for it,
 * or for what lies below it. Only what comes after such sections can show that.
 */
export function differencesWhereAbsent(before: ConfigTree, after: ConfigTree): readonly AnswerDifference[] {
  if (before.absent.length === 0) return [];
  const old = collect(before);
  const renewed = collect(after);
  const read = liveSections(includedScopes(old.scopes), old.mapping, before);
  const rewritten = liveSections(includedScopes(renewed.scopes), renewed.mapping, after);
  const targets = read.scopes.filter((scope) => isAsked(scope) && scope.kind === 'location');
  const asAbsent = (target: RequestTarget): RequestTarget | undefined => {
    const path = before.absent.find((directory) => isWithin(target.filename, directory));
    return path === undefined ? undefined : { ...target, filename: path };
  };
  const sections = { read, rewritten, mapping: old.mapping, facts: factsOf(old, before) };
  return compare(targets, sections, () => true, { whereTo: asAbsent });
}

interface Manner {
  /** Sections in which lines of both versions meet are read as 2.2 does, too. */
  readonly as22?: boolean;
  /** Where a request for a target leads; undefined for one that is not asked about. */
  readonly whereTo?: (target: RequestTarget) => RequestTarget | undefined;
  /**
   * Where the 2.4 takes several slashes of a URL for one. Undefined where the configuration as it was is not one of a 2.2, or
   * where it does not matter: then no such URL is asked for.
   */
  readonly slashes?: Slashes;
}

interface ComparedSections {
  readonly read: LiveSections;
  readonly rewritten: LiveSections;
  readonly mapping: UrlMapping;
  readonly facts: Facts;
}

/**
 * The requests for a section, and whether a URL leads to any. What no URL leads to is asked as another module may lead there:
 * that must open nothing. What Files and the like would add is not known then.
 */
function requestsFor(
  scope: Scope,
  around: readonly Scope[],
  vhosts: readonly Scope['vhost'][],
  mapping: UrlMapping,
  places: number,
  slashes: Slashes | undefined,
) {
  const mapped = vhosts.flatMap((vhost) => {
    const targets = targetsFor(scope, around, mapping, vhost).slice(0, places);
    const isDoubled = slashes !== undefined && scope.kind === 'location';
    const all = isDoubled ? [...targets, ...withDoubledSlashes(targets)] : targets;
    return all.map((target) => ({ target, vhost }));
  });
  if (mapped.length > 0) return { requests: mapped, isMapped: true };
  const { vhost } = scope;
  const server = mapping.traitsOf(vhost);
  const requests = anyTargets(scope, around)
    .slice(0, places)
    .map((target) => ({ target: { ...target, server }, vhost }));
  return { requests, isMapped: false };
}

/** Asks for each target the sections around it. */
function compare(
  targets: readonly Scope[],
  { read: { scopes, files }, rewritten, mapping, facts }: ComparedSections,
  counts: (difference: DifferenceKind) => boolean,
  { as22 = false, whereTo = (target) => target, slashes }: Manner = {},
): AnswerDifference[] {
  if (targets.length === 0) return [];
  const result: AnswerDifference[] = [];
  const { oldIndex, newIndex, shapes } = filedOf(scopes)(rewritten.scopes);
  const pairs = new HostPairs(scopes, rewritten.scopes, rewritten.files.hosts);
  const chosen = [...chooseSections(targets, shapes)];
  const count = chosen.length;
  const sampled = new Set(chosen);
  const places = Math.max(3, Math.min(MAX_TARGETS, Math.floor(BUDGET / 100 / count)));
  const clients = Math.max(12, Math.min(MAX_CLIENTS, Math.floor(BUDGET / count / places)));
  const everywhere = globalScopes(scopes);
  const seenIn = new Map<Scope['vhost'], Set<string>>();
  const allHosts = new Set([...scopes.map((scope) => scope.vhost), ...mapping.hostsExcept()]);
  const vhosts = shapes.oneOfEachFirst([...allHosts].filter((vhost) => vhost !== undefined));
  const hosts = new HostsToAsk(vhosts, mapping);
  const merging = mergingByHost(slashes);
  for (let i = 0; i < chosen.length; i++) {
    const scope = chosen[i]!;
    const before = result.length;
    const around = neighbours(scope, scopes, everywhere);
    const asked = hosts.of(scope, i);
    const { requests, isMapped } = requestsFor(scope, around, asked, mapping, places, slashes);
    const countsHere = (difference: DifferenceKind): boolean =>
      counts(difference) && (isMapped || !isStricter(difference.was, difference.is));
    const decided = new Set<number>();
    for (const { target: wanted, vhost } of requests) {
      const target = whereTo(wanted);
      if (target === undefined) continue;
      const seen = getOrInsert(seenIn, vhost, () => new Set<string>());
      if (seen.size === seen.add(`${target.uri} ${target.filename}`).size) continue;
      const metBefore = (place: RequestTarget): readonly Scope[] =>
        oldIndex
          .met(place, vhost)
          .filter((other) => pairs.mayMeet(other, vhost, 'before') && files.isRead(other, vhost));
      const met22 = metBefore(target);
      if (!isMapped && met22.some(({ kind }) => kind !== 'directory' && kind !== 'htaccess')) continue;
      if (!isMapped && hosts.meetOthers(met22, vhost)) continue;
      const newHost = pairs.renewed(vhost);
      const target24 = targetIn24(target, merging.get(hostKey(vhost)));
      const isMerged = target24 !== target;
      const met24 = newIndex
        .met(target24, vhost)
        .filter((other) => pairs.mayMeet(other, vhost, 'after') && rewritten.files.isRead(other, newHost));
      // What still waits for mod_access_compat has been refused, and said.
      if (met24.some((other) => other.lines.old.length > 0 || other.oldFor24 !== undefined)) continue;
      const differenceFor = (all22: readonly Scope[], all24: readonly Scope[]) =>
        firstDifference(all22, all24, target, facts, {
          most: clients,
          as22,
          // Whom merged slashes keep out, the rule for MergeSlashes tells.
          counts: (found) => countsHere(found) && !(isMerged && isStricter(found.was, found.is)),
          ...(isMerged && { as24: { uri: target24.uri, met: metBefore(target24) } }),
        });
      const surely22 = surelyMet(met22, target);
      // A regex that may match is taken to match everything, and then nothing.
      const found =
        differenceFor(met22, met24) ??
        (surely22.length < met22.length ? differenceFor(surely22, surelyMet(met24, target24)) : undefined);
      if (found === undefined || isBehindRefused(found.decides, target, rewritten, newHost)) continue;
      // What another section decides says nothing of this one.
      const { order } = found.decides;
      if (!decided.has(order)) result.push(found);
      if (found.isOfMachine === true) continue;
      decided.add(order);
      if (order === scope.order) break;
    }
    // Later runs would find others that are wrong in the same way, but one by one.
    if (result.length > before && chosen.length === count)
      appendAll(chosen, targets.filter((other) => !sampled.has(other)).slice(0, MAX_MORE));
  }
  return result;
}

/**
 * Whether a request gets no further than to a file that is answered with 500, and whatever meets the section that decides does
 * not either: one for URLs or for names of files may be met elsewhere.
 */
function isBehindRefused(
  decides: Scope,
  { filename }: RequestTarget,
  { refused, files }: LiveSections,
  vhost: Scope['vhost'],
): boolean {
  if (refused === undefined || refused.size === 0) return false;
  const directory = decides.kind === 'location' ? undefined : accessDirectoryOf(decides);
  return [filename, ...directoriesAbove(filename)].some((path) => {
    const scope = refused.get(path);
    return (
      scope !== undefined &&
      directory !== undefined &&
      isWithin(directory, path) &&
      files.isRead(scope, vhost)
    );
  });
}

function surelyMet(met: readonly Scope[], target: RequestTarget): readonly Scope[] {
  return met.filter((scope) => !isUnsure(scope, target));
}

/** By {@link hostKey}; of several hosts with the same names, that of one that merges slashes. */
function mergingByHost(slashes: Slashes | undefined): ReadonlyMap<string, SlashMerging> {
  const found = new Map<string, SlashMerging>();
  for (const vhost of slashes?.hosts ?? []) {
    const known = found.get(hostKey(vhost));
    if (known === undefined || known === 'no') found.set(hostKey(vhost), slashes!.in(vhost));
  }
  return found;
}

/** A request as 2.4 has it before it looks for sections. */
function targetIn24(target: RequestTarget, merging: SlashMerging | undefined): RequestTarget {
  if (merging !== 'yes' && merging !== 'may') return target;
  const uri = withMergedSlashes(target.uri);
  return uri === target.uri ? target : { ...target, uri };
}

/** The sections as they were and as rewritten, filed once: what a rewrite touches and what it leaves is asked about in turn. */
const filedOf = memo((scopes: readonly Scope[]) =>
  memo((rewritten: readonly Scope[]) => {
    const oldIndex = new ScopeIndex(scopes);
    const newIndex = rewritten === scopes ? oldIndex : new ScopeIndex(rewritten);
    return { oldIndex, newIndex, shapes: new SectionShapes(oldIndex, newIndex) };
  }),
);

/** Whether a section has a part in what either version decides. */
function isAsked(scope: Scope): boolean {
  return setsSomething(scope) || scope.lines.requires24.length + scope.lines.authTypesFor24.length > 0;
}
