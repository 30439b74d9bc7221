import type { ConfigFile, ConfigTree } from '../../config';
import type { Edit } from '../../edit';
import { firstWhere } from '../../syntax';
import type { Collected } from '../collect';
import { ScopeIndex, hostKey, placedScopes } from '../models';
import type { Facts, Scope, ScopeLine } from '../policy';
import { type AnswerDifference, differences, firstDifference } from './compare';
import { targetsFor } from './test-requests';

/** A rewrite as it is about to be applied, as far as the check needs it. */
export interface AppliedRewrite {
  readonly file: ConfigFile;
  readonly edits: readonly Edit[];
  readonly group?: string;
}

/**
 * Holds the rewrite against the configuration as it was. What is answered differently is not to be written.
 * @returns the groups to take back, each with a request that the versions answer differently
 */
export function differingGroups(
  before: ConfigTree,
  after: ConfigTree,
  applied: readonly AppliedRewrite[],
): Map<string, AnswerDifference> {
  const byFile = new Map<ConfigFile, EditRange[]>();
  for (const rewrite of applied) {
    let list = byFile.get(rewrite.file);
    if (list === undefined) byFile.set(rewrite.file, (list = []));
    for (const edit of rewrite.edits) list.push({ start: edit.start, end: edit.end, rewrite: rewrite });
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
  const refused = new Map<string, AnswerDifference>();
  for (const difference of differences(before, after, touched))
    for (const group of groupsOf(difference, touching))
      if (!refused.has(group)) refused.set(group, difference);
  return refused;
}

interface EditRange {
  readonly start: number;
  readonly end: number;
  readonly rewrite: AppliedRewrite;
}

/** The first of the places, which are in order, that starts at or after `start`. */
function firstFrom(places: readonly EditRange[], start: number): number {
  return firstWhere(places, (place) => place.start >= start);
}

/** Whether there is an edit inside `[start, end)`. */
function holds(places: readonly EditRange[], start: number, end: number): boolean {
  for (let i = firstFrom(places, start); i < places.length && places[i]!.start < end; i++)
    if (places[i]!.end <= end) return true;
  return false;
}

/** The rewrites with an edit inside `[start, end)`. */
function inRange(places: readonly EditRange[], start: number, end: number): AppliedRewrite[] {
  const found = new Set<AppliedRewrite>();
  for (let i = firstFrom(places, start); i < places.length && places[i]!.start < end; i++)
    if (places[i]!.end <= end) found.add(places[i]!.rewrite);
  return [...found];
}

function groupsOf(difference: AnswerDifference, touching: (scope: Scope) => AppliedRewrite[]): string[] {
  const groups = difference.met.flatMap((scope) => touching(scope).flatMap(({ group }) => group ?? []));
  return [...new Set(groups)];
}

/** How much is asked of all groups together; each group is asked something. */
const BUDGET = 60_000;
const MAX_TARGETS = 40;
const MAX_CLIENTS = 300;

/** True for a section with lines that its author wrote for one version each. */
export function hasVersionBlocks(scope: Scope): boolean {
  return scope.only22 + scope.only24 > 0;
}

/** The configuration as it was read. */
interface ReadConfiguration {
  readonly facts: Facts;
  readonly collected: Collected;
}

/** Holds what a configuration says to 2.2 against what it says to 2.4, where blocks for one version each stand in it. */
export class VersionBlocks {
  readonly #scopes: readonly Scope[];
  readonly #run: ReadConfiguration;
  /** Made when first asked for: most runs have no such blocks. */
  #index: ScopeIndex | undefined;
  #share = 1;

  constructor(scopes: readonly Scope[], run: ReadConfiguration) {
    this.#scopes = scopes;
    this.#run = run;
  }

  /** A request to one of these sections that the versions answer differently; none where 2.4 would need mod_access_compat to answer. */
  difference(group: readonly Scope[]): AnswerDifference | undefined {
    const { facts, collected } = this.#run;
    if (this.#index === undefined) {
      this.#index = new ScopeIndex(this.#scopes);
      this.#share = Math.max(1, this.#scopes.filter(hasVersionBlocks).length);
    }
    const places = Math.max(4, Math.min(MAX_TARGETS, Math.floor(BUDGET / 100 / this.#share)));
    const clients = Math.max(40, Math.min(MAX_CLIENTS, Math.floor(BUDGET / this.#share / places)));
    const around = group.slice(0, 100);
    const seen = new Set<string>();
    for (const scope of group)
      for (const target of targetsFor(scope, around, collected.mapping).slice(0, places)) {
        const key = `${hostKey(scope.vhost)} ${target.uri} ${target.filename}`;
        if (seen.has(key)) continue;
        seen.add(key);
        const met = placedScopes(this.#index.candidates(target, scope.vhost), target);
        if (met.some((other) => other.old.length + other.problems.length > 0)) continue;
        const found = firstDifference(met, met, target, facts, clients);
        if (found !== undefined) return found;
      }
    return undefined;
  }
}
