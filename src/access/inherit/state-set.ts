import { type Facts, type OwnPolicy, type Scope, type State, stateKey } from '../policy';
import { covers } from '../primitives';

/** The parts of a state that a section replaces need not be told apart before it: that keeps the number of states small. */
export interface Needs {
  readonly hosts: boolean;
  readonly requires: boolean;
}

/** What a section leaves to what stands before it, under some setting of its conditionals. */
export function needsOf({ own, settings }: Scope): Needs {
  if (settings === undefined) return lackedBy(own);
  const lacked = settings.map((one) => lackedBy(one.own));
  return { hosts: lacked.some(({ hosts }) => hosts), requires: lacked.some(({ requires }) => requires) };
}

function lackedBy({ hosts, requires, authz }: OwnPolicy): Needs {
  return { hosts: hosts === undefined, requires: (requires ?? authz) === undefined };
}

/** Up to so many states are held against one another, which needs few keys: most differ at first sight. */
const FEW = 8;

/** States without the copies that no later section can tell apart. */
export class StateSet {
  readonly #facts: Facts;
  readonly #needs: Needs;
  readonly #limit: number;
  readonly #overflow: () => void;
  readonly list: State[] = [];
  /** The keys of the first of them, where they have been needed. */
  readonly #keys: (string | undefined)[] = [];
  #seen: Set<string> | undefined;

  constructor(facts: Facts, needs: Needs, limit: number, overflow: () => void) {
    this.#facts = facts;
    this.#needs = needs;
    this.#limit = limit;
    this.#overflow = overflow;
  }

  add(state: State): void {
    if (!this.#needs.hosts && state.hosts !== undefined) state = { ...state, hosts: undefined };
    if (!this.#needs.requires && (state.requires ?? state.authz) !== undefined)
      state = { ...state, requires: undefined, authz: undefined };
    if (this.list.length < FEW ? this.#isAmongFew(state) : this.#isSeen(state)) return;
    if (this.list.length >= this.#limit) this.#overflow();
    else this.list.push(state);
  }

  #isAmongFew(state: State): boolean {
    const { list } = this;
    let key: string | undefined;
    for (let i = 0; i < list.length; i++) {
      if (list[i] === state) return true;
      if (differs(list[i]!, state)) continue;
      key ??= stateKey(state, this.#facts);
      this.#keys[i] ??= stateKey(list[i]!, this.#facts);
      if (this.#keys[i] === key) return true;
    }
    this.#keys.push(key);
    return false;
  }

  #isSeen(state: State): boolean {
    this.#seen ??= new Set(this.list.map((one, i) => this.#keys[i] ?? stateKey(one, this.#facts)));
    const key = stateKey(state, this.#facts);
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
    a.authNone !== b.authNone ||
    (a.hosts === undefined) !== (b.hosts === undefined) ||
    (a.requires === undefined) !== (b.requires === undefined)
  );
}

/** To look for it among more states takes longer than to merge. */
const MOST_SEARCHED = 16;

/**
 * Whether merging a section over the states gives no other state than these, and in this order: most sections of a large run
 * do what those before them did, and to find that out by the keys of all states would take most of the time.
 * @param states stripped of what is not needed, and all different
 * @param kept a request may pass the section by
 */
export function absorbs(
  states: readonly State[],
  { own: single, settings }: Scope,
  kept: boolean,
  needs: Needs,
  facts: Facts,
): boolean {
  const count = settings?.length ?? 1;
  if (states.length > MOST_SEARCHED || (!kept && count > 1)) return false;
  for (let i = 0; i < states.length; i++) {
    // A state may bring the next one to light: that comes right behind it then, where it is already.
    const first = kept ? 0 : i;
    const last = kept ? Math.min(i + 1, states.length - 1) : i;
    for (let n = 0; n < count; n++) {
      const own = settings?.[n]!.own ?? single;
      let j = last;
      while (j >= first && !leadsTo(states[i]!, own, states[j]!, needs, facts)) j--;
      if (j < first) return false;
    }
  }
  return true;
}

/** Whether `merge(from, own)` is surely `to`, field by field. */
function leadsTo(from: State, own: OwnPolicy, to: State, needs: Needs, facts: Facts): boolean {
  const compat = facts.reading === 'compat' && (own.hosts !== undefined || own.satisfy.length > 0);
  if (compat || own.authorizers.size > 0 || from.authorizers !== to.authorizers) return false;
  if (needs.hosts && (own.hosts ?? from.hosts) !== to.hosts) return false;
  if (
    needs.requires &&
    ((own.requires ?? from.requires) !== to.requires || (own.authz?.tree ?? from.authz) !== to.authz)
  )
    return false;
  const authType = own.authType ?? from.authType;
  const authNone = own.authType === undefined ? from.authNone : !own.authType;
  if (authType !== to.authType || authNone !== to.authNone || (own.ssl ?? from.ssl) !== to.ssl) return false;
  const tree =
    from.tree ||
    own.hosts !== undefined ||
    own.requires !== undefined ||
    own.ssl?.kind === 'tree' ||
    own.authz !== undefined ||
    authType;
  return tree === to.tree && from.when === to.when && saysNothingNew(from, own, to, facts);
}

function saysNothingNew(from: State, own: OwnPolicy, to: State, facts: Facts): boolean {
  if (from.satisfy !== to.satisfy) return false;
  for (const { mask, value } of own.satisfy)
    for (const method of facts.classes)
      if (covers(mask, method) && from.satisfy.get(method) !== value) return false;
  return true;
}
