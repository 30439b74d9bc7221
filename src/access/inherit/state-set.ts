import { type Facts, type Scope, type SectionPolicy, type State, stateKey } from '../policy';

/** States that differ only in parts that a section replaces are one state before it: that keeps their number small. */
interface NeededParts {
  readonly hosts: boolean;
  readonly requires: boolean;
}

export const ALL_PARTS: NeededParts = { hosts: true, requires: true };

/** What a section leaves to what stands before it, under some setting of its conditionals. */
export function neededPartsOf({ policy, policies }: Scope): NeededParts {
  if (policies === undefined) return partsNotSet(policy);
  const lacked = policies.map((variant) => partsNotSet(variant.policy));
  return { hosts: lacked.some(({ hosts }) => hosts), requires: lacked.some(({ requires }) => requires) };
}

function partsNotSet({ hosts, requires, authz }: SectionPolicy): NeededParts {
  return { hosts: hosts === undefined, requires: (requires ?? authz) === undefined };
}

/** Whether a section sets nothing but a host list, under any setting of its conditionals. */
export function setsHostsAlone({ policy, policies }: Scope): boolean {
  return (policies?.map((variant) => variant.policy) ?? [policy]).every(
    ({ requires, authz, satisfy, authType, authorizers, ssl, tls }) =>
      (requires ?? authz ?? authType ?? ssl ?? tls) === undefined &&
      satisfy.length === 0 &&
      authorizers.size === 0,
  );
}

/** Up to so many states are held against one another, which needs few keys: most differ at first sight. */
const FEW = 8;

/** States, of which each counts once: two that lead to the same decisions in all later sections are the same. */
export class StateSet {
  readonly list: State[] = [];
  /** The keys of the first of them, where they have been needed. */
  readonly #keys: (string | undefined)[] = [];
  #seen: Set<string> | undefined;

  constructor(
    private readonly facts: Facts,
    private readonly needs: NeededParts,
    private readonly limit: number,
    private readonly overflow: () => void,
  ) {}

  add(state: State): void {
    const needed = this.#needed(state);
    if (this.list.length < FEW ? this.#isAmongFew(needed) : this.#isSeen(needed)) return;
    this.#push(needed);
  }

  /** Adds a state to which a request comes in another way than to all others here: it is none of these. */
  addOther(state: State): void {
    const needed = this.#needed(state);
    this.#seen?.add(stateKey(needed, this.facts));
    this.#push(needed);
  }

  #needed(state: State): State {
    if (!this.needs.hosts && state.hosts !== undefined) state = { ...state, hosts: undefined };
    if (!this.needs.requires && (state.requires ?? state.authz) !== undefined)
      state = { ...state, requires: undefined, authz: undefined };
    return state;
  }

  #push(state: State): void {
    if (this.list.length >= this.limit) this.overflow();
    else this.list.push(state);
  }

  #isAmongFew(state: State): boolean {
    const { list } = this;
    let key: string | undefined;
    for (let i = 0; i < list.length; i++) {
      if (list[i] === state) return true;
      if (differs(list[i]!, state)) continue;
      key ??= stateKey(state, this.facts);
      this.#keys[i] ??= stateKey(list[i]!, this.facts);
      if (this.#keys[i] === key) return true;
    }
    this.#keys[list.length] = key;
    return false;
  }

  #isSeen(state: State): boolean {
    this.#seen ??= new Set(this.list.map((kept, i) => this.#keys[i] ?? stateKey(kept, this.facts)));
    const key = stateKey(state, this.facts);
    if (this.#seen.has(key)) return true;
    this.#seen.add(key);
    return false;
  }
}

/** Whether two states have different keys for a reason that is seen at once. */
function differs(a: State, b: State): boolean {
  return (
    a.authType !== b.authType ||
    a.tree !== b.tree ||
    (a.hosts === undefined) !== (b.hosts === undefined) ||
    (a.requires === undefined) !== (b.requires === undefined)
  );
}
