import type { ConditionalTest, Scope, State } from '../policy';

/**
 * Counts, without following any, how many ways there are at least past sections that may match. Of the ways past a section in
 * conditionals, those are counted in which these hold.
 */
export class LeastWays {
  #count = 1;
  /** What each conditional says in the ways that are counted; undefined where it may be one or the other. */
  readonly #said = new Map<string, boolean | undefined>();

  /**
   * @param scope the section that is asked about: the conditionals around it hold
   * @param before the ways that come to the first section
   */
  constructor({ conditions }: Scope, before: readonly State[]) {
    for (const { when } of before)
      for (const test of when) if (test.kind === 'config') this.#said.set(test.name, undefined);
    for (const { name, is } of conditions) this.#said.set(name, is);
  }

  get count(): number {
    return this.#count;
  }

  /** Each way goes past a section, and into it under every setting of the conditionals that its lines are split over. */
  addMaybe(section: Scope): void {
    if (!this.#hold(section.conditions)) return;
    const { variants = [] } = section;
    const areNew = variants.every(({ tests }) => tests.every(({ name }) => !this.#said.has(name)));
    this.#count *= 1 + (areNew ? Math.max(variants.length, 1) : 1);
    this.#leaveOpen(variants.flatMap(({ tests }) => tests));
  }

  /** A section past which there may be no more ways than before it. */
  addOther({ conditions, variants = [] }: Scope): void {
    this.#leaveOpen(conditions);
    this.#leaveOpen(variants.flatMap(({ tests }) => tests));
  }

  /** Counts no ways any more but those in which these hold. @returns whether there are as many */
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
