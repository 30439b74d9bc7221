import type { ConvertOptions } from './options';

/** What the arguments ask for. */
export type CliRequest =
  | { readonly kind: 'convert'; readonly options: ConvertOptions }
  | { readonly kind: 'rules'; readonly id: string | undefined }
  | { readonly kind: 'undo'; readonly options: UndoRequest }
  | { readonly kind: 'why'; readonly request: WhyRequest }
  | { readonly kind: 'hook'; readonly request: HookRequest }
  | { readonly kind: 'debug'; readonly request: DebugRequest }
  | { readonly kind: 'apply'; readonly request: ApplyRequest }
  | { readonly kind: 'compare'; readonly request: CompareRequest }
  /** What an editor starts: the options, and paths where the server is not to be found by the file. */
  | { readonly kind: 'lsp'; readonly options: ConvertOptions }
  | { readonly kind: 'merge'; readonly request: MergeRequest }
  /** The script that packs an old server. */
  | { readonly kind: 'collect'; readonly output?: string }
  | { readonly kind: 'completion'; readonly shell: Shell }
  /** Help or version: text for stdout. */
  | { readonly kind: 'print'; readonly text: string };

export const SHELLS = ['bash', 'zsh', 'fish'] as const;
export type Shell = (typeof SHELLS)[number];

/** What `httpd-codemod report merge` was asked for. */
export interface MergeRequest {
  /** Reports in JSON, one a host, as given. */
  readonly files: readonly string[];
  /** An earlier merge in JSON, to tell the progress against. */
  readonly before: string | undefined;
  readonly format: 'text' | 'markdown' | 'html' | 'json';
  readonly output: string | undefined;
}

/** What `httpd-codemod compare` was asked for. */
export interface CompareRequest {
  /** The logs, and what goes for a run: the paths are the configuration whose rules the differences are held against. */
  readonly options: ConvertOptions;
  readonly old: URL;
  readonly now: URL;
  /** Ask requests with a query, too. */
  readonly withQueries: boolean;
  /** Requests to each server in a second, at most. */
  readonly rate: number;
  /** Requests at most. */
  readonly most: number;
  /** Name → address, for names that are not to be looked up. */
  readonly addresses: ReadonlyMap<string, string>;
  /** Take any certificate. */
  readonly insecure: boolean;
  /** Headers that every request gets. */
  readonly headers: readonly (readonly [name: string, value: string])[];
}

/** What `httpd-codemod apply` was asked for. */
export interface ApplyRequest {
  /** A plan that `--plan` has saved. */
  readonly file: string;
  /** Name what would be written, and write nothing. */
  readonly check: boolean;
  /** The suffix of the copies, as `--backup` of a run has it; undefined where none are left. */
  readonly backup: string | undefined;
}

/** What `httpd-codemod undo` was asked for. */
export interface UndoRequest {
  /** A write, as `--list` names it, or paths: the last write to one of them or below. None: the working directory. */
  readonly what: readonly string[];
  readonly action: 'undo' | 'check' | 'list' | 'prune' | 'repair';
  readonly keepChanged: boolean;
  /** Do not ask. */
  readonly yes: boolean;
}

/** What `httpd-codemod hook …` was asked for. */
export type HookRequest =
  | {
      readonly action: 'install';
      /** The options for `hook run`, to be checked now rather than at the next commit. */
      readonly options: ConvertOptions;
      /** What shall follow `hook run` in the hook. */
      readonly args: readonly HookArgument[];
    }
  | { readonly action: 'uninstall' }
  | {
      readonly action: 'run';
      /** What goes for a run goes here; its paths are the files to judge instead of those that the commit changes. */
      readonly options: ConvertOptions;
      /** Rewrite what is staged instead of refusing it. */
      readonly fix: boolean;
      /** False: rewrite the work tree only, and have the user stage it. */
      readonly stage: boolean;
      /** Exit status 1 if anything was rewritten. */
      readonly stop: boolean;
    };

/** An argument that a hook is to be called with: byte strings. */
export interface HookArgument {
  /** `--dual`; what stands before a path: `--modules=`. */
  readonly text: string;
  /** Relative to the working directory of the installation, where a hook does not run. */
  readonly path?: string;
  /** What stands behind the path: `=yes`. */
  readonly rest?: string;
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
  /** Lines of an error log, or what httpd said at its start: byte strings; the name of a file with them; `-`, or none: stdin. */
  readonly message: string | undefined;
  /** The configuration to look for the cause in, as for a run; none: only what the message names is told. */
  readonly paths: readonly string[];
}
