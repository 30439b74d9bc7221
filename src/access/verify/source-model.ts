import { asCompat, decider22, decideCompat, refusesEveryUser, state22, stateCompat } from '../models';
import { type Facts, type RequireNode, type Scope, type State, isReadAs24 } from '../policy';
import type { AccessAnswer, AccessRequest, Config } from '../primitives';

interface SourceModel {
  readonly merged: State;
  readonly tree?: RequireNode | undefined;
  /** Require lines in 2.4's words are in force, which let nobody in. */
  readonly readsLinesFor24: boolean;
  readonly answer: (request: AccessRequest) => AccessAnswer;
  /** Nobody gets in either way, and the run has said so. */
  readonly isKnownDifference: (request: AccessRequest, was: AccessAnswer, is: AccessAnswer) => boolean;
}

/** The model of the server that the configuration was for, in the state that sections lead to. */
export function sourceModel(met: readonly Scope[], facts: Facts, config: Config): SourceModel {
  if (facts.reading === '2.2') {
    const state = state22(met, facts, config);
    return {
      merged: state,
      readsLinesFor24: state.requires?.some(({ isFor24 }) => isFor24 === true) === true,
      answer: decider22(state, facts),
      isKnownDifference: (request, was, is) =>
        (is === 'F' && was !== 'P' && refusesEveryUser(state, facts, request)) ||
        (is === 'E' && was === 'U' && state.authType === false),
    };
  }
  const written = facts.reading === 'as-written' ? state22(met, facts, config) : undefined;
  if (written !== undefined && !isReadAs24(written, facts))
    return {
      merged: written,
      readsLinesFor24: false,
      answer: decider22(written, facts),
      isKnownDifference: () => false,
    };
  const state = written === undefined ? stateCompat(met, facts, config) : asCompat(written);
  return {
    merged: state.compat,
    tree: state.core.tree,
    readsLinesFor24: false,
    answer: (request) => decideCompat(state, facts, request),
    // An AuthType without any Require (2.4 mod_authz_core.c: authorize_user_core).
    isKnownDifference: (_, was, is) => was === 'E' && is === 'F' && state.core.tree === undefined,
  };
}
