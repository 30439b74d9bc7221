import type { ConfigFile } from '../config/types';

/** A finding of a rule, and what has become of it. */
export interface JudgedFinding {
  readonly rule: string;
  readonly file: ConfigFile;
  readonly at: number;
  readonly level: string;
  readonly safety: string;
  readonly status: string;
  readonly group?: string;
  /** Who gets in is not what it was, by lines that it says nothing else of. */
  readonly changesAccess?: boolean;
  readonly edits: readonly { readonly start: number; readonly end: number; readonly text: string }[];
}

/** Changes that are not to be written, and why: in words that name the request. */
export interface Veto<F extends JudgedFinding> {
  readonly changes: readonly F[];
  readonly why: string;
  /** Somebody gets in who was not kept out by a 500 to a `.htaccess` alone. */
  readonly opens: boolean;
  /** 2.2 answered 500 to the request. */
  readonly isOwn: boolean;
  /**
   * The `.htaccess` files that make the difference: without them the request is answered as it was. None where the server's own
   * files do, or where too much is changed for all of it to be asked about.
   */
  readonly madeBy: readonly string[];
}

export interface JudgedResult<F extends JudgedFinding> {
  readonly vetoes: readonly Veto<F>[];
  /** How many questions were asked, and to how many of them both versions gave an answer. */
  readonly asked: number;
  readonly answered: number;
}
