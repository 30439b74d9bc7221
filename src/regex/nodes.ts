import type { ByteSet } from './byte-sets';

/** The part of a pattern that is left once all that a yes or no does not depend on is taken away: laziness, names. */
export type PatternNode =
  /** One byte of a set. */
  | { readonly kind: 'byte'; readonly set: ByteSet }
  /** A place between two bytes. */
  | { readonly kind: 'place'; readonly place: '^' | '$' | '\\b' | '\\B' }
  | {
      readonly kind: 'row' | 'choice';
      readonly parts: readonly PatternNode[];
      /** The number of the group that it is the inside of. */
      readonly group?: number;
    }
  | {
      readonly kind: 'repeat';
      readonly part: PatternNode;
      readonly least: number;
      /** Infinity for no limit. */
      readonly most: number;
    };

export interface ReadPattern {
  readonly node: PatternNode;
  /** False where `node` matches more than the pattern does: a condition is left out, or stands for any text. */
  readonly isExact: boolean;
  /** Whether `$` may match before a last line end: httpd's own options decide (2.4: RegexDefaultOptions). */
  readonly asksForLastLineEnd: boolean;
  /** Whether it may match at every line end. */
  readonly asksForLineEnds: boolean;
  /** Whether a vertical tab counts as white space or not: that depends on the release of PCRE. */
  readonly asksForBlanks: boolean;
}
