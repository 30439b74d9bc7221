import type { ConfigFile, ConfigTree } from '../config';
import type { Edit } from '../edit';
import { type Difference, differences } from './equivalence';
import type { Scope } from './scope';

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
  const byFile = new Map<ConfigFile, AppliedRewrite[]>();
  for (const one of applied) byFile.set(one.file, [...(byFile.get(one.file) ?? []), one]);
  const touching = (scope: Scope): AppliedRewrite[] => {
    const files = new Set([scope.file, ...[...scope.old, ...scope.requires].map((line) => line.file)]);
    const start = scope.section?.start ?? 0;
    const end = scope.section?.end ?? Infinity;
    return [...files].flatMap((file) =>
      (byFile.get(file) ?? []).filter(
        ({ edits }) => file !== scope.file || edits.some((edit) => edit.start >= start && edit.end <= end),
      ),
    );
  };
  const refused = new Map<string, string>();
  for (const difference of differences(before, after, (scope) => touching(scope).length > 0))
    for (const group of groupsOf(difference, touching))
      if (!refused.has(group)) refused.set(group, difference.message);
  return refused;
}

function groupsOf(difference: Difference, touching: (scope: Scope) => AppliedRewrite[]): string[] {
  const groups = difference.met.flatMap((scope) => touching(scope).flatMap(({ group }) => group ?? []));
  return [...new Set(groups)];
}
