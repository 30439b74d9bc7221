import type { ConvertOptions } from './options';

/** What the arguments ask for. */
export type CliRequest =
  | { readonly kind: 'convert'; readonly options: ConvertOptions }
  | { readonly kind: 'rules'; readonly id: string | undefined }
  | { readonly kind: 'undo'; readonly options: UndoRequest }
  | { readonly kind: 'why'; readonly request: WhyRequest }
  | { readonly kind: 'hook'; readonly request: HookRequest }
  | { readonly kind: 'debug'; readonly request: DebugRequest }
  /** Help or version: text for stdout. */
  | { readonly kind: 'print'; readonly text: string };

/** What `httpd-codemod undo` was asked for. */
export interface UndoRequest {
  /** A write, as `--list` names it, or paths: the last write that has touched one of them, or a file below. None: the working directory. */
  readonly what: readonly string[];
  readonly action: 'undo' | 'check' | 'list' | 'prune' | 'repair';
  readonly keepChanged: boolean;
  /** Do not ask. */
  readonly yes: boolean;
}

/** What `httpd-codemod hook …` was asked for. */
export interface HookRequest {
  readonly action: 'install' | 'uninstall' | 'run';
  /** Rewrite what is staged instead of refusing it. */
  readonly fix: boolean;
  /** False: rewrite the work tree only, and have the user stage it. */
  readonly stage: boolean;
  readonly dual: boolean | undefined;
  /** Judge these files instead of those that the commit changes. */
  readonly files: readonly string[];
}

/** What `httpd-codemod debug …` was asked for. */
export interface DebugRequest {
  /** The tree as it was read, what is known of access, or what the rules find before anything is applied. */
  readonly subject: 'tree' | 'access' | 'findings';
  /** What goes for a run goes here; nothing is written, and the format is text or JSON. */
  readonly options: ConvertOptions;
}

/** What `httpd-codemod why` was asked. */
export interface WhyRequest {
  /** Lines of an error log, or what httpd said when it did not start: byte strings. `-` reads standard input. */
  readonly message: string;
  /** The configuration to look for the cause in, as for a run; none: only what the message names is told. */
  readonly paths: readonly string[];
}
