import type { ConditionalTest, Scope, State } from '../policy';

/**
 * Counts, without following any, how many ways there are at least past sections that may match: those in which all conditionals
 * around these hold, and of the others what is sure.
 */
export class LeastWays {
  #count = 1;
  /** The ways in which all conditionals hold that have come so far. */
  #held = 1;
  /** What each conditional says in those ways; undefined where it may be one or the other. */
  readonly #said = new Map<string, boolean | undefined>();

  /**
   * @param scope the section that is asked about: the conditionals around it hold
   * @param before the ways that come to the first section
   */
  constructor({ aroundLines }: Scope, before: readonly State[]) {
    // Of two that contradict each other the first counts.
    for (const { name, is } of aroundLines) if (!this.#said.has(name)) this.#said.set(name, is);
    for (const { when } of before) this.#leaveOpen(when.filter((test) => test.kind === 'config'));
  }

  get count(): number {
    return this.#count;
  }

  /** Each way goes past a section, and into it under every setting of the conditionals that its lines are split over. */
  addMaybe({ aroundLines, policies = [] }: Scope): void {
    const areOpen =
      this.#areOpen(aroundLines) && new Set(aroundLines.map(({ name }) => name)).size === aroundLines.length;
    if (!this.#hold(aroundLines)) return;
    const inside = policies.flatMap(({ tests }) => tests);
    const into = this.#areOpen(inside) ? Math.max(policies.length, 1) : 1;
    // What is open is so in all ways: each becomes one more for each conditional that does not hold.
    this.#count = areOpen ? this.#count * (1 + into + aroundLines.length) : this.#count + this.#held * into;
    this.#held *= 1 + into;
    this.#leaveOpen(inside);
  }

  /** A section past which there may be no more ways than before it. */
  addOther({ aroundLines, policies = [] }: Scope): void {
    this.#leaveOpen(aroundLines);
    this.#leaveOpen(policies.flatMap(({ tests }) => tests));
  }

  /** Whether none of these conditionals has come before, in any way. */
  #areOpen(tests: readonly ConditionalTest[]): boolean {
    return tests.every(({ name }) => !this.#said.has(name));
  }

  /** Lets the held ways be those in which these conditionals hold, too. @returns whether there are as many as before */
  #hold(conditions: readonly ConditionalTest[]): boolean {
    for (const [i, { name, is }] of conditions.entries()) {
      if (!this.#said.has(name)) this.#said.set(name, is);
      else if (this.#said.get(name) !== is) {
        this.#leaveOpen(conditions.slice(i));
        return false;
      }
    }
    return true;
  }

  #leaveOpen(tests: readonly ConditionalTest[]): void {
    for (const { name } of tests) if (!this.#said.has(name)) this.#said.set(name, undefined);
  }
}
