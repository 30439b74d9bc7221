import type { ConfigFile, ConfigTree } from '../../config';
import { firstWhere } from '../../syntax';
import { getOrInsert, memo } from '../../maps';
import { contexts, isAbout, mergeCopies } from './collect';
import { indexOf } from '../tree-index';
import { guarded } from './trouble';
import type { Change, Finding, Outcome, Plan, RunOptions, Transform } from '../types';

/** A tree, what became of the findings about it, and how it reads then. */
export interface AppliedTree {
  readonly tree: ConfigTree;
  readonly outcomes: readonly Outcome[];
  readonly plan: Plan;
  /** Undefined where nothing changes, or the new texts cannot be read. */
  readonly after: ConfigTree | undefined;
}

/**
 * Asks the transforms that look at the result. What they report is about the files as given.
 * @param all those of the program, of which `transforms` are asked
 */
export function collectFromResult(
  { tree, outcomes, plan, after }: AppliedTree,
  transforms: readonly Transform[],
  all: readonly Transform[],
  options: RunOptions,
): Finding[] {
  const findings: Finding[] = [];
  const result = after ?? tree;
  const contextFor = contexts(tree, options, findings);
  const origin = originIn(tree, result === tree ? [] : plan);
  for (const transform of transforms) {
    if (transform.runOnResult === undefined || !isAbout(transform, tree)) continue;
    const { runOnResult } = transform;
    guarded(transform, tree, findings, () =>
      runOnResult({
        ...contextFor({ ...transform, advisory: transform.advisoryOnResult ?? transform.advisory ?? false }),
        result,
        resultIndex: indexOf(result),
        outcomes,
        origin,
        ownerOf: (name) => ownersOf(all).get(name),
      }),
    );
  }
  return mergeCopies(findings).map((finding) =>
    finding.edits.length === 0 ? { ...finding, isAdvice: true } : finding,
  );
}

const ownersOf = memo(
  (all: readonly Transform[]): ReadonlyMap<string, string> =>
    new Map(all.flatMap(({ id, directives }) => directives.map((name) => [name.toLowerCase(), id] as const))),
);

type Origin = (file: ConfigFile, at: number) => { file: ConfigFile; at: number };

/** Maps a place in the result to the place in the original. Inserted text maps to where it was inserted. */
export function originIn(tree: ConfigTree, plan: Plan): Origin {
  // Most runs have nothing to ask.
  let files: ReadonlyMap<string, ConfigFile> | undefined;
  let changes: ReadonlyMap<string, Change> | undefined;
  const moves = new Map<string, readonly Move[]>();
  return ({ path }, at) => {
    files ??= new Map(tree.files.map((file) => [file.path, file]));
    const changed = (changes ??= new Map(plan.map((change) => [change.file.path, change])));
    const file = files.get(path);
    if (file === undefined) throw new Error(`${path} is no file of the tree`);
    const list = getOrInsert(moves, path, () => movesOf(changed.get(path)?.edits ?? []));
    const last = list[firstWhere(list, ({ start }) => start > at) - 1];
    if (last === undefined) return { file, at: Math.min(at, file.document.text.length) };
    if (at < last.end) return { file, at: last.origin };
    return { file, at: Math.min(at - last.moved, file.document.text.length) };
  };
}

/** An edit as it lies in the new text: `[start, end)` is what it wrote, what follows has moved by `moved`. */
interface Move {
  readonly start: number;
  readonly end: number;
  readonly origin: number;
  readonly moved: number;
}

function movesOf(edits: Change['edits']): readonly Move[] {
  let moved = 0;
  return edits.map(({ start, end, text }) => {
    const begin = start + moved;
    moved += text.length - (end - start);
    return { start: begin, end: begin + text.length, origin: start, moved };
  });
}
