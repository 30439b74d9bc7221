import type { ConfigTree } from '../../config';
import type { Edit } from '../../edit';
import type { Collected } from '../collect';
import type { AllowOverrideIndex } from '../override';
import type { Facts, Scope } from '../policy';
import type { KeptCheck, TlsPlan } from '../rewrite';
import type { NewlyRefused, VersionBlocks } from '../verify';
import type { Refusal } from './refusals';

/** The rule that changes access lines: comments name it that ask to leave them alone. */
export const ACCESS_RULE = 'order-allow-deny';

/** What is known of the run when a group of sections is decided. */
export interface AccessRun {
  readonly tree: ConfigTree;
  readonly dual: boolean;
  readonly facts: Facts;
  readonly collected: Collected;
  readonly overrides: AllowOverrideIndex;
  readonly versionBlocks: VersionBlocks;
  readonly newlyRefused: NewlyRefused;
  /** By section: a check of TLS that requests to it can meet, and that stays. */
  readonly keptChecks: ReadonlyMap<Scope, KeptCheck>;
  readonly tls: TlsPlan;
  /** The directories whose `.htaccess` files the run has not seen, as messages show them. */
  readonly unseen: readonly string[] | undefined;
  /** Unseen directories that nothing is told of at their own place: what is written rests on what their files say. */
  readonly notGiven: readonly string[] | undefined;
  /** Sections, by their `order`, about which a person is asked what they are to say. */
  readonly openQuestions?: ReadonlyMap<number, Refusal>;
  /** The sections are decided as if there were no others. */
  readonly isAlone?: boolean;
  /** What becomes of the scopes that are there to be met, when they have been decided without these. */
  readonly decidedEdits?: ReadonlyMap<number, readonly Edit[] | undefined>;
}
