import type { UrlMapping } from '../mapping';
import { decide22, decide24, refusesEveryUser } from '../models';
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
import type { AccessRequest } from '../primitives';
import { clientsFrom, valuesToTry } from './clients';
import { targetsFor } from './test-requests';

/** What 2.4 reads of a section that has lines for one version each, and where it is asked about it. */
export interface VersionBranch {
  readonly scope: Scope;
  readonly tree: RequireNode;
  readonly target: Pick<AccessRequest, 'uri' | 'filename'>;
}

const NO_CONFIG = { config: (): boolean => false };

/**
 * The lines of a section for 2.4, where they alone decide for it: undefined where there are none, where conditionals choose among
 * them, and where they ask for the request or for what stands above them.
 */
export function branchFor24(scope: Scope, mapping: UrlMapping): VersionBranch | undefined {
  if (scope.lines.merging.length > 0 || scope.conditions.length > 0 || scope.variants !== undefined)
    return undefined;
  const isOpen = scope.lines.for24.some(({ inner }) =>
    inner.some(({ section }) => conditionUnder(section, undefined, '2.2').after === undefined),
  );
  const tree = isOpen ? undefined : requireTreeOf(scope, NO_CONFIG);
  if (tree === undefined || requireNodes(tree).some(({ provider }) => provider === 'expr')) return undefined;
  const [target = { uri: '/', filename: '/' }] = targetsFor(scope, [scope], mapping);
  return { scope, tree, target };
}

/** More clients than these are not asked about one section in one state. */
const MAX_CLIENTS = 600;

/**
 * Whether 2.4 answers as 2.2 does in all states that a request can come in.
 * @param policy what the section says to 2.2
 */
export function branchesAgree(
  policy: SectionPolicy,
  branch: VersionBranch,
  statesBefore: readonly State[],
  facts: Facts,
): boolean {
  return statesBefore.every((base) => agreeIn(base, policy, branch, facts));
}

/** Whether both halves say the same by themselves: then the one was written as the other's twin. */
export function areTwins(
  policy: SectionPolicy,
  branch: VersionBranch,
  statesBefore: readonly State[],
  facts: Facts,
): boolean {
  return statesBefore.every((base) =>
    agreeIn({ ...base, hosts: undefined, requires: undefined, satisfy: new Map() }, policy, branch, facts),
  );
}

function agreeIn(base: State, policy: SectionPolicy, branch: VersionBranch, facts: Facts): boolean {
  const { scope, tree, target } = branch;
  const state = mergePolicy(base, policy, facts);
  const authType = authTypeOf(scope, NO_CONFIG) ?? base.authType;
  const state24 = {
    tree,
    authType,
    ssl: state.ssl !== undefined,
    requires: scope.ssl,
    escapes: facts.escapes,
  };
  return clientsFrom(valuesToTry([state], [tree]), MAX_CLIENTS).every((client) => {
    const request: AccessRequest = { ...target, ...client, ...NO_CONFIG };
    const was = decide22(state, facts, request);
    const is = decide24(state24, request);
    if (was === is) return true;
    // What is not known is no twin of anything.
    if (was === '?' || is === '?') return false;
    return was !== 'P' && is === 'F' && refusesEveryUser(state, facts, request);
  });
}
