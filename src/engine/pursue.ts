import type { ConfigFile, ConfigTree } from '../config';
import { applyEdits, composeEdits } from '../edit';
import { addTo, getOrInsert } from '../maps';
import type { Applied } from './apply-checked';
import { originIn } from './collect';
import type { Change, Outcome } from './types';

/** How many further runs are made, each over the result of the one before: what still changes then never settles. */
const MAX_FURTHER = 3;

/**
 * What a run and the runs after it make of a tree, as one: each further run reads what the ones before it have made.
 * @param further runs over a result; undefined where its own result is not to be written
 * @returns undefined where the result does not come to rest
 */
export function pursued<T extends Applied>(
  tree: ConfigTree,
  first: T,
  further: (result: T, after: ConfigTree) => T | undefined,
): T | undefined {
  let whole = first;
  for (let count = 0; count < MAX_FURTHER; count++) {
    // Nothing is left that could change.
    if (whole.after === undefined) return count === 0 ? undefined : whole;
    const next = further(whole, whole.after);
    if (next === undefined) return undefined;
    if (next.plan.length === 0) return whole;
    const plan = joinPlans(tree, whole.plan, next.plan);
    if (plan === undefined) return undefined;
    const outcomes = joinOutcomes(tree, whole, next, plan);
    whole = { ...next, plan, outcomes, findings: outcomes };
  }
  return undefined;
}

/** Undefined where the edits do not make the text: nothing is written that is not checked. */
function joinPlans(
  { files }: ConfigTree,
  first: readonly Change[],
  second: readonly Change[],
): readonly Change[] | undefined {
  const byPath = new Map(files.map((file) => [file.path, file]));
  const [before, after] = [first, second].map(changesByPath) as [Changes, Changes];
  const plan: Change[] = [];
  for (const path of new Set([...before.keys(), ...after.keys()])) {
    const file = byPath.get(path);
    if (file === undefined) return undefined;
    const { text: original } = file.document;
    const [earlier, later] = [before.get(path), after.get(path)];
    const edits = composeEdits(earlier?.edits ?? [], later?.edits ?? [], original.length);
    const { text } = (later ?? earlier)!;
    if (applyEdits(original, edits) !== text) return undefined;
    if (text !== original) plan.push({ file, edits, text });
  }
  return plan;
}

type Changes = ReadonlyMap<string, Change>;

function changesByPath(plan: readonly Change[]): Changes {
  return new Map(plan.map((change) => [change.file.path, change]));
}

/**
 * The outcomes of both runs, at their places in the tree: what the second one has applied after all, and what only it has to say;
 * what the first left at a place where the second has an edit of the same rule is no longer so. In a file that both change, the
 * first outcome has the edits of all.
 */
function joinOutcomes(tree: ConfigTree, first: Applied, second: Applied, plan: readonly Change[]): Outcome[] {
  const origin = originIn(tree, first.plan);
  const outcomes = [...first.outcomes];
  const said = new Set(second.outcomes.map(({ rule, message }) => `${rule}\n${message}`));
  const known = new Map<string, number>();
  /** What only the first run says, by its places. */
  const left = new Map<string, number[]>();
  for (const [i, outcome] of outcomes.entries()) {
    getOrInsert(known, messageKey(outcome), () => i);
    if (outcome.status === 'none' && !said.has(`${outcome.rule}\n${outcome.message}`))
      addTo(left, placeKey(outcome), i);
  }
  for (const outcome of second.outcomes) {
    const at = known.get(messageKey(outcome));
    if (at === undefined) {
      const placed = { ...outcome, ...placeOf(outcome, origin) };
      // A message may name a line of the text between the runs: where both have one at a place, the first is kept.
      const there = left.get(placeKey(placed)) ?? [];
      if (there.length > 0 && placed.status === 'none') continue;
      const index = there.shift() ?? outcomes.length;
      outcomes[index] = placed;
      known.set(messageKey(placed), index);
    } else if (outcome.status === 'applied' && outcomes[at]!.status === 'not-applied') {
      const { why: _, ...applied } = outcomes[at]!;
      outcomes[at] = { ...applied, status: 'applied' };
    }
  }
  const changed = new Set(second.plan.map(({ file }) => file.path));
  const edits = new Map(plan.map((change) => [change.file.path, change.edits]));
  return outcomes.map((outcome) => {
    const { path } = outcome.file;
    if (outcome.status !== 'applied' || !changed.has(path)) return outcome;
    const whole = edits.get(path) ?? [];
    edits.delete(path);
    return { ...outcome, edits: whole };
  });
}

const messageKey = ({ rule, file, message }: Outcome): string => `${rule}\n${file.path}\n${message}`;
const placeKey = ({ rule, file, at }: Outcome): string => `${rule}\n${file.path}\n${at}`;

function placeOf(
  { file, at }: Outcome,
  origin: (file: ConfigFile, at: number) => { file: ConfigFile; at: number },
): { file: ConfigFile; at: number } {
  try {
    return origin(file, at);
  } catch {
    // What could not be read, and the like, is no file of the tree.
    return { file, at };
  }
}
