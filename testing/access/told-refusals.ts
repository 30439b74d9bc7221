import type { Collected } from '../../src/access/collect';
import { factsOf } from '../../src/access/collect';
import { refusesEveryUser, scopesRead, state22, stateCompat } from '../../src/access/models';
import type { Facts, Scope } from '../../src/access/policy';
import type { AccessRequest } from '../../src/access/primitives';
import type { ConfigTree } from '../../src/config';
import type { Outcome, RunResult } from '../../src/engine';

/**
 * Requests that let nobody in on either version, which 2.4 refuses (403) and the server before it answered otherwise: Require
 * lines that no user meets, an AuthType without a Require. A warning at one of the sections must say so.
 */
export class ToldRefusals {
  readonly #facts: Facts;
  readonly #warnings: readonly Outcome[];

  /** @param collected as the server before read the tree: a 2.2, or a 2.4 with mod_access_compat */
  constructor(collected: Collected, tree: ConfigTree, { outcomes }: RunResult) {
    this.#facts = factsOf(collected, tree);
    this.#warnings = outcomes.filter(({ rule, level }) => rule === 'order-allow-deny' && level === 'warning');
  }

  /** @param placed the sections on the way, whatever conditionals say, in merge order */
  has(placed: readonly Scope[], request: AccessRequest, was: string, is: string | undefined): boolean {
    if (was === 'P' || is !== 'F' || was === is) return false;
    const met = scopesRead(placed, request.config, '2.2');
    const isKnown =
      this.#facts.reading === '2.2'
        ? refusesEveryUser(state22(met, this.#facts, request.config), this.#facts, request)
        : was === 'E' && stateCompat(met, this.#facts, request.config).core.tree === undefined;
    return isKnown && met.some((scope) => this.#isWarned(scope));
  }

  #isWarned({ lines: { requires, authType, old } }: Scope): boolean {
    const lines = [...requires, ...(authType === undefined ? [] : [authType]), ...old];
    return this.#warnings.some(({ file, at }) =>
      lines.some((line) => line.file === file && line.node.start === at),
    );
  }
}
