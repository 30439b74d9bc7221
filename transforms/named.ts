import type { Outcome, ResultContext } from '../src/engine';
import type { ConfigFile } from '../src/config';

/** Tells whether a line of the result has been spoken of already, or waits for what its owner asked for. */
export class Named {
  /** File and line → spoken of. */
  readonly #lines = new Set<string>();
  /** File and rule that has something open there. */
  readonly #open = new Set<string>();

  constructor({ outcomes }: ResultContext) {
    for (const { file, at, rule, status } of outcomes) {
      this.#lines.add(lineKey(file, at));
      if (status !== 'applied') this.#open.add(openKey(file, rule));
    }
  }

  /** @param owner the rule that looks after the directive */
  has(file: ConfigFile, at: number, owner: string | undefined): boolean {
    return (
      this.#lines.has(lineKey(file, at)) || (owner !== undefined && this.#open.has(openKey(file, owner)))
    );
  }
}

function lineKey(file: ConfigFile, at: number): string {
  return `${file.document.positionAt(at).line} ${file.path}`;
}

function openKey(file: ConfigFile, rule: Outcome['rule']): string {
  return `${rule} ${file.path}`;
}
