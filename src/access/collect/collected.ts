import type { Place } from '../../config';
import type { Directive } from '../../syntax';
import type { Mapping } from '../mapping';
import type { Reading, Scope } from '../policy';
import type { SslLines } from './ssl';

/** A line of the old access control that stands where no section gives it a meaning. */
export interface Misplaced {
  readonly node: Directive;
  readonly place: Place;
  readonly reason: 'no-section' | 'per-request';
}

/** Everything about access that stands in the run. */
export interface Collected {
  readonly reading: Reading;
  /** Every section and `.htaccess` that sets something, in reading order. */
  readonly scopes: readonly Scope[];
  readonly misplaced: readonly Misplaced[];
  /** A Require or AuthMerging that 2.4 reads in a per-request block, which comes after all other sections. */
  readonly perRequest: { readonly node: Directive; readonly place: Place } | undefined;
  /** Identifiers of the LoadModule lines, in order. */
  readonly loadModules: readonly string[];
  readonly ssl: SslLines;
  /** Absolute paths that `<Directory>`, DocumentRoot and Alias name. */
  readonly servedPaths: readonly string[];
  readonly mapping: Mapping;
}
