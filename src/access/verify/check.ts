import type { ConfigFile, ConfigTree } from '../../config';
import type { Edit } from '../../edit';
import { firstWhere } from '../../syntax';
import type { Scope, ScopeLine } from '../policy';
import { type Difference, differences } from './equivalence';

/** A rewrite as it is about to be applied, as far as the check needs it. */
export interface AppliedRewrite {
  readonly file: ConfigFile;
  readonly edits: readonly Edit[];
  readonly group?: string;
}

/**
 * Holds the rewrite against the configuration as it was. What is answered differently is not to be written.
 * @returns the groups to take back, each with the request that tells the difference
 */
export function checkRewrites(
  before: ConfigTree,
  after: ConfigTree,
  applied: readonly AppliedRewrite[],
): Map<string, string> {
  const byFile = new Map<ConfigFile, Place[]>();
  for (const one of applied) {
    let list = byFile.get(one.file);
    if (list === undefined) byFile.set(one.file, (list = []));
    for (const edit of one.edits) list.push({ start: edit.start, end: edit.end, rewrite: one });
  }
  for (const list of byFile.values()) list.sort((a, b) => a.start - b.start);
  const touching = (scope: Scope): AppliedRewrite[] => {
    const files = new Set([scope.file, ...[...scope.old, ...scope.requires].map((line) => line.file)]);
    const start = scope.section?.start ?? 0;
    const end = scope.section?.end ?? Infinity;
    return [...files].flatMap((file) =>
      file === scope.file
        ? inRange(byFile.get(file) ?? [], start, end)
        : inRange(byFile.get(file) ?? [], 0, Infinity),
    );
  };
  const elsewhere = ({ file }: Scope, lines: readonly ScopeLine[]): boolean =>
    lines.some((line) => line.file !== file && (byFile.get(line.file)?.length ?? 0) > 0);
  const touched = (scope: Scope): boolean => {
    const { file, section, old, requires } = scope;
    const places = byFile.get(file);
    return (
      (places !== undefined && holds(places, section?.start ?? 0, section?.end ?? Infinity)) ||
      elsewhere(scope, old) ||
      elsewhere(scope, requires)
    );
  };
  const refused = new Map<string, string>();
  for (const difference of differences(before, after, touched))
    for (const group of groupsOf(difference, touching))
      if (!refused.has(group)) refused.set(group, difference.message);
  return refused;
}

interface Place {
  readonly start: number;
  readonly end: number;
  readonly rewrite: AppliedRewrite;
}

/** The first of the places, which are in order, that starts at or after `start`. */
function firstFrom(places: readonly Place[], start: number): number {
  return firstWhere(places, (place) => place.start >= start);
}

/** Whether there is an edit inside `[start, end)`. */
function holds(places: readonly Place[], start: number, end: number): boolean {
  for (let i = firstFrom(places, start); i < places.length && places[i]!.start < end; i++)
    if (places[i]!.end <= end) return true;
  return false;
}

/** The rewrites with an edit inside `[start, end)`. */
function inRange(places: readonly Place[], start: number, end: number): AppliedRewrite[] {
  const found = new Set<AppliedRewrite>();
  for (let i = firstFrom(places, start); i < places.length && places[i]!.start < end; i++)
    if (places[i]!.end <= end) found.add(places[i]!.rewrite);
  return [...found];
}

function groupsOf(difference: Difference, touching: (scope: Scope) => AppliedRewrite[]): string[] {
  const groups = difference.met.flatMap((scope) => touching(scope).flatMap(({ group }) => group ?? []));
  return [...new Set(groups)];
}
