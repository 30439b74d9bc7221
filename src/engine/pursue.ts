import type { ConfigFile, ConfigTree } from '../config';
import { applyEdits, composeEdits } from '../edit';
import type { Applied } from './apply-checked';
import { originIn } from './collect';
import type { Change, Outcome } from './types';

/** More runs than these, one over the result of the other, are not made: such a result never comes to rest. */
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
  const paths = new Set([...first, ...second].map(({ file }) => file.path));
  const plan: Change[] = [];
  for (const path of paths) {
    const file = byPath.get(path);
    const before = first.find((change) => change.file.path === path);
    const after = second.find((change) => change.file.path === path);
    if (file === undefined) return undefined;
    const { text: original } = file.document;
    const edits = composeEdits(before?.edits ?? [], after?.edits ?? [], original.length);
    const { text } = (after ?? before)!;
    if (applyEdits(original, edits) !== text) return undefined;
    if (text !== original) plan.push({ file, edits, text });
  }
  return plan;
}

/**
 * The outcomes of both runs, at their places in the tree: what the second one has applied after all, and what only it has to say;
 * what the first left at a place where the second has an edit of the same rule is no longer so. In a file that both change, the
 * first outcome has the edits of all.
 */
function joinOutcomes(tree: ConfigTree, first: Applied, second: Applied, plan: readonly Change[]): Outcome[] {
  const origin = originIn(tree, first.plan);
  const outcomes = [...first.outcomes];
  for (const outcome of second.outcomes) {
    const known = outcomes.findIndex(
      ({ rule, file, message }) =>
        rule === outcome.rule && file.path === outcome.file.path && message === outcome.message,
    );
    if (known < 0) {
      const placed = { ...outcome, ...placeOf(outcome, origin) };
      // A message may name a line of the text between the runs: where both have one at a place, the first is kept.
      const left = outcomes.findIndex(
        ({ rule, file, at, status, message }) =>
          status === 'none' &&
          rule === placed.rule &&
          file.path === placed.file.path &&
          at === placed.at &&
          !second.outcomes.some((other) => other.rule === rule && other.message === message),
      );
      if (left < 0) outcomes.push(placed);
      else if (placed.status !== 'none') outcomes[left] = placed;
    } else if (outcome.status === 'applied' && outcomes[known]!.status === 'not-applied') {
      const { why: _, ...applied } = outcomes[known]!;
      outcomes[known] = { ...applied, status: 'applied' };
    }
  }
  const changed = new Set(second.plan.map(({ file }) => file.path));
  const given = new Set<string>();
  return outcomes.map((outcome) => {
    const { path } = outcome.file;
    if (outcome.status !== 'applied' || !changed.has(path)) return outcome;
    const edits = given.has(path) ? [] : (plan.find(({ file }) => file.path === path)?.edits ?? []);
    given.add(path);
    return { ...outcome, edits };
  });
}

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
