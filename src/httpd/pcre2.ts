/** The first 2.4 that can be built on PCRE2 (CHANGES of 2.4.53); builds since then use it. */
export const PCRE2_SINCE = '2.4.53';

/** A difference between PCRE2 and the PCRE 5 to 8 that 2.2 was built on, if patterns in a configuration can show it. */
export interface PatternChange {
  /** The first PCRE2 that has it. */
  readonly since: string;
  /** Whether PCRE2 refuses the pattern; else it reads the pattern differently. */
  readonly refused: boolean;
  /** What PCRE2 does with the text found. */
  readonly says: (found: string) => string;
  /** Where that is written down. */
  readonly source: string;
}

export type PatternChangeKind = keyof typeof PATTERN_CHANGES;

/** Measured against PCRE 5.0, 8.39, PCRE2 10.42 and a later one. */
export const PATTERN_CHANGES = {
  'class-range': {
    since: '10.20',
    refused: true,
    says: (found) => `${found} is no range, and a hyphen for itself is written \\-`,
    source: 'pcre2pattern: Square brackets and character classes; error 150',
  },
  escape: {
    since: '10.00',
    refused: true,
    says: (found) => `${found} has no meaning, and ${found.slice(1)} needs no backslash`,
    source: 'pcre2compat, pcre2pattern: Backslash; errors 103, 107, 137',
  },
  'reference-digit': {
    since: '10.00',
    refused: true,
    says: (found) => `${found} refers to a group that there is not`,
    source: 'pcre2pattern: Backreferences; error 115',
  },
  'option-extra': {
    since: '10.00',
    refused: true,
    says: (found) => `there is no option X as in ${found}`,
    source: 'pcre2pattern: Internal option setting; error 111',
  },
  'keep-in-assertion': {
    since: '10.38',
    refused: true,
    says: () => '\\K stands in an assertion',
    source: 'ChangeLog of 10.38; error 199',
  },
  control: {
    since: '10.00',
    refused: true,
    says: () => '\\c needs a printable ASCII character behind it',
    source: 'pcre2pattern: Non-printing characters; error 168',
  },
  'group-number': {
    since: '10.00',
    refused: true,
    says: (found) => `the number in ${found} is too large`,
    source: 'pcre2pattern: Backreferences; error 161',
  },
  'hex-digits': {
    since: '10.45',
    refused: true,
    says: (found) => `${found} needs digits behind it`,
    source: 'ChangeLog of 10.45; error 178',
  },
  brace: {
    since: '10.43',
    refused: false,
    says: (found) => `${found} is a number of times, not text`,
    source: 'ChangeLog of 10.43: {,n}, and blanks in braces',
  },
  recursion: {
    since: '10.30',
    refused: false,
    says: (found) => `what ${found} has matched may be tried again in another way`,
    source: 'pcre2compat: subroutine calls and backtracking',
  },
} as const satisfies Record<string, PatternChange>;
