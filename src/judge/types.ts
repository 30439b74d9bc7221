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
  readonly edits: readonly { readonly start: number; readonly end: number; readonly text: string }[];
}

/** Changes that are not to be written, and why: in words that name the request. */
export interface Veto<F extends JudgedFinding> {
  readonly changes: readonly F[];
  readonly why: string;
}

export interface JudgedResult<F extends JudgedFinding> {
  readonly vetoes: readonly Veto<F>[];
  /** How many questions were asked, and to how many of them both versions gave an answer. */
  readonly asked: number;
  readonly answered: number;
}
