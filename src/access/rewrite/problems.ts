import type { ConfigFile } from '../../config';
import type { Undecided } from '../policy';

/** A part of 2.2's decision that a section leaves to those above it. */
export type InheritedPart = 'hosts' | 'require' | 'satisfy';

/** Why no text of 2.4 says what a section says: `report/refusals` has a row for each. */
export type RewriteProblem =
  | Undecided
  | {
      readonly kind:
        | 'certificate-asked'
        | 'depends-on-server'
        | 'directory-name'
        | 'no-expression'
        | 'no-host-list'
        | 'no-place'
        | 'regex-end'
        | 'scattered'
        | 'template'
        | 'too-many-conditionals'
        | 'too-many-kinds'
        | 'too-many-sections'
        | 'too-many-ways'
        | 'trace'
        | 'unplaced';
    }
  | { readonly kind: 'not-closed' | 'other-lines' | 'section-in-limit'; readonly name: string }
  | { readonly kind: 'test-of-22'; readonly text: string }
  /** @param at where the part begins that a template may leave in */
  | { readonly kind: 'template-above'; readonly file: ConfigFile; readonly at: number }
  /** @param because why no text tells apart the requests that have met other sections */
  | { readonly kind: 'inherits'; readonly parts: readonly InheritedPart[]; readonly because: RewriteProblem };

export interface NoRewrite {
  readonly problem: RewriteProblem;
}
