import {
  type Facts,
  INITIAL,
  type PolicyVariant,
  type ReachCondition,
  type Scope,
  type SectionPolicy,
  type State,
  changesState,
  mergePolicy,
  policiesOf,
  statesWith,
  surelyLetIn,
  withConditions,
} from '../policy';
import { EMPTY_LIST, getOrInsert } from '../primitives';
import type { ConfigFile } from '../../config';
import type { ServerSections, StateMemo, StateMemoKind } from './merge-order';
import { ALL_PARTS, StateSet, neededPartsOf, setsHostsAlone } from './state-set';

/** More Files sections than these are not left out: their files may be any. */
const MAX_REFUSED = 8;

/** What is asked about a section: the states before it, also with what it replaces, by directory, or with the way to each. */
export type StatesQuestion = 'states' | 'whole-states' | 'directories' | 'cases';

/** More ways than this to reach one section are not followed: the section is refused. */
const LIMITS: Readonly<Record<StatesQuestion, number>> = {
  states: 4096,
  // All ways are told in one word: each costs little.
  'whole-states': 65_536,
  directories: 16_384,
  // Each is followed separately when the section must be restated for it.
  cases: 512,
};

/**
 * Merges sections over the states of requests (server/request.c), for one question at a time. Where a section may or may not
 * match, both ways are kept; where there are too many, there is no answer.
 */
export class StateMerge {
  #question: StatesQuestion = 'states';
  /** Conditions of the section that is asked about: they hold, wherever a request comes to it. */
  #conditions: Scope['aroundLines'] = EMPTY_LIST;
  /** What of a state the answer rests on. */
  #needs = ALL_PARTS;
  /** Too many were found for the section asked about; this says nothing of the next. */
  #isOver = false;
  readonly #budget = new MergeBudget();
  /** Lists that have been merged with a section that sets hosts in vain, and may not match: another changes nothing. */
  readonly #settled = new WeakSet<readonly State[]>();

  /** Lists as in {@link haveOwnWays}. */
  readonly #ownWays = new WeakSet<readonly State[]>();
  /** What has come of merging a section into a list: each of a file is asked about, and most were merged before. */
  #merged = new WeakMap<readonly State[], MergedNext>();
  #root: ConfigFile | undefined;

  /** @param policies what some sections set in place of what they say */
  constructor(
    private readonly facts: Facts,
    private readonly policies: ReadonlyMap<Scope, SectionPolicy>,
  ) {}

  /** Files sections that let nobody in by themselves, as those for `.ht` files: by directory, their files are left out. */
  refused = new Set<Scope>();

  begin(question: StatesQuestion, scope: Scope): void {
    this.#question = question;
    this.#conditions = scope.aroundLines;
    this.#needs = question === 'whole-states' ? ALL_PARTS : neededPartsOf(scope);
    this.#isOver = false;
    this.refused = new Set();
    const { root } = scope.place;
    if (root !== this.#root) this.#merged = new WeakMap();
    this.#root = root;
    this.#budget.beginFor(root);
  }

  /** Whether there are too many states to follow. */
  get isOver(): boolean {
    return this.#isOver;
  }

  readonly giveUp = (): void => {
    this.#isOver = true;
  };

  /** Whether each state is told with the way that a request comes to it. */
  get recordsWays(): boolean {
    return this.#question === 'cases';
  }

  /** Whether each state is told with the directory where it is found, at least. */
  get namesDirectories(): boolean {
    return this.recordsWays || this.#question === 'directories';
  }

  get limit(): number {
    return LIMITS[this.#question];
  }

  set(): StateSet {
    return new StateSet(this.facts, this.#needs, this.limit, this.giveUp);
  }

  /** The state a request begins with; the conditionals around the section that is asked about hold. */
  initial(): State {
    if (!this.recordsWays || this.#conditions.length === 0) return INITIAL;
    return { ...INITIAL, when: this.#conditions.map((condition) => ({ kind: 'config', ...condition })) };
  }

  withCondition(states: readonly State[], test: ReachCondition): readonly State[] {
    if (!this.recordsWays && (!this.namesDirectories || test.kind !== 'directory')) return states;
    const result = states.map((state) => ({ ...state, when: [...state.when, test] }));
    if (this.haveOwnWays(states)) this.#ownWays.add(result);
    return result;
  }

  /** Whether a request surely comes to each of these states in a way of its own, so that no two are the same. */
  haveOwnWays(states: readonly State[]): boolean {
    return states.length < 2 || this.#ownWays.has(states);
  }

  /** What was found under this key for the same needs, be it too many. Nothing is remembered of the ways of requests. */
  remembered(
    { memos }: ServerSections,
    question: StateMemoKind,
    key: string,
    regexes: boolean,
    find: () => readonly State[],
  ): readonly State[] {
    if (this.recordsWays || (this.namesDirectories && question !== 'chain')) return find();
    const memo = getOrInsert(memos, question, (): StateMemo => new Map());
    const slots = getOrInsert(memo, key, () => []);
    const slot = this.#slot + (regexes ? 4 : 0);
    const found = slots[slot];
    if (found === 'too-many') this.#isOver = true;
    else if (found !== undefined) return found;
    if (this.#isOver) return EMPTY_LIST;
    const states = find();
    // Where one file's merges are spent, nothing is known of the others.
    if (!this.#budget.isSpent) slots[slot] = this.#isOver ? 'too-many' : states;
    return states;
  }

  /** A number of what of a state the answer rests on. */
  get #slot(): number {
    return (this.#needs.hosts ? 1 : 0) + (this.#needs.requires ? 2 : 0);
  }

  /** Merges a section that surely matches, where the conditionals around it let it be read. */
  apply(states: readonly State[], scope: Scope): readonly State[] {
    return this.#step(states, scope, true);
  }

  /** Merges sections that may match. */
  maybe(states: readonly State[], scopes: readonly Scope[]): readonly State[] {
    for (const scope of scopes) states = this.#step(states, scope, false);
    return states;
  }

  /** Whether a section that may not match changes nothing of these states any more. */
  isSettled(states: readonly State[], scope: Scope): boolean {
    return this.#setsHostsInVain(scope) && this.#isSettledList(states);
  }

  #isSettledList(states: readonly State[]): boolean {
    return this.#settled.has(states) || states.every(({ tree }) => tree);
  }

  /** Leaves out sections that change nothing of these states, where all of them are merged one after another and may match. */
  withoutVain(states: readonly State[], scopes: readonly Scope[]): readonly Scope[] {
    if (this.#heedsHosts) return scopes;
    let first = !this.#isSettledList(states);
    return scopes.filter((scope) => {
      if (!this.#saysHostsAlone(scope)) return true;
      // The first of them leaves that it was there, and the others nothing else.
      const isFirst = first;
      first = false;
      return isFirst;
    });
  }

  /** Whether anything comes of merging a section. */
  isMerged(scope: Scope): boolean {
    return this.isGiven(scope) || changesState(scope);
  }

  /** Whether a section sets what was given in place of what it says. */
  isGiven(scope: Scope): boolean {
    return this.policies.has(scope);
  }

  /** Whether what host lists say is asked for. */
  get #heedsHosts(): boolean {
    return this.recordsWays || this.#needs.hosts || this.facts.reading !== '2.2';
  }

  /** Whether a section sets nothing but a host list, where none is needed: what it leaves is that it was there. */
  #setsHostsInVain(scope: Scope): boolean {
    return !this.#heedsHosts && this.#saysHostsAlone(scope);
  }

  #saysHostsAlone(scope: Scope): boolean {
    return (this.policies.size === 0 || !this.isGiven(scope)) && setsHostsAlone(scope);
  }

  #step(states: readonly State[], scope: Scope, sure: boolean): readonly State[] {
    // With too many of them there is no answer: no need to go on.
    if (this.#isOver || !this.isMerged(scope)) return states;
    const kept = !sure || scope.aroundLines.length > 0;
    const onlyHosts = this.#setsHostsInVain(scope);
    if (onlyHosts && (kept ? this.#isSettledList(states) : states.every(({ tree }) => tree))) return states;
    if (this.#mayRefuse(scope, sure)) {
      this.refused.add(scope);
      return states;
    }
    const slot = this.recordsWays ? undefined : this.#slot + (kept ? 4 : 0);
    const known = slot === undefined ? undefined : this.#merged.get(states);
    if (known?.scope === scope && known.slot === slot && known.limit === this.limit) return known.result;
    this.#budget.spend(states.length);
    if (this.#budget.isSpent) {
      this.#isOver = true;
      return states;
    }
    const result = this.#mergedWith(states, scope, sure);
    if (onlyHosts && kept) this.#settled.add(result);
    if (slot !== undefined && !this.#isOver)
      this.#merged.set(states, { scope, slot, limit: this.limit, result });
    return result;
  }

  /** Whether the files of a section are left out of what is asked. */
  #mayRefuse(scope: Scope, sure: boolean): boolean {
    if (this.#question !== 'directories' || sure || scope.kind !== 'files') return false;
    if (this.refused.size >= MAX_REFUSED) return this.refused.has(scope);
    return statesWith(scope, [INITIAL], this.facts).every((state) =>
      surelyLetIn(state, this.facts).every(({ kind }) => kind === 'false'),
    );
  }

  #mergedWith(states: readonly State[], scope: Scope, sure: boolean): readonly State[] {
    const given = this.policies.get(scope);
    const variants = given === undefined ? policiesOf(scope) : [{ tests: [], policy: given }];
    const isPlain =
      !sure && scope.aroundLines.length === 0 && variants.length === 1 && variants[0]!.tests.length === 0;
    if (this.recordsWays && isPlain && this.haveOwnWays(states))
      return this.#pastAndInto(states, scope, variants[0]!.policy);
    const result = this.set();
    for (const state of states) {
      if (this.recordsWays) this.#mergeWithConditions(state, scope, sure, variants, result);
      else {
        if (!sure || scope.aroundLines.length > 0) result.add(state);
        for (const { policy } of variants) result.add(mergePolicy(state, policy, this.facts));
      }
    }
    return result.list;
  }

  /** Past a section that may match, and into it: each way becomes two, which no other way is like. */
  #pastAndInto(states: readonly State[], scope: Scope, policy: SectionPolicy): readonly State[] {
    const result = this.set();
    for (const state of states) {
      if (this.#isOver) break;
      result.addOther({ ...state, when: [...state.when, { kind: 'match', scope, is: false }] });
      const when: State['when'] = [...state.when, { kind: 'match', scope, is: true }];
      result.addOther(mergePolicy({ ...state, when }, policy, this.facts));
    }
    this.#ownWays.add(result.list);
    return result.list;
  }

  /** Records how a request comes there: each way past the section, and each into it, becomes a state with its conditions. */
  #mergeWithConditions(
    state: State,
    scope: Scope,
    sure: boolean,
    variants: readonly PolicyVariant[],
    result: StateSet,
  ): void {
    for (const test of scope.aroundLines) {
      const { name, is } = test;
      const earlier = state.when.find((other) => other.kind === 'config' && other.name === name);
      if (earlier === undefined) {
        result.add({ ...state, when: [...state.when, { kind: 'config', ...test, is: !is }] });
        state = { ...state, when: [...state.when, { kind: 'config', ...test }] };
      } else if (earlier.kind === 'config' && earlier.is !== is) {
        result.add(state);
        return;
      }
    }
    if (!sure) {
      result.add({ ...state, when: [...state.when, { kind: 'match', scope, is: false }] });
      state = { ...state, when: [...state.when, { kind: 'match', scope, is: true }] };
    }
    for (const { tests, policy } of variants) {
      const when = withConditions(state.when, tests);
      if (when !== undefined) result.add(mergePolicy({ ...state, when }, policy, this.facts));
    }
  }
}

/** The list that a section has been merged into last, and what was asked. */
interface MergedNext {
  readonly scope: Scope;
  readonly slot: number;
  readonly limit: number;
  readonly result: readonly State[];
}

/** Half a dozen sections take fewer than ten. */
const MERGES = 20_000;
const MERGES_A_BYTE = 2;

/**
 * How many merges of a section into a state the sections of one `.htaccess` may take: whoever may write one must not hold up the
 * run. What an administrator writes is not limited.
 */
class MergeBudget {
  readonly #left = new WeakMap<ConfigFile, number>();
  #file: ConfigFile | undefined;
  #now = Infinity;

  /** @param root the file through which the server reads what is asked about from now on */
  beginFor(root: ConfigFile): void {
    if (this.#file !== undefined) this.#left.set(this.#file, this.#now);
    this.#file = root.role === 'htaccess' ? root : undefined;
    this.#now =
      this.#file === undefined
        ? Infinity
        : (this.#left.get(root) ?? MERGES + MERGES_A_BYTE * root.document.text.length);
  }

  spend(merges: number): void {
    this.#now -= merges;
  }

  get isSpent(): boolean {
    return this.#now < 0;
  }
}
