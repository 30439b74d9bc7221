import fc from 'fast-check';
import { FAILURES, type Judged, type ShapeVerdict, judgeTree } from './judge';
import { type Kind, treesOf } from './kinds';
import type { ShapeTree } from './tree';

/** What became of the trees of one kind. */
export interface Tally {
  trees: number;
  readonly verdicts: Map<ShapeVerdict, number>;
  requests: number;
  unread: number;
  readonly failures: Judged[];
}

/** So many trees are made at once. */
const BATCH = 500;

/** The trees of a kind; the same seed always gives the same. */
export function* treesAtRandom(kind: Kind, seed: number, count: number): Generator<ShapeTree> {
  for (let from = 0; from < count; from += BATCH) {
    const numRuns = Math.min(BATCH, count - from);
    let n = from;
    for (const tree of fc.sample(treesOf(kind), { numRuns, seed: seed * 100_000 + from / BATCH }))
      yield { ...tree, name: `${kind}-${seed}-${n++}` };
  }
}

/** Judges so many trees of a kind. */
export function judgeKind(kind: Kind, seed: number, count: number, dual: boolean): Tally {
  const tally: Tally = { trees: 0, verdicts: new Map(), requests: 0, unread: 0, failures: [] };
  for (const tree of treesAtRandom(kind, seed, count)) {
    const judged = judgeTree(tree, dual);
    tally.trees++;
    tally.requests += tree.requests.length;
    tally.unread += judged.unread;
    tally.verdicts.set(judged.verdict, (tally.verdicts.get(judged.verdict) ?? 0) + 1);
    // What a tree is made of is too much to keep of thousands.
    if (FAILURES.includes(judged.verdict)) tally.failures.push({ ...judged, result: undefined });
  }
  return tally;
}

const COLUMNS: readonly ShapeVerdict[] = ['same', 'refused', 'told', ...FAILURES];

/** A table of the kinds and their shares. */
export function tableOf(tallies: ReadonlyMap<string, Tally>): string {
  const rows = [...tallies].map(([kind, { trees, verdicts, requests, unread }]) => [
    kind,
    String(trees),
    ...COLUMNS.map((verdict) => String(verdicts.get(verdict) ?? 0)),
    `${(((trees - sum(verdicts, FAILURES)) / trees) * 100).toFixed(1)} %`,
    String(requests),
    String(unread),
  ]);
  const head = ['kind', 'trees', ...COLUMNS, 'right', 'requests', 'unread'];
  return [head, ...rows]
    .map((cells) => cells.map((cell, i) => (i === 0 ? cell.padEnd(14) : cell.padStart(10))).join(''))
    .join('\n');
}

const sum = (verdicts: ReadonlyMap<ShapeVerdict, number>, of: readonly ShapeVerdict[]): number =>
  of.reduce((total, verdict) => total + (verdicts.get(verdict) ?? 0), 0);
