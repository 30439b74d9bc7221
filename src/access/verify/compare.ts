import type { ConfigTree } from '../../config';
import { collect, factsOf } from '../collect';
import { findMixedSections, hasBothKinds, wantedAsWritten } from '../inherit';
import type { UrlMapping } from '../mapping';
import {
  ScopeIndex,
  asCompat,
  decider22,
  decide24,
  decideCompat,
  isUnsure,
  placedScopes,
  type State24,
  questionOf,
  refusesEveryUser,
  scopesRead,
  state22,
  state24,
  stateCompat,
} from '../models';
import { type FilesByHost, splitUnreadFiles } from '../override';
import {
  UnusedPartPairs,
  type Facts,
  type Reading,
  type RequireNode,
  type Scope,
  type State,
  authMergingOf,
  includedScopes,
  isReadAs24,
  requireNodes,
  requireTreeOf,
  scopesByUnusedPart,
  setsSomething,
} from '../policy';
import { type AccessAnswer, type AccessRequest, isWithin, getOrInsert } from '../primitives';
import { questionKey } from './question-text';
import { SectionsOfShape, SectionShapes, chooseSections } from './section-choice';
import { HostPairs } from './host-pairs';
import { HostsToAsk, globalScopes, neighbours } from './surroundings';
import { type StateLookedAt, clientsFrom, valuesToTry } from './clients';
import { type RequestTarget, conditionalSettings, anyTargets, targetsFor } from './test-requests';

/** How much is asked: of a small configuration nearly everything, of a large one a sample of sections, targets and clients. */
const MAX_TARGETS = 40;
const MAX_CLIENTS = 300;
const BUDGET = 24_000;
/** Words of host lists that are held against the clients of one question: a list of a million is asked about few clients. */
const MAX_WORDS = 500_000;
const FEWEST_CLIENTS = 12;

/** A request that the versions answer differently. */
export interface AnswerDifference {
  /** The sections it meets in the configuration as it was. */
  readonly met: readonly Scope[];
  /** The last of them that decides in 2.4, or the last one behind it whose lines 2.4 does not read. */
  readonly decides: Scope;
  /** The sections that have a part in 2.4's answer: the one that decides, and what AuthMerging joins it with. */
  readonly takesPart: readonly Scope[];
  readonly request: AccessRequest;
  readonly was: AccessAnswer;
  readonly is: AccessAnswer;
  /** How the configuration as it was is read. */
  readonly reading: Reading;
  /** The Require line of 2.4 of which no model knows what it answers, where the versions may as well answer the same. */
  readonly unknown?: string | undefined;
}

/**
 * Asks the 2.2 model of the configuration as it was and the 2.4 model of the rewrite the same requests: a check on the whole way
 * from the policy to the text. Sections that still need mod_access_compat are left out.
 * @param isWanted whether a section is asked about
 * @param counts whether a difference is one to return: else others are looked for
 * @param as22 sections in which lines of both versions meet are read as 2.2 does, too
 * @param asksShape where the sample of a large run shows a difference, all sections like that one are asked about
 */
export function differences(
  before: ConfigTree,
  after: ConfigTree,
  isWanted: (scope: Scope) => boolean,
  counts: (difference: AnswerDifference) => boolean,
  { as22 = false, asksShape = false }: { readonly as22?: boolean; readonly asksShape?: boolean } = {},
): AnswerDifference[] {
  const result: AnswerDifference[] = [];
  const old = collect(before);
  const renewed = collect(after);
  const facts = factsOf(old, before);
  let known: UnusedPartPairs | undefined;
  const pairs = (): UnusedPartPairs => (known ??= new UnusedPartPairs(old.scopes, renewed.scopes));
  for (const inside of [undefined, ...scopesByUnusedPart(old.scopes)]) {
    const unusedPart = inside?.[0]?.unusedPart;
    const isIncluded = (scope: Scope): boolean =>
      scope.unusedPart === undefined || scope.unusedPart === unusedPart;
    const isIncludedAfter = (scope: Scope): boolean => pairs().isIncluded(scope, unusedPart);
    const isTarget = (scope: Scope): boolean =>
      scope.unusedPart === unusedPart && isAsked(scope) && isWanted(scope);
    // Of most files that nothing includes there is nothing to ask, by either reading.
    const asks = (scope: Scope): boolean => isIncluded(scope) && isTarget(scope);
    const asksMixed = (): boolean => hasBothKinds(old.scopes) && collect(before, 'compat').scopes.some(asks);
    if (!old.scopes.some(asks) && !asksMixed()) continue;
    const onlyIncluded = (all: readonly Scope[], holds: (scope: Scope) => boolean): readonly Scope[] =>
      inside === undefined ? includedScopes(all) : all.filter(holds);
    const inBefore = onlyIncluded(old.scopes, isIncluded);
    const { live: scopes, overrides } = splitUnreadFiles(inBefore, old.mapping, before);
    const inAfter = onlyIncluded(renewed.scopes, isIncludedAfter);
    const after24 = splitUnreadFiles(inAfter, renewed.mapping, after);
    const rewritten = { scopes: after24.live, files: after24.overrides.files };
    const mixed = as22
      ? undefined
      : findMixedSections(
          scopes,
          before,
          unusedPart && new Set(scopes.filter((scope) => scope.unusedPart === unusedPart)),
        );
    const inMixed = ({ order }: Scope): boolean => mixed?.orders.has(order) === true;
    const plain = scopes.filter((scope) => isTarget(scope) && !inMixed(scope));
    const read = { scopes, files: overrides.files };
    const manner = { as22, asksShape };
    result.push(...compare(plain, { read, rewritten, mapping: old.mapping, facts }, counts, manner));
    if (mixed === undefined) continue;
    const wanted = wantedAsWritten(before);
    for (const isWritten of [false, true]) {
      const isOfReading = ({ order }: Scope): boolean => wanted.has(order) === isWritten;
      if (isWritten && ![...mixed.orders].some((order) => wanted.has(order))) continue;
      const { collected, scopes: all, overrides: lines } = isWritten ? mixed.asWritten() : mixed.today;
      const targets = all.filter((scope) => isTarget(scope) && inMixed(scope) && isOfReading(scope));
      const isCounted = (found: AnswerDifference): boolean => isOfReading(found.decides) && counts(found);
      const asked = {
        read: { scopes: all, files: lines.files },
        rewritten,
        mapping: collected.mapping,
        facts: factsOf(collected, before),
      };
      result.push(...compare(targets, asked, isCounted, { asksShape }));
    }
  }
  return result;
}

/** The sections of a configuration that are in use, and which host reads which `.htaccess`. */
interface LiveSections {
  readonly scopes: readonly Scope[];
  readonly files: FilesByHost;
}

/**
 * Like {@link differences}, for requests that lead to what is not there ({@link ConfigTree.absent}): they meet no section for it,
 * or for what lies below it. Only what comes after such sections can show that.
 */
export function differencesWhereAbsent(before: ConfigTree, after: ConfigTree): readonly AnswerDifference[] {
  if (before.absent.length === 0) return [];
  const old = collect(before);
  const renewed = collect(after);
  const read = splitUnreadFiles(includedScopes(old.scopes), old.mapping, before);
  const rewritten = splitUnreadFiles(includedScopes(renewed.scopes), renewed.mapping, after);
  const targets = read.live.filter((scope) => isAsked(scope) && scope.kind === 'location');
  const asAbsent = (target: RequestTarget): RequestTarget | undefined => {
    const path = before.absent.find((directory) => isWithin(target.filename, directory));
    return path === undefined ? undefined : { ...target, filename: path };
  };
  return compare(
    targets,
    {
      read: { scopes: read.live, files: read.overrides.files },
      rewritten: { scopes: rewritten.live, files: rewritten.overrides.files },
      mapping: old.mapping,
      facts: factsOf(old, before),
    },
    () => true,
    { whereTo: asAbsent },
  );
}

/** How {@link compare} asks: as {@link differences} says. */
interface Manner {
  readonly as22?: boolean;
  readonly asksShape?: boolean;
  /** Where a request for a target leads; undefined for one that is not asked about. */
  readonly whereTo?: (target: RequestTarget) => RequestTarget | undefined;
}

/** Two configurations that are compared. */
interface ComparedSections {
  readonly read: LiveSections;
  readonly rewritten: LiveSections;
  readonly mapping: UrlMapping;
  readonly facts: Facts;
}

/** A request for a target, to one server. */
interface HostRequest {
  readonly target: RequestTarget;
  readonly vhost: Scope['vhost'];
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
): { readonly requests: readonly HostRequest[]; readonly isMapped: boolean } {
  const mapped = vhosts.flatMap((vhost) =>
    targetsFor(scope, around, mapping, vhost)
      .slice(0, places)
      .map((target) => ({ target, vhost })),
  );
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
  counts: (difference: AnswerDifference) => boolean,
  { as22 = false, asksShape = false, whereTo = (target) => target }: Manner,
): AnswerDifference[] {
  if (targets.length === 0) return [];
  const result: AnswerDifference[] = [];
  const { oldIndex, newIndex, shapes, answeredAlike } = filedOf(scopes, rewritten.scopes);
  const pairs = new HostPairs(scopes, rewritten.scopes, rewritten.files.hosts);
  const chosen = [...chooseSections(targets, shapes)];
  const asked = chosen.length;
  const suspects = asksShape ? new SectionsOfShape(targets, chosen, shapes) : undefined;
  const places = Math.max(3, Math.min(MAX_TARGETS, Math.floor(BUDGET / 100 / asked)));
  const clients = Math.max(12, Math.min(MAX_CLIENTS, Math.floor(BUDGET / asked / places)));
  const everywhere = globalScopes(scopes);
  const seenIn = new Map<Scope['vhost'], Set<string>>();
  const noDifference = answeredAlike(`${facts.reading} ${clients} ${as22}`);
  const known = new Set([...scopes.map((scope) => scope.vhost), ...mapping.hostsExcept(new Set())]);
  const vhosts = shapes.oneOfEachFirst([...known].filter((vhost) => vhost !== undefined));
  const hosts = new HostsToAsk(vhosts, mapping);
  for (let i = 0; i < chosen.length; i++) {
    const scope = chosen[i]!;
    const before = result.length;
    const around = neighbours(scope, scopes, everywhere);
    const { requests, isMapped } = requestsFor(scope, around, hosts.of(scope, i), mapping, places);
    const countsHere = (difference: AnswerDifference): boolean =>
      counts(difference) && (isMapped || !isStricter(difference.was, difference.is));
    const decided = new Set<number>();
    for (const { target: wanted, vhost } of requests) {
      const target = whereTo(wanted);
      if (target === undefined) continue;
      const key = `${target.uri} ${target.filename}`;
      const seen = seenIn.get(vhost) ?? new Set<string>();
      if (seen.has(key)) continue;
      seenIn.set(vhost, seen.add(key));
      const met22 = placedScopes(oldIndex.candidates(target, vhost), target).filter(
        (other) => pairs.mayMeet(other, vhost, 'before') && files.isRead(other, vhost),
      );
      if (!isMapped && met22.some(({ kind }) => kind !== 'directory' && kind !== 'htaccess')) continue;
      const newHost = pairs.renewed(vhost);
      const met24 = placedScopes(newIndex.candidates(target, vhost), target).filter(
        (other) => pairs.mayMeet(other, vhost, 'after') && rewritten.files.isRead(other, newHost),
      );
      // What still waits for mod_access_compat has been refused, and said.
      if (met24.some((other) => other.lines.old.length > 0 || other.old24 !== undefined)) continue;
      const differenceFor = (
        all22: readonly Scope[],
        all24: readonly Scope[],
      ): AnswerDifference | undefined =>
        firstDifference(all22, all24, target, facts, {
          most: clients,
          noDifference,
          as22,
          counts: countsHere,
        });
      const surely22 = met22.filter((other) => !isUnsure(other, target));
      // A regex that may match is taken to match everything, and then nothing.
      const found =
        differenceFor(met22, met24) ??
        (surely22.length < met22.length
          ? differenceFor(
              surely22,
              met24.filter((other) => !isUnsure(other, target)),
            )
          : undefined);
      if (found === undefined) continue;
      // What another section decides says nothing of this one.
      const { order } = found.decides;
      if (!decided.has(order)) result.push(found);
      decided.add(order);
      if (order === scope.order) break;
    }
    if (result.length > before && suspects !== undefined) chosen.push(...suspects.to(scope));
  }
  return result;
}

/** Two lists of sections, as they were and as they are rewritten, filed for questions. */
interface FiledSections {
  readonly oldIndex: ScopeIndex;
  readonly newIndex: ScopeIndex;
  readonly shapes: SectionShapes;
  /** Questions without a difference, by how they are asked. */
  readonly answeredAlike: (manner: string) => Set<string>;
}

const filedByLists = new WeakMap<readonly Scope[], WeakMap<readonly Scope[], FiledSections>>();

/** They are filed once: what a rewrite touches and what it leaves is asked about in turn. */
function filedOf(scopes: readonly Scope[], rewritten: readonly Scope[]): FiledSections {
  const ofOld = getOrInsert(filedByLists, scopes, () => new WeakMap<readonly Scope[], FiledSections>());
  let filed = ofOld.get(rewritten);
  if (filed === undefined) {
    const [oldIndex, newIndex] = [new ScopeIndex(scopes), new ScopeIndex(rewritten)];
    const byManner = new Map<string, Set<string>>();
    const answeredAlike = (manner: string): Set<string> => {
      const known = byManner.get(manner) ?? new Set<string>();
      byManner.set(manner, known);
      return known;
    };
    filed = { oldIndex, newIndex, shapes: new SectionShapes(oldIndex, newIndex), answeredAlike };
    ofOld.set(rewritten, filed);
  }
  return filed;
}

/** How {@link firstDifference} asks. */
interface QuestionLimits {
  /** Clients that are tried. */
  readonly most: number;
  /** Questions of these facts and this `most` that have found no difference: those like them need not be asked again. */
  readonly noDifference?: Set<string>;
  /** The option of {@link differences}: where a 2.2 reads lines of 2.4, nothing has been said of that. */
  readonly as22?: boolean;
  /** Whether a difference counts: see {@link differences}. */
  readonly counts?: (difference: AnswerDifference) => boolean;
}

/** @param met22 the sections a target meets for 2.2; `met24` for 2.4 */
export function firstDifference(
  met22: readonly Scope[],
  met24: readonly Scope[],
  target: RequestTarget,
  facts: Facts,
  { most, noDifference = new Set(), as22 = false, counts = () => true }: QuestionLimits,
): AnswerDifference | undefined {
  // Told where no client is surely answered otherwise.
  let unknown: AnswerDifference | undefined;
  for (const config of conditionalSettings([...met22, ...met24])) {
    const before = sourceModel(scopesRead(met22, config, '2.2'), facts, config);
    const read24 = state24(scopesRead(met24, config, '2.4'), config, facts.escapes);
    // Where 2.2 is not asked for them, both versions have them as they were.
    const after = before.watched.tls === undefined ? { ...read24, requires: undefined } : read24;
    const key = before.state && questionKey(before.state, after, target);
    if (key !== undefined && noDifference.has(key)) continue;
    let isSame = true;
    const words = (before.watched.hosts?.lines ?? []).reduce((sum, line) => sum + line.words.length, 1);
    const clients = Math.max(FEWEST_CLIENTS, Math.min(most, Math.floor(MAX_WORDS / words)));
    const values = valuesToTry([before.watched], [before.tree, after.tree]);
    for (const client of clientsFrom(values, clients)) {
      const request: AccessRequest = { ...target, ...client, config };
      const was = before.answer(request);
      const is = decide24(after, request);
      if (mayBeSame(was, is)) continue;
      if (before.isKnownDifference(request, was, is) && !(as22 && before.readsLinesFor24)) continue;
      // Sections in the same state may have nothing of these: they are asked all the same.
      isSame = false;
      if (isStricter(was, is) && met22.some((scope) => isReadInOne(scope, config))) continue;
      const scopes24 = scopesRead(met24, config, '2.4');
      const decides = decidingScope(met22, scopes24, request);
      if (decides === undefined) continue;
      const difference = {
        met: scopesRead(met22, config, '2.2'),
        decides,
        takesPart: decidingTogether(met22, scopes24, decides, request),
        request,
        was,
        is,
        reading: facts.reading,
        unknown: unknownIn(
          after,
          (holds) => {
            const other = { ...request, holds };
            return before.answer(other) === decide24(after, other);
          },
          values.answers,
        ),
      };
      // Where one is known, another client may be answered otherwise in a way that is not.
      if (!counts(difference)) continue;
      if (difference.unknown === undefined) return difference;
      unknown ??= difference;
    }
    if (key !== undefined && isSame) noDifference.add(key);
  }
  return unknown;
}

/** Where it is not known what 2.2 answered, it may have refused. */
function mayBeSame(was: AccessAnswer, is: AccessAnswer): boolean {
  return (was === is && was !== '?') || is === '?';
}

/**
 * A line that only 2.4 reads whose answer no model knows, if the versions answer the same by some of the answers that it may
 * give.
 */
function unknownIn(
  { tree, escapes }: State24,
  isSame: (holds: ReadonlySet<string>) => boolean,
  answers: readonly ReadonlySet<string>[],
): string | undefined {
  if (answers.length < 2 || !answers.some(isSame)) return undefined;
  const node = requireNodes(tree).find((line) => questionOf(line, escapes) !== undefined);
  return node && `${node.origin.name} ${node.origin.rest}`;
}

/**
 * A section of which 2.4 reads the lines, where their conditionals kept them from this 2.2, or the other way round: their author
 * wrote them for both.
 */
function isReadInOne({ conditions }: Scope, config: AccessRequest['config']): boolean {
  return conditions.some(({ name, is, on24 }) => on24 !== undefined && (config(name) === is) !== on24);
}

/** From the answer that lets most requests in to those that let none in. */
const STRICTNESS: Readonly<Record<AccessAnswer, number>> = { P: 0, U: 1, F: 2, E: 2, '?': 2 };

function isStricter(was: AccessAnswer, is: AccessAnswer): boolean {
  return STRICTNESS[is] > STRICTNESS[was];
}

/** Whether a section has a part in what either version decides. */
function isAsked(scope: Scope): boolean {
  return setsSomething(scope) || scope.lines.for24.length + scope.lines.authTypesFor24.length > 0;
}

/** The section, as it was, that decides for 2.4, or the last one behind it with lines that 2.4 does not read. */
function decidingScope(
  met22: readonly Scope[],
  met24: readonly Scope[],
  request: AccessRequest,
): Scope | undefined {
  const last = met24.findLast((scope) => requireTreeOf(scope, request) !== undefined);
  const same = last && sameAs(last, met22);
  const at = same === undefined ? met22.length - 1 : met22.indexOf(same);
  const behind = last === undefined ? met22 : met22.slice(at + 1);
  // The other half of a section with lines for each version has the place of that one.
  const isHalf = (scope: Scope): boolean => same !== undefined && same.only24 > 0 && standAlike(scope, same);
  return behind.findLast((scope) => scope.only22 > 0 && !isHalf(scope)) ?? met22.at(at);
}

/** Whether two sections are for the same place, by their text. */
function standAlike(a: Scope, b: Scope): boolean {
  return a.kind === b.kind && a.file.path === b.file.path && a.section?.open.rest === b.section?.open.rest;
}

/** A section of the rewrite as it was: one that 2.4 read there too, if there are several for the same place. */
function sameAs(renewed: Scope, met22: readonly Scope[]): Scope | undefined {
  const all = met22.filter((scope) => standAlike(scope, renewed));
  const for24 = all.filter(({ only22, only24 }) => only22 === 0 || only24 > 0);
  const likely = for24.length > 0 ? for24 : all;
  return likely.find(({ order }) => order === renewed.order) ?? likely.at(-1);
}

/** The sections, as they were, of which 2.4 joins the trees, where one of them says AuthMerging; else the one that decides. */
function decidingTogether(
  met22: readonly Scope[],
  met24: readonly Scope[],
  decides: Scope,
  request: AccessRequest,
): readonly Scope[] {
  const withTree = met24.filter((scope) => requireTreeOf(scope, request) !== undefined);
  if (withTree.every((scope) => authMergingOf(scope, request) === undefined)) return [decides];
  return withTree.flatMap((scope) => sameAs(scope, met22) ?? []);
}

interface SourceModel {
  /** What a 2.2 has merged: requests in the same state get the same decision. */
  readonly state?: State;
  readonly watched: StateLookedAt;
  readonly tree?: RequireNode | undefined;
  /** Require lines in 2.4's words are in force, which let nobody in. */
  readonly readsLinesFor24: boolean;
  answer(request: AccessRequest): AccessAnswer;
  /** Nobody gets in either way, and the run has said so. */
  isKnownDifference(request: AccessRequest, was: AccessAnswer, is: AccessAnswer): boolean;
}

/** The model of the server that the configuration was for, in the state that sections lead to. */
function sourceModel(met: readonly Scope[], facts: Facts, config: AccessRequest['config']): SourceModel {
  if (facts.reading === '2.2') {
    const state = state22(met, facts, config);
    return {
      state,
      watched: state,
      readsLinesFor24: state.requires?.some(({ isFor24 }) => isFor24 === true) === true,
      answer: decider22(state, facts),
      isKnownDifference: (request, was, is) =>
        (is === 'F' && was !== 'P' && refusesEveryUser(state, facts, request)) ||
        (is === 'E' && was === 'U' && state.authNone),
    };
  }
  const written = facts.reading === 'as-written' ? state22(met, facts, config) : undefined;
  if (written !== undefined && !isReadAs24(written, facts))
    return { watched: written, readsLinesFor24: false, answer: decider22(written, facts), isKnownDifference: () => false }; // prettier-ignore
  const state = written === undefined ? stateCompat(met, facts, config) : asCompat(written);
  return {
    watched: state.compat,
    tree: state.core.tree,
    readsLinesFor24: false,
    answer: (request) => decideCompat(state, facts, request),
    // An AuthType without any Require (2.4 mod_authz_core.c: authorize_user_core).
    isKnownDifference: (_, was, is) => was === 'E' && is === 'F' && state.core.tree === undefined,
  };
}
