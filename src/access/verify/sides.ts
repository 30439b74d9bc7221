import type { Collected } from '../collect';
import { ScopeIndex, hostKey, placedScopes } from '../models';
import type { Facts, Scope } from '../policy';
import { type Difference, firstDifference } from './equivalence';
import { targetsFor } from './witness';

/** How much is asked of all groups together; each group is asked something. */
const BUDGET = 60_000;
const MAX_TARGETS = 40;
const MAX_CLIENTS = 300;

/** True for a section with lines that its author wrote for one version each. */
export function isApart(scope: Scope): boolean {
  return scope.only22 + scope.only24 > 0;
}

/** The configuration as it was read. */
interface Read {
  readonly facts: Facts;
  readonly collected: Collected;
}

/** Holds what a configuration says to 2.2 against what it says to 2.4, where blocks for one version each stand in it. */
export class Sides {
  readonly #scopes: readonly Scope[];
  readonly #world: Read;
  /** Made when first asked for: most runs have no such blocks. */
  #index: ScopeIndex | undefined;
  #share = 1;

  constructor(scopes: readonly Scope[], world: Read) {
    this.#scopes = scopes;
    this.#world = world;
  }

  /** A request to one of these sections that the versions answer differently; none where 2.4 would need mod_access_compat to answer. */
  difference(group: readonly Scope[]): Difference | undefined {
    const { facts, collected } = this.#world;
    if (this.#index === undefined) {
      this.#index = new ScopeIndex(this.#scopes);
      this.#share = Math.max(1, this.#scopes.filter(isApart).length);
    }
    const places = Math.max(4, Math.min(MAX_TARGETS, Math.floor(BUDGET / 100 / this.#share)));
    const clients = Math.max(40, Math.min(MAX_CLIENTS, Math.floor(BUDGET / this.#share / places)));
    const around = group.slice(0, 100);
    const seen = new Set<string>();
    for (const scope of group)
      for (const target of targetsFor(scope, around, collected.mapping).slice(0, places)) {
        const key = `${hostKey(scope.vhost)} ${target.uri} ${target.filename}`;
        if (seen.has(key)) continue;
        seen.add(key);
        const met = placedScopes(this.#index.candidates(target, scope.vhost), target);
        if (met.some((one) => one.old.length + one.problems.length > 0)) continue;
        const found = firstDifference(met, met, target, facts, clients, '2.4');
        if (found !== undefined) return found;
      }
    return undefined;
  }
}
