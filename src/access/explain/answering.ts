import { decide24, isUnsure, scopesRead, state24 } from '../models';
import { type Facts, type RequireNode, type Scope, type State, openTestNames } from '../policy';
import type { AccessAnswer, AccessRequest, Config } from '../primitives';
import { type RequestTarget, sourceModel } from '../verify';

/** What a version answers for some sections, and what it looks at. */
export interface VersionAnswering {
  /** False where the answer is `?` to all. */
  readonly isKnown: boolean;
  readonly state: State | undefined;
  readonly tree: RequireNode | undefined;
  readonly ssl: boolean;
  readonly answer: (request: AccessRequest) => AccessAnswer;
}

/** What both versions answer in one setting of what nobody knows of the configuration. */
export interface Answering {
  readonly before: VersionAnswering;
  readonly after: VersionAnswering;
}

/** Settings of the conditionals that cannot be decided: all hold; all but one, each in turn; none does. */
export function settingsOf(
  tests: readonly string[],
): readonly { readonly when: string; readonly config: Config }[] {
  const lists = [[], ...tests.map((test) => [test]), ...(tests.length > 1 ? [tests] : [])];
  return lists.map((without) => ({
    when: `without ${without.join(', ')}`,
    config: (name) => !without.includes(name),
  }));
}

/**
 * What both versions answer to requests for a target, in each setting of the undecided conditionals and of the patterns that may
 * match.
 * @param met22 what they meet of the configuration as the server that runs it reads it; `met24` of the rewrite
 * @param configs the settings, if not those of {@link settingsOf}
 */
export function answeringAt(
  met22: readonly Scope[],
  met24: readonly Scope[],
  target: RequestTarget,
  facts: Facts,
  configs: readonly Config[] = settingsOf(openTestNames([...met22, ...met24])).map(({ config }) => config),
): readonly Answering[] {
  const all = [...met22, ...met24];
  const surely = (scopes: readonly Scope[]): readonly Scope[] =>
    scopes.filter((scope) => !isUnsure(scope, target));
  const choices = surely(all).length < all.length ? [false, true] : [false];
  return configs.flatMap((config) =>
    choices.map((isSure) => {
      const [old, renewed] = isSure ? [surely(met22), surely(met24)] : [met22, met24];
      return { before: answeringBefore(old, facts, config), after: answeringAfter(renewed, facts, config) };
    }),
  );
}

function answeringBefore(met: readonly Scope[], facts: Facts, config: Config): VersionAnswering {
  const isKnown = facts.reading !== '2.2' || met.every(({ problems }) => problems.length === 0);
  const { merged, tree, answer } = sourceModel(scopesRead(met, config, '2.2'), facts, config);
  return { isKnown, state: merged, tree, ssl: false, answer: isKnown ? answer : unknown };
}

function answeringAfter(met: readonly Scope[], facts: Facts, config: Config): VersionAnswering {
  // 2.4 does not read these without mod_access_compat.
  const isKnown = met.every((scope) => scope.lines.old.length === 0 && scope.oldFor24 === undefined);
  const state = state24(scopesRead(met, config, '2.4'), config, facts.escapes);
  const answer = (request: AccessRequest): AccessAnswer => decide24(state, request);
  return { isKnown, state: undefined, tree: state.tree, ssl: state.ssl, answer: isKnown ? answer : unknown };
}

const unknown = (): AccessAnswer => '?';
