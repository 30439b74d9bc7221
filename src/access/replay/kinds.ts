import type { ConfigFile } from '../../config';
import type { Section } from '../../syntax';
import type { AccessAnswer } from '../primitives';

/** What the answer to a request hangs on that a log does not show. */
export type OpenFact =
  | 'server'
  | 'groups'
  /** Whether there was a user: the log has no such field. */
  | 'user'
  /** The name of the client, as no host names are looked up; or its address, where the log has the name. */
  | 'names'
  /** A header that sets a variable. */
  | 'variables'
  /** What a module says: an LDAP server, an expression. */
  | 'modules'
  | 'tls'
  | 'conditionals'
  /** Which file of several answers: an index file, or a program with a path behind its name. */
  | 'files'
  /** Where a RewriteRule leads, or a mapping that the configuration does not show. */
  | 'rewrites'
  /** Whether a pattern matches, or what a line means that the models do not read. */
  | 'sections';

/** A section, or a `.htaccess`, that a request meets in the rewrite. */
export interface ReplayedSection {
  readonly name: string;
  readonly file: ConfigFile;
  /** Byte offsets in the text as it is; of a whole `.htaccess`, from its beginning to its end. */
  readonly start: number;
  readonly end: number;
}

/** A kind of request: all of it that an answer hangs on is the same. */
export interface AccessKind {
  /**
   * `same`: both versions answer the same; `refused`: 2.2 lets it in and 2.4 does not; `opened`: the other way; `otherwise`: both
   * refuse it, in different ways; `unknown`: it hangs on what the log does not show.
   */
  readonly verdict: 'same' | 'refused' | 'opened' | 'otherwise' | 'unknown';
  readonly before: AccessAnswer;
  readonly after: AccessAnswer;
  /** Why it is not known, or would not be without the status that the log has. */
  readonly open: readonly OpenFact[];
  /**
   * What the status of the log says against 2.2's model: `let-in` where it refuses what the log says was served, `refused` where
   * nothing asks for the password that was asked for.
   */
  readonly contradicts: 'let-in' | 'refused' | undefined;
  /** A RewriteRule, AliasMatch or the like may have led it elsewhere, where it was let in. */
  readonly isRewritten: boolean;
  /** A RewriteRule, AliasMatch or the like may have led it elsewhere, where it was let in or refused. */
  readonly isLed: boolean;
  readonly vhost: Section | undefined;
  /** The servers that may have answered, as far as the log says; undefined stands for the main server. */
  readonly hosts: readonly (Section | undefined)[];
  /** What has a say in who gets in, of the text as it is: the last decides. */
  readonly sections: readonly ReplayedSection[];
}
