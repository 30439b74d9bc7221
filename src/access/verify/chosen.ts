import type { Scope } from '../policy';
import type { Shapes } from './shapes';

/** So many are asked about, if there are no more; so many at most. */
const FEW = 32;
const MAX_SECTIONS = 150;
/** So many of what differs in its surroundings alone, and so many of the rest. */
const MAX_SURROUNDED = 64;
const MAX_EVEN = 20;

/**
 * The sections to ask requests of: all of a few. Of many one of each shape, as far as that goes: first of those that differ in what they
 * say, then of those that differ in what stands around them; and an even sample, for what no shape tells.
 */
export function chosenFrom(targets: readonly Scope[], shapes: Shapes): readonly Scope[] {
  if (targets.length <= FEW) return targets;
  const taken = new Set<number>();
  takeNew(targets, taken, MAX_SECTIONS, (scope) => shapes.own(scope));
  takeNew(targets, taken, MAX_SURROUNDED, (scope) => shapes.whole(scope));
  const even = targets.map((_, i) => i);
  for (const i of evenly(even, Math.min(MAX_EVEN, MAX_SECTIONS - taken.size))) taken.add(i);
  return [...taken].sort((a, b) => a - b).map((i) => targets[i]!);
}

/** Takes one of each shape of which none is taken yet, or, where that makes more than `most` in all, of some shapes. */
function takeNew(
  targets: readonly Scope[],
  taken: Set<number>,
  most: number,
  shapeOf: (scope: Scope) => number,
): void {
  if (taken.size >= most) return;
  const known = new Set([...taken].map((i) => shapeOf(targets[i]!)));
  const found: number[] = [];
  for (let i = 0; i < targets.length; i++) {
    const shape = shapeOf(targets[i]!);
    if (known.has(shape)) continue;
    known.add(shape);
    found.push(i);
  }
  for (const i of evenly(found, most - taken.size)) taken.add(i);
}

function evenly<T>(list: readonly T[], most: number): readonly T[] {
  if (list.length <= most) return list;
  return Array.from({ length: most }, (_, i) => list[Math.floor((i * list.length) / most)]!);
}
