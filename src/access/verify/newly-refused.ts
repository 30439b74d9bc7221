import type { UrlMapping } from '../mapping';
import { ScopeIndex, asCompat, decideCompat, decider22, scopesRead } from '../models';
import {
  type Facts,
  type Scope,
  type State,
  changesState,
  directoryIn,
  isReadAs24,
  statesWith,
} from '../policy';
import { type AccessAnswer, type AccessRequest, isWithin, lazy, memo } from '../primitives';
import type { AnswerDifference } from './first-difference';
import { clientsFrom, valuesToTry } from './clients';
import { sourceModel } from './source-model';
import { neighbours } from './surroundings';
import { conditionalSettings, targetsFor } from './test-requests';

const MAX_HOSTS = 4;
const MAX_TARGETS = 30;
const MAX_CLIENTS = 200;
const MAX_STATES = 100;
/** Requests to try in a whole run; each section gets a share. */
const BUDGET = 200_000;

const NO_USER = { user: undefined };

type Answers = (request: AccessRequest) => AccessAnswer;

/** The states that a text must let a request in under, each with what it answers. */
interface StatesAsked {
  readonly others: readonly State[];
  readonly answers: readonly Answers[];
}

/** Looks for requests that sections in the strictest form refuse, and that got in. */
export class NewlyRefused {
  /** Most runs have no such section. */
  readonly #index = lazy(() => new ScopeIndex(this.scopes));
  #left = BUDGET;

  constructor(
    private readonly scopes: readonly Scope[],
    private readonly facts: Facts,
    private readonly mapping: UrlMapping,
  ) {}

  /**
   * @param statesBefore those that the strictest form is made of
   * @param noLogin whether it lets nobody in by a password in some of these
   * @returns a request that the section decides, that gets in, and that would not under one of the states; `none` where all that
   * were tried are answered as before, `not-known` where that cannot be said
   */
  find(
    scope: Scope,
    before: readonly State[],
    noLogin: (states: readonly State[]) => boolean,
  ): AnswerDifference | 'none' | 'not-known' {
    const directories = [...new Set(before.flatMap((state) => directoryIn(state) ?? []))];
    const askedIn = memo((directory: string | undefined): StatesAsked => {
      const there = before.filter((state) => [undefined, directory].includes(directoryIn(state)));
      const step = Math.max(1, Math.ceil(there.length / MAX_STATES));
      const some = there.filter((_, i) => i % step === 0);
      const isWithout = noLogin(there);
      // A text that asks for a password does so whether or not an AuthType is in force in that state.
      const others = statesWith(scope, some, this.facts).map((state) =>
        isReadAs24(state, this.facts) ? state : { ...state, authType: isWithout ? undefined : true },
      );
      const answers = others.map((state): Answers => {
        if (!isReadAs24(state, this.facts)) return decider22(state, this.facts);
        const compat = asCompat(state);
        return (request) => decideCompat(compat, this.facts, request);
      });
      return { others, answers };
    }, new Map());
    const tally = { tried: 0, unknown: 0 };
    const around = neighbours(scope, this.scopes, []);
    for (const vhost of this.#hostsOf(scope))
      for (const target of targetsFor(scope, around, this.mapping, vhost).slice(0, MAX_TARGETS)) {
        const met = this.#index().met(target, vhost);
        for (const config of conditionalSettings(met)) {
          const read = scopesRead(met, config, '2.2');
          if (read.findLast(changesState) !== scope) continue;
          const above = directories.filter((path) => isWithin(target.filename, path));
          const asked = askedIn(above.sort((a, b) => b.length - a.length)[0]);
          const found = this.#findAt(scope, read, { ...target, config }, asked, tally);
          if (found !== undefined) return found;
        }
      }
    return tally.tried > 0 && tally.unknown === 0 ? 'none' : 'not-known';
  }

  #findAt(
    scope: Scope,
    read: readonly Scope[],
    at: Pick<AccessRequest, 'uri' | 'filename' | 'config'>,
    { others, answers }: StatesAsked,
    tally: { tried: number; unknown: number },
  ): AnswerDifference | 'not-known' | undefined {
    const facts = this.facts;
    const { reading } = facts;
    const { merged, tree, answer: answerTo } = sourceModel(read, facts, at.config);
    const canLogIn = merged.authType === true;
    for (const client of clientsFrom(valuesToTry([merged, ...others.slice(0, 8)], [tree]), MAX_CLIENTS)) {
      if (this.#left <= 0) return 'not-known';
      this.#left -= others.length;
      const request: AccessRequest = { ...at, ...client, ...(canLogIn ? {} : NO_USER) };
      const answer = answerTo(request);
      tally.tried++;
      if (answer === '?') tally.unknown++;
      if (answer !== 'P') continue;
      const asks = strictestOf(answers, request);
      // What asks for a password is a 500 in 2.4 where no AuthType says how.
      const is = asks === 'U' && !canLogIn ? 'E' : asks;
      if (is === '?') tally.unknown++;
      else if (is !== 'P')
        return { met: read, takesPart: [scope], decides: scope, request, was: 'P', is, reading };
    }
    return undefined;
  }

  #hostsOf({ vhost }: Scope): readonly Scope['vhost'][] {
    if (vhost !== undefined) return [vhost];
    const hosts = new Set([...this.scopes.map((other) => other.vhost), ...this.mapping.hostsExcept()]);
    if (!this.mapping.reachesMain) hosts.delete(undefined);
    return [...hosts].slice(0, MAX_HOSTS);
  }
}

/** What a request is answered that gets in only if each of these lets it in. */
function strictestOf(answers: readonly Answers[], request: AccessRequest): AccessAnswer {
  let strictest: AccessAnswer = 'P';
  for (const answerTo of answers) {
    const answer = answerTo(request);
    if (answer === 'F' || answer === 'E') return 'F';
    if (answer === '?') return '?';
    if (answer === 'U') strictest = 'U';
  }
  return strictest;
}
