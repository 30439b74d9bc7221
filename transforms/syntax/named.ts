import type { ConfigFile } from '../../src/config';
import type { Outcome, ResultContext } from '../../src/engine';

/** Tells whether a line of the result has been spoken of already, or waits for what its owner asked for. */
export class Named {
  /** File and line → what has been said there. */
  readonly #lines = new Map<string, Outcome[]>();
  /** File and rule that has something open there. */
  readonly #open = new Set<string>();
  readonly #outcomes: readonly Outcome[];

  constructor({ outcomes }: ResultContext) {
    this.#outcomes = outcomes;
  }

  /** Only once something is asked: most results have nothing to ask about. */
  #read(): void {
    if (this.#lines.size > 0) return;
    for (const one of this.#outcomes) {
      const key = lineKey(one.file, one.at);
      const known = this.#lines.get(key);
      if (known === undefined) this.#lines.set(key, [one]);
      else known.push(one);
      if (one.status !== 'applied') this.#open.add(openKey(one.file, one.rule));
    }
  }

  /**
   * @param owner the rule that looks after it
   */
  has(file: ConfigFile, at: number, owner: string | undefined): boolean {
    this.#read();
    if (owner !== undefined && this.#open.has(openKey(file, owner))) return true;
    const said = this.#lines.get(lineKey(file, at)) ?? [];
    return said.some(({ rule, level, at: place }) => rule === owner || (level === 'error' && place === at));
  }
}

function lineKey(file: ConfigFile, at: number): string {
  return `${file.document.positionAt(at).line} ${file.path}`;
}

function openKey(file: ConfigFile, rule: Outcome['rule']): string {
  return `${rule} ${file.path}`;
}
