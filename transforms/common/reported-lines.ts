import type { ConfigFile } from '../../src/config';
import type { Edit } from '../../src/edit';
import type { Outcome, ResultContext } from '../../src/engine';
import { addTo } from '../../src/maps';

/** Knows which lines of the result have a finding already, or wait for a finding of their owner to be applied. */
export class ReportedLines {
  /** File and line → the findings there. */
  readonly #outcomesByLine = new Map<string, Outcome[]>();
  /** Edits that wait for somebody, by the file and the rule. */
  readonly #openEdits = new Map<string, Edit[]>();
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
      addTo(this.#outcomesByLine, key, outcome);
      if (outcome.status === 'applied') continue;
      const open = openKey(outcome.file, outcome.rule);
      this.#openEdits.set(open, [...(this.#openEdits.get(open) ?? []), ...outcome.edits]);
    }
  }

  /**
   * @param owner the rule that owns the directive
   */
  has(file: ConfigFile, at: number, owner: string | undefined): boolean {
    this.#indexOutcomes();
    const open = owner === undefined ? undefined : this.#openEdits.get(openKey(file, owner));
    if (open?.some(({ start, end }) => start <= at && at < end) === true) return true;
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
