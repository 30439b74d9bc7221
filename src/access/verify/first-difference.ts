import { decide24, isLocal, type State24, questionOf, scopesRead, state24 } from '../models';
import { type Facts, type Reading, type Scope, authMergingOf, requireNodes, requireTreeOf } from '../policy';
import {
  type AccessAnswer,
  type AccessRequest,
  type Config,
  EMPTY_LIST,
  getOrInsert,
  lazy,
} from '../primitives';
import { clientsFrom, valuesToTry } from './clients';
import { distinctSettings, isReadInOne } from './distinct-settings';
import type { RequestTarget } from './test-requests';
import { sourceModel } from './source-model';

/** Words of host lists that are held against the clients of one question: a list of a million is asked about few clients. */
const MAX_WORDS = 500_000;
const FEWEST_CLIENTS = 12;

/** What of a difference says whether it counts: the same for all clients that get these answers. */
export interface DifferenceKind {
  /** The sections it meets in the configuration as it was. */
  readonly met: readonly Scope[];
  /** The last of them that decides in 2.4, or the last one behind it whose lines 2.4 does not read. */
  readonly decides: Scope;
  /** The sections that have a part in 2.4's answer: the one that decides, and what AuthMerging joins it with. */
  readonly takesPart: readonly Scope[];
  readonly was: AccessAnswer;
  readonly is: AccessAnswer;
  /** The file that is asked for. */
  readonly filename: string;
  /** Whether the client speaks TLS, as an {@link AccessRequest} has it. */
  readonly tls: boolean | undefined;
}

export interface AnswerDifference extends Omit<DifferenceKind, 'tls' | 'filename'> {
  readonly request: AccessRequest;
  /** How the configuration as it was is read. */
  readonly reading: Reading;
  /** The Require line of 2.4 of which no model knows what it answers, where the versions may as well answer the same. */
  readonly unknown?: string | undefined;
  /** By `Require local` in lines that only 2.4 reads: 2.2 let in this machine too, by other addresses of it. */
  readonly isOfMachine?: boolean;
  /** The `.htaccess` files that make the difference: without them there is none. */
  readonly madeBy?: readonly string[];
}

interface QuestionLimits {
  readonly most: number;
  /** The option of `differences`: where a 2.2 reads lines of 2.4, nothing has been said of that. */
  readonly as22?: boolean;
  /** Whether a difference counts; else others are looked for. */
  readonly counts?: (difference: DifferenceKind) => boolean;
  /** The URL as 2.4 has it, if it is not the one that the client sends, and the sections that 2.2 met by that one. */
  readonly as24?: { readonly uri: string; readonly met: readonly Scope[] };
}

/** @param met22 the sections a target meets for 2.2; `met24` for 2.4 */
export function firstDifference(
  met22: readonly Scope[],
  met24: readonly Scope[],
  target: RequestTarget,
  facts: Facts,
  { most, as22 = false, counts = () => true, as24 }: QuestionLimits,
): AnswerDifference | undefined {
  const placed = as24?.met ?? met22;
  // Told where no client is surely answered otherwise, or none but those of this machine.
  let lesser: AnswerDifference | undefined;
  for (const config of distinctSettings([...met22, ...met24], placed)) {
    const [read22, read24] = [scopesRead(met22, config, '2.2'), scopesRead(met24, config, '2.4')];
    const { before, after } = modelsOf(read22, read24, facts, config);
    const deciding = lazy(() => decidingScopes(placed, read24, config));
    const met = lazy(() =>
      as24 === undefined ? read22 : scopesRead([...new Set([...met22, ...placed])], config, '2.2'),
    );
    const isReadByOne = lazy(() => met22.some((scope) => isReadInOne(scope, config)));
    const counted = new Map<string, boolean>();
    const words = (before.merged.hosts?.lines ?? []).reduce((sum, line) => sum + line.words.length, 1);
    const clients = Math.max(FEWEST_CLIENTS, Math.min(most, Math.floor(MAX_WORDS / words)));
    const values = valuesToTry([before.merged], [before.tree, after.tree]);
    for (const client of clientsFrom(values, clients)) {
      const request: AccessRequest = { ...target, ...client, config };
      const was = before.answer(request);
      const request24 = as24 === undefined ? request : { ...request, uri: as24.uri };
      const is = decide24(after, request24);
      if (mayBeSame(was, is)) continue;
      if (before.isKnownDifference(request, was, is) && !(as22 && before.readsLinesFor24)) continue;
      if (isStricter(was, is) && isReadByOne()) continue;
      const decided = deciding();
      if (decided === undefined) continue;
      const { tls } = request;
      const countsHere = (): boolean =>
        counts({ ...decided, met: met(), was, is, tls, filename: target.filename });
      if (!getOrInsert(counted, `${was} ${is} ${tls}`, countsHere)) continue;
      const isSame = (holds: ReadonlySet<string>): boolean =>
        before.answer({ ...request, holds }) === decide24(after, { ...request24, holds });
      const unknown = unknownIn(after, isSame, values.answers);
      const isOfMachine =
        isByLocal(decided.decides, request) &&
        LOOPBACK.some((address) => before.answer({ ...request, address }) === is);
      const told = { ...decided, met: met(), request, was, is, reading: facts.reading };
      const difference: AnswerDifference = { ...told, unknown, isOfMachine };
      // Where one is known, another client may be answered otherwise in a way that is not.
      const isLesser = difference.unknown !== undefined || difference.isOfMachine === true;
      if (isLesser && lesser !== undefined) continue;
      const differs = (without: ReadonlySet<string>): boolean => {
        const stays = ({ place }: Scope): boolean => !without.has(place.root.path);
        const other = modelsOf(read22.filter(stays), read24.filter(stays), facts, config);
        const [then, now] = [other.before.answer(request), decide24(other.after, request24)];
        return !mayBeSame(then, now) && !other.before.isKnownDifference(request, then, now);
      };
      const found = { ...difference, madeBy: makersOf([...met22, ...met24], differs) };
      if (!isLesser) return found;
      lesser = found;
    }
  }
  return lesser;
}

/** What the sections that are read say to each version. */
function modelsOf(
  read22: readonly Scope[],
  read24: readonly Scope[],
  facts: Facts,
  config: Config,
): { readonly before: ReturnType<typeof sourceModel>; readonly after: State24 } {
  const before = sourceModel(read22, facts, config);
  const after = state24(read24, config, facts.escapes);
  // Where 2.2 is not asked for them, both versions have them as they were.
  return { before, after: before.merged.tls === undefined ? { ...after, requires: undefined } : after };
}

/** The `.htaccess` files without which there is no difference: one, if one is enough; else the deepest that are. */
function makersOf(
  met: readonly Scope[],
  differs: (without: ReadonlySet<string>) => boolean,
): readonly string[] {
  const roots = met.flatMap(({ place: { root } }) => (root.role === 'htaccess' ? root.path : []));
  const files = [...new Set(roots)].reverse();
  const together = files.map((_, i) => files.slice(0, i + 1)).slice(1);
  const candidates = [...files.map((file) => [file]), ...together];
  return candidates.find((candidate) => !differs(new Set(candidate))) ?? EMPTY_LIST;
}

/** What lines for 2.2 call this machine. */
const LOOPBACK = ['127.0.0.1', '::1'];

/** Whether lines that only 2.4 reads say `Require local`, which is about the client. */
function isByLocal({ only24Count, lines: { requires24 } }: Scope, request: AccessRequest): boolean {
  if (only24Count === 0 || !isLocal(request)) return false;
  return requires24.some(({ node }) => node.key === 'require' && /^local$/i.test(node.rest));
}

/** Whether two answers may be the same: where it is not known what 2.2 answered, it may have refused. */
function mayBeSame(was: AccessAnswer, is: AccessAnswer): boolean {
  return (was === is && was !== '?') || is === '?';
}

/** A line that only 2.4 reads whose answer no model knows, if by some answer the versions agree. */
function unknownIn(
  { tree, escapes }: State24,
  isSame: (holds: ReadonlySet<string>) => boolean,
  answers: readonly ReadonlySet<string>[],
): string | undefined {
  if (answers.length < 2 || !answers.some(isSame)) return undefined;
  const node = requireNodes(tree).find((line) => questionOf(line, escapes) !== undefined);
  return node && `${node.origin.name} ${node.origin.rest}`;
}

/** From the answer that lets most requests in to those that let none in. */
const STRICTNESS: Readonly<Record<AccessAnswer, number>> = { P: 0, U: 1, F: 2, E: 2, '?': 2 };

export function isStricter(was: AccessAnswer, is: AccessAnswer): boolean {
  return STRICTNESS[is] > STRICTNESS[was];
}

/** The sections, as they were, that decide for 2.4; where AuthMerging joins no trees, the last alone. */
function decidingScopes(
  met22: readonly Scope[],
  met24: readonly Scope[],
  config: Config,
): Pick<AnswerDifference, 'decides' | 'takesPart'> | undefined {
  const withTree = met24.filter((scope) => requireTreeOf(scope, { config }) !== undefined);
  const last = withTree.at(-1);
  const same = last && sameAs(last, met22);
  const at = same === undefined ? met22.length - 1 : met22.indexOf(same);
  const behind = last === undefined ? met22 : met22.slice(at + 1);
  // The other half of a section with lines for each version has the place of that one.
  const isHalf = (scope: Scope): boolean =>
    same !== undefined && same.only24Count > 0 && standAlike(scope, same);
  const decides = behind.findLast((scope) => scope.only22Count > 0 && !isHalf(scope)) ?? met22.at(at);
  const isJoined = withTree.some((scope) => authMergingOf(scope, { config }) !== undefined);
  const takesPart = isJoined ? withTree.flatMap((scope) => sameAs(scope, met22) ?? []) : undefined;
  return decides && { decides, takesPart: takesPart ?? [decides] };
}

/** Whether two sections are for the same place, by their text. */
function standAlike(a: Scope, b: Scope): boolean {
  return a.kind === b.kind && a.file.path === b.file.path && a.section?.open.rest === b.section?.open.rest;
}

/** A section of the rewrite as it was: one that 2.4 read there too, if there are several for the same place. */
function sameAs(renewed: Scope, met22: readonly Scope[]): Scope | undefined {
  const all = met22.filter((scope) => standAlike(scope, renewed));
  const for24 = all.filter(({ only22Count, only24Count }) => only22Count === 0 || only24Count > 0);
  const likely = for24.length > 0 ? for24 : all;
  return likely.find(({ order }) => order === renewed.order) ?? likely.at(-1);
}
