import type { ConfigFile } from '../../config/types';
import { type Edit, keepLineEnd, sortEdits } from '../../edit';
import { subjectIn } from '../../engine';
import type { Outcome, RunResult } from '../../engine/types';
import { sortedOutcomes } from '../../report';
import { addTo } from '../../maps';

/** Changes that are accepted together or not at all. */
export interface ChangeUnit {
  /** In the order of the files. */
  readonly outcomes: readonly Outcome[];
  /** What they are about, see `subjectIn`. */
  readonly subjects: ReadonlySet<string>;
  readonly changes: ReadonlyMap<ConfigFile, readonly Edit[]>;
  /** The changes of the unit as text: two units with the same text look the same. */
  readonly signature: string;
}

/**
 * The changes of a run as units: those that the engine applies together (a group), those about lines that are written twice in
 * one place, and those that share one text.
 * @param more whether a change that was left out is to be among them
 */
export function unitsOf(result: RunResult, more: (outcome: Outcome) => boolean): readonly ChangeUnit[] {
  const outcomes = sortedOutcomes(result).filter(
    (outcome) => outcome.status === 'applied' || (outcome.declined === true && more(outcome)),
  );
  const sets = new DisjointSets();
  const key = new Map(outcomes.map((outcome, i) => [outcome, `change ${i}`]));
  const inFiles = new Map<ConfigFile, Outcome[]>();
  for (const outcome of outcomes) {
    const name = key.get(outcome)!;
    sets.join(name, `subject ${subjectIn(outcome)}`);
    if (outcome.group !== undefined) sets.join(name, `group ${outcome.group}`);
    addTo(inFiles, outcome.file, outcome);
  }
  // What has no edits has its text among those of another: of which cannot be seen, unless it covers the line.
  for (const outcome of outcomes) {
    if (outcome.edits.length > 0) continue;
    const others = inFiles.get(outcome.file)!;
    const covering = others.filter(({ edits }) =>
      edits.some(({ start, end }) => start <= outcome.at && outcome.at < end),
    );
    for (const other of covering.length > 0 ? covering : others)
      sets.join(key.get(outcome)!, key.get(other)!);
  }
  const units = new Map<string, Outcome[]>();
  for (const outcome of outcomes) {
    const root = sets.rootOf(key.get(outcome)!);
    addTo(units, root, outcome);
  }
  return [...units.values()].map(unitOf);
}

function unitOf(outcomes: readonly Outcome[]): ChangeUnit {
  const made = new Map<ConfigFile, Edit[]>();
  for (const { file, edits } of outcomes)
    for (const edit of edits) addTo(made, file, keepLineEnd(file.document.text, edit));
  const changes = new Map([...made].map(([file, edits]) => [file, sortEdits(edits)]));
  const signature = JSON.stringify([...changes].map(([{ path }, edits]) => [path, edits]));
  return { outcomes, subjects: new Set(outcomes.map(subjectIn)), changes, signature };
}

/** Sets of names, made one where they are joined. */
class DisjointSets {
  readonly #parents = new Map<string, string>();

  rootOf(name: string): string {
    let root = name;
    for (let next = this.#parents.get(root); next !== undefined; next = this.#parents.get(root)) root = next;
    // The way is made short for the next time.
    for (let at = name; at !== root;) {
      const next = this.#parents.get(at)!;
      this.#parents.set(at, root);
      at = next;
    }
    return root;
  }

  join(a: string, b: string): void {
    const [first, second] = [this.rootOf(a), this.rootOf(b)];
    if (first !== second) this.#parents.set(second, first);
  }
}
