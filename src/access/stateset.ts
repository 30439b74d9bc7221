import { type Facts, type State, stateKey } from './state';

/** The parts of a state that a section replaces need not be told apart before it: that keeps the number of states small. */
export interface Needs {
  readonly hosts: boolean;
  readonly requires: boolean;
}

/** States without the copies that no later section can tell apart. */
export class StateSet {
  readonly #facts: Facts;
  readonly #needs: Needs;
  readonly #limit: number;
  readonly #overflow: () => void;
  readonly #seen = new Set<string>();
  readonly list: State[] = [];

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
    const key = stateKey(state, this.#facts);
    if (this.#seen.has(key)) return;
    if (this.list.length >= this.#limit) {
      this.#overflow();
      return;
    }
    this.#seen.add(key);
    this.list.push(state);
  }
}
