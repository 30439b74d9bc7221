import type { ConfigFile } from '../../config';
import type { Undecided } from '../policy';

/** A part of 2.2's decision that a section leaves to those above it. */
export type InheritedPart = 'hosts' | 'require' | 'satisfy';

/** Why no text of 2.4 says what a section says. */
export type RewriteProblem =
  | Undecided
  /** Its lines stand in several files or blocks. */
  | { readonly kind: 'scattered' }
  /** A `<Limit>` in it holds another section. */
  | { readonly kind: 'section-in-limit'; readonly name: string }
  /** A section in it is not closed. */
  | { readonly kind: 'not-closed'; readonly name: string }
  /** A container of Require lines in it holds other lines. */
  | { readonly kind: 'other-lines'; readonly name: string }
  /** Satisfy Any stands beside Require lines, and nothing in the run says who gets in by address. */
  | { readonly kind: 'no-host-list' }
  /** A certificate that 2.2 did not ask for would be a login. */
  | { readonly kind: 'certificate-asked' }
  /** It has no line that the new ones could stand at. */
  | { readonly kind: 'no-place' }
  /** TRACE cannot stand in a `<Limit>` of 2.4. */
  | { readonly kind: 'trace' }
  /** It depends on a conditional of which 2.4 cannot ask what it asks of 2.2. */
  | { readonly kind: 'test-of-22'; readonly text: string }
  /** It depends on whether a template leaves a part of a file in. @param at where the part begins */
  | { readonly kind: 'template-above'; readonly file: ConfigFile; readonly at: number }
  /** It depends on more conditionals than the rewrite handles. */
  | { readonly kind: 'too-many-conditionals' }
  /** Requests of too many kinds reach it. */
  | { readonly kind: 'too-many-kinds' }
  /** More sections can stand before it than the rewrite handles. */
  | { readonly kind: 'too-many-sections' }
  /** There are too many ways in which a request can reach it. */
  | { readonly kind: 'too-many-ways' }
  /** It depends on the virtual host, or on whether the request is proxied, and is written once for all. */
  | { readonly kind: 'depends-on-server' }
  /** No expression of 2.4 asks whether a section above it has matched. */
  | { readonly kind: 'no-expression' }
  /** A directory name cannot be written in an expression. */
  | { readonly kind: 'directory-name' }
  /** It depends on the directory, and the run does not show where the server has these files. */
  | { readonly kind: 'unplaced' }
  /** It leaves parts to the sections above it, not every request has met the same ones, and no test distinguishes them. */
  | {
      readonly kind: 'inherits';
      readonly parts: readonly InheritedPart[];
      /** `too-many-ways`: there are too many ways. */
      readonly because: RewriteProblem;
    };

/** There is no text. */
export interface NoRewrite {
  readonly problem: RewriteProblem;
}
