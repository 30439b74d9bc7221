import { type Facts, type Scope, type SectionPolicy, type State, stateKey } from '../policy';

/** States that differ only in parts that a section replaces are one state before it: that keeps their number small. */
interface NeededParts {
  readonly hosts: boolean;
  readonly requires: boolean;
}

export const ALL_PARTS: NeededParts = { hosts: true, requires: true };

/** What a section leaves to what stands before it, under some setting of its conditionals. */
export function neededPartsOf({ policy, variants }: Scope): NeededParts {
  if (variants === undefined) return partsNotSet(policy);
  const lacked = variants.map((variant) => partsNotSet(variant.policy));
  return { hosts: lacked.some(({ hosts }) => hosts), requires: lacked.some(({ requires }) => requires) };
}

function partsNotSet({ hosts, requires, authz }: SectionPolicy): NeededParts {
  return { hosts: hosts === undefined, requires: (requires ?? authz) === undefined };
}

/** Whether a section sets nothing but a host list, under any setting of its conditionals. */
export function setsHostsAlone({ policy, variants }: Scope): boolean {
  return (variants?.map((variant) => variant.policy) ?? [policy]).every(
    ({ requires, authz, satisfy, authType, authorizers, ssl, tls }) =>
      (requires ?? authz ?? authType ?? ssl ?? tls) === undefined &&
      satisfy.length === 0 &&
      authorizers.size === 0,
  );
}

/** States, of which each counts once: two that lead to the same decisions in all later sections are the same. */
export class StateSet {
  readonly list: State[] = [];
  readonly #keys = new Set<string>();

  constructor(
    private readonly facts: Facts,
    private readonly needs: NeededParts,
    private readonly limit: number,
    private readonly overflow: () => void,
  ) {}

  add(state: State): void {
    if (!this.needs.hosts && state.hosts !== undefined) state = { ...state, hosts: undefined };
    if (!this.needs.requires && (state.requires ?? state.authz) !== undefined)
      state = { ...state, requires: undefined, authz: undefined };
    if (this.#keys.size === this.#keys.add(stateKey(state, this.facts)).size) return;
    if (this.list.length >= this.limit) this.overflow();
    else this.list.push(state);
  }
}
