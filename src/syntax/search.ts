import type { Span } from './span';

/**
 * Index of the first item for which `holds`, in a list where it holds for all items after one for which it does; the list's
 * length where it holds for none. Takes O(log n).
 */
export function firstWhere<T>(items: readonly T[], holds: (item: T) => boolean): number {
  let low = 0;
  let high = items.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (holds(items[middle]!)) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** Index of the first of some spans, in order and apart, that ends after `at`; their number where none does. */
export function firstEndingAfter(spans: readonly Span[], at: number): number {
  return firstWhere(spans, ({ end }) => end > at);
}

/** Adds items to the end of a list. `push(...items)` would end the run where somebody has made a hundred thousand. */
export function appendAll<T>(list: T[], items: Iterable<T>): void {
  for (const item of items) list.push(item);
}
