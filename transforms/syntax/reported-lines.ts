import type { ConfigFile } from '../../src/config';
import type { Outcome, ResultContext } from '../../src/engine';

/** Knows which lines of the result have a finding already, or wait for a finding of their owner to be applied. */
export class ReportedLines {
  /** File and line → the findings there. */
  readonly #outcomesByLine = new Map<string, Outcome[]>();
  /** Each file with a rule that has a finding there which is not applied. */
  readonly #openRules = new Set<string>();
  readonly #outcomes: readonly Outcome[];

  constructor({ outcomes }: ResultContext) {
    this.#outcomes = outcomes;
  }

  /** Done at the first question: for most results there is none. */
  #indexOutcomes(): void {
    if (this.#outcomesByLine.size > 0) return;
    for (const outcome of this.#outcomes) {
      if (outcome.isAboutMissing === true) continue;
      const key = lineKey(outcome.file, outcome.at);
      const lineOutcomes = this.#outcomesByLine.get(key);
      if (lineOutcomes === undefined) this.#outcomesByLine.set(key, [outcome]);
      else lineOutcomes.push(outcome);
      if (outcome.status !== 'applied') this.#openRules.add(openKey(outcome.file, outcome.rule));
    }
  }

  /**
   * @param owner the rule that owns the directive
   */
  has(file: ConfigFile, at: number, owner: string | undefined): boolean {
    this.#indexOutcomes();
    if (owner !== undefined && this.#openRules.has(openKey(file, owner))) return true;
    const outcomesHere = this.#outcomesByLine.get(lineKey(file, at)) ?? [];
    return outcomesHere.some(
      ({ rule, level, at: offset }) => rule === owner || (level === 'error' && offset === at),
    );
  }
}

function lineKey(file: ConfigFile, at: number): string {
  return `${file.document.positionAt(at).line} ${file.path}`;
}

function openKey(file: ConfigFile, rule: Outcome['rule']): string {
  return `${rule} ${file.path}`;
}
