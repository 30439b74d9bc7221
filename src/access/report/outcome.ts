import type { Frame } from '../../config';
import type { Edit } from '../../edit';
import type { InheritedStates } from '../inherit';
import type { Scope } from '../policy';
import type { RewrittenSection } from '../rewrite';
import type { BranchDifference } from '../verify';
import type { AccessAssumption } from './assumptions';
import type { AccessFinding } from './findings';
import type { Refusal } from './refusals';
import type { AccessRun } from './run-context';
import type { StrictForm } from './strict-form';

export interface SectionConversion extends RewrittenSection {
  readonly scope: Scope;
  /** Only its lines for 2.4 are rewritten, in the block that they stand in. */
  readonly isBranch: boolean;
  /** A client that its lines for 2.4 answered otherwise than 2.2, where they did so on their own. */
  readonly replaces: BranchDifference | undefined;
  /** Why it is in the strictest form; undefined where the text is exact. */
  readonly strict: StrictForm | undefined;
  /** The blocks around it that only 2.2 reads, and that go. */
  readonly blocks: readonly Frame[];
  /** The blocks in it that only 2.2 reads, and that are opened for the lines about users in them. */
  readonly carried: readonly Frame[];
  readonly assumptions: readonly AccessAssumption[];
}

/** Sections that one request can meet, directly or by way of others: they are decided together. */
export interface GivenGroup {
  readonly met: readonly Scope[];
  /** The sections to rewrite; the rest of `met` is context. */
  readonly targets: readonly Scope[];
  /** The states in which a request can come to each section. */
  readonly inherited: InheritedStates;
  readonly run: AccessRun;
}

/** What has been decided of such sections. */
export interface GroupOutcome extends GivenGroup {
  readonly refusals: ReadonlyMap<Scope, Refusal>;
  readonly conversions: readonly SectionConversion[];
  /** The sections that let nobody in from now on. */
  readonly denied: readonly Scope[];
  /** By the `order` of a target: its edits, undefined where it is refused. */
  readonly decided: readonly (readonly [order: number, edits: readonly Edit[] | undefined])[];
  /** Sections of a refused group whose lines for 2.4 do not answer as those for 2.2, or may not. */
  readonly unlike: readonly Scope[];
  /** Sections that no server reads, and that cannot be converted as what they would be if one did. */
  readonly notInContext: readonly Scope[];
  readonly remarks: readonly AccessFinding[];
}
