import type { Facts, Scope } from '../policy';
import type { AccessFinding, GivenGroup, Refusal, StrictForm } from '../report';
import type { Rewrite, RewrittenSection, TextForm } from '../rewrite';
import type { BranchDifference } from '../verify';

/** Sections with the same lines: a `.htaccess` that links lead to, a file that several sections include. */
export interface PlacesOfText {
  readonly scopes: readonly Scope[];
  readonly rewrite: (scope: Scope, facts: Facts, form: TextForm) => Rewrite;
}

/** What becomes of a section, and why it is in the strictest form, where it is. */
export interface Restated {
  readonly rewrite: Rewrite;
  readonly strict?: StrictForm;
}

/** What becomes of the lines of a section for 2.4 that stand beside others for 2.2. */
export interface RestatedBranch {
  readonly rewrite: RewrittenSection;
  /** A client that they answered otherwise than 2.2; undefined where they say by themselves what those for 2.2 say. */
  readonly replaces: BranchDifference | undefined;
}

/** A group and what has been found out about it so far. A pass makes another of it, and changes nothing. */
export interface AccessGroup extends GivenGroup {
  readonly given: GivenGroup;
  /** Some section has lines that only 2.2 and mod_access_compat know. */
  readonly hasOldLines: boolean;
  /** A section that is written for 2.4: then no 2.2 runs the group. */
  readonly modernScope: Scope | undefined;
  /** The sections that are to let nobody in, each with why it has no other form. */
  readonly denied: ReadonlyMap<Scope, Refusal>;
  /** Sections that lose the blocks that only 2.2 reads, each as if both versions read all of its lines. */
  readonly unwrapped: ReadonlyMap<Scope, Scope>;
  /** The sections that stay as they are, each with the reason. */
  readonly refusals: ReadonlyMap<Scope, Refusal>;
  /** Some refusal keeps the whole group from being converted. It follows from `refusals`: see {@link withRefusals}. */
  readonly isKept: boolean;
  /** Sections of which it is not known what they say, by the names that stand for that in what others inherit. */
  readonly unknown: ReadonlyMap<string, Scope>;
  readonly rewrites: ReadonlyMap<Scope, RewrittenSection>;
  /** The sections in the strictest form, each with why no exact text exists. */
  readonly strict: ReadonlyMap<Scope, StrictForm>;
  /** Sections that include lines and say themselves what these say. */
  readonly inSections: ReadonlySet<Scope>;
  /** Sections whose lines stand in several places and have one text for all of these. */
  readonly places: ReadonlyMap<Scope, PlacesOfText>;
  /** By section: what becomes of the lines that its author wrote for 2.4 beside others for 2.2. */
  readonly versionBranches: ReadonlyMap<Scope, RestatedBranch>;
  /** Sections of which the lines for 2.4 do not answer as those for 2.2 do, or may not. */
  readonly unlike: readonly Scope[];
  readonly remarks: readonly AccessFinding[];
  /** Sections that the group is to be decided anew with, letting nobody in. */
  readonly toDeny: ReadonlyMap<Scope, Refusal>;
  /** Why the later passes have nothing to do: nothing is rewritten, or only what a server may read one day keeps it. */
  readonly ending: 'nothing' | 'not-in-context' | undefined;
}

export type Pass = (group: AccessGroup) => AccessGroup;

export function isTarget({ met, targets }: GivenGroup): (scope: Scope) => boolean {
  if (targets.length === met.length) return () => true;
  const set = new Set(targets);
  return (scope) => set.has(scope);
}
