import type { UrlMapping } from '../mapping';
import { decide24, decider22, refusesEveryUser } from '../models';
import {
  type Facts,
  type RequireNode,
  type Scope,
  type SectionPolicy,
  type State,
  authTypeOf,
  conditionUnder,
  mergePolicy,
  requireNodes,
  requireTreeOf,
} from '../policy';
import type { AccessRequest, RequestPlace } from '../primitives';
import { clientsFrom, valuesToTry } from './clients';
import type { AnswerDifference } from './first-difference';
import { targetsFor } from './test-requests';

/** What 2.4 reads of a section that has lines for one version each, and where it is asked about it. */
export interface VersionBranch {
  readonly scope: Scope;
  readonly tree: RequireNode;
  readonly target: RequestPlace;
}

const NO_CONFIG = { config: (): boolean => false };

/**
 * The lines of a section for 2.4, where they alone decide for it: undefined where there are none, where conditionals choose among
 * them, and where they ask for the request or for what stands above them.
 */
export function branchFor24(scope: Scope, mapping: UrlMapping): VersionBranch | undefined {
  if (scope.lines.merging.length > 0 || scope.aroundLines.length > 0 || scope.policies !== undefined)
    return undefined;
  const isOpen = scope.lines.requires24.some(({ inner }) =>
    inner.some(({ section }) => conditionUnder(section).after === undefined),
  );
  const tree = isOpen ? undefined : requireTreeOf(scope, NO_CONFIG);
  if (tree === undefined || requireNodes(tree).some(({ provider }) => provider === 'expr')) return undefined;
  const [target = { uri: '/', filename: '/' }] = targetsFor(scope, [scope], mapping);
  return { scope, tree, target };
}

/** More clients than these are not asked about one section in one state. */
const MAX_CLIENTS = 600;

/** A client that 2.4 answers differently than 2.2, or of which it is not known that both answer the same. */
export type BranchDifference = Pick<AnswerDifference, 'request' | 'was' | 'is'>;

/** What a section says to 2.2 beside what 2.4 reads in its place, in all states that a request can come in. */
export class VersionPair {
  constructor(
    private readonly policy: SectionPolicy,
    readonly branch: VersionBranch,
    readonly before: readonly State[],
    private readonly facts: Facts,
  ) {}

  /** A client of which an answer is not known, if there is one; else one answered differently, best one that only 2.4 lets in. */
  difference(): BranchDifference | undefined {
    let best: BranchDifference | undefined;
    for (const base of this.before)
      for (const difference of differencesIn(base, this.policy, this.branch, this.facts)) {
        if (!areBothAnswersKnown(difference)) return difference;
        if (best === undefined || isOpening(best) < isOpening(difference)) best = difference;
      }
    return best;
  }

  /** Whether both halves say the same by themselves: then the one was written as the other's twin. */
  areTwins(policy = this.policy, branch = this.branch): boolean {
    return this.before.every((base) => {
      const alone = { ...base, hosts: undefined, requires: undefined, satisfy: new Map() };
      return differencesIn(alone, policy, branch, this.facts).next().done === true;
    });
  }
}

export function isOpening({ is }: BranchDifference): boolean {
  return is === 'P';
}

export function areBothAnswersKnown({ was, is }: BranchDifference): boolean {
  return was !== '?' && is !== '?';
}

function* differencesIn(
  base: State,
  policy: SectionPolicy,
  branch: VersionBranch,
  facts: Facts,
): Generator<BranchDifference> {
  const { scope, tree, target } = branch;
  const state = mergePolicy(base, policy, facts);
  const authType = authTypeOf(scope, NO_CONFIG) ?? base.authType === true;
  const ssl = state.ssl?.kind === 'check';
  const requires = scope.ssl.filter(({ isFor22 }) => !isFor22);
  const state24 = { tree, authType, ssl, requires, escapes: facts.escapes };
  const answer22 = decider22(state, facts);
  for (const client of clientsFrom(valuesToTry([state], [tree]), MAX_CLIENTS)) {
    const request: AccessRequest = { ...target, ...client, ...NO_CONFIG };
    const was = answer22(request);
    const is = decide24(state24, request);
    if (was === is) continue;
    const difference = { request, was, is };
    // What is not known is no twin of anything.
    const isKnown = areBothAnswersKnown(difference);
    if (isKnown && was !== 'P' && is === 'F' && refusesEveryUser(state, facts, request)) continue;
    yield difference;
  }
}
