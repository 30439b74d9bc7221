/** A message of httpd 2.4, or of its control programs, that an upgrade brings about, and what it means. */
export interface MessageShape {
  /**
   * The groups `directive` (`asked` where another order of the words has it), `module`, `path`, `scheme` and `file` (of the
   * configuration) are what the message names, `host` the ServerName of a virtual host, `directory` one whose Options decide;
   * `tool` is there where not httpd says it.
   */
  readonly pattern: RegExp;
  /** Id of the rule that says more; undefined where the directive's own rule does, or no rule. */
  readonly rule?: string;
  /** Where a rule looks after the directive that is named, that one says more than `rule`. */
  readonly owned?: true;
  /** Set where a message says only that something failed: one beside it that says what is explained alone. */
  readonly general?: true;
  /** What the message means where the module is none of httpd's own, `$<name>`; what is to be done about that one follows. */
  readonly foreign?: string;
  /**
   * What to do, for a person; `$<word>` stands for a group of the pattern, `$<small>` for one in small letters. Empty where it
   * follows from what the message names.
   */
  readonly remedy: string;
}
