import type { DescribedFinding, Reply, RunSummary } from '../src';

/** Where the page asks, by its name on it. */
export const ANSWER = '"Is this so?"';

/** A text that was pasted or typed, decoded. */
export interface PastedText {
  readonly kind: 'text';
  readonly isHtaccess: boolean;
  readonly text: string;
}

/** A file as the browser hands it over. */
export interface GivenFile {
  /** The path below what was dropped, with `/` between its parts. */
  readonly path: string;
  /** Undefined where the browser cannot read it. */
  readonly file: Blob | undefined;
}

/** A directory, or an archive of one. */
export interface GivenFiles {
  readonly kind: 'files';
  readonly files: readonly GivenFile[];
}

/** What was answered, by the key of the assumption or question. */
export type Answers = Readonly<Record<string, boolean | string>>;

/** How a conversion is wanted: all that the page has a switch for. */
export interface Wishes {
  /** The N of 2.4.N. */
  readonly target: number;
  readonly dual: boolean;
  /** Leave what has no exact text, instead of refusing more. */
  readonly exact: boolean;
  /** What `httpd -M` prints on the 2.4 server, decoded; empty where that is not known. */
  readonly modules: string;
  /** Write 2.2's values where 2.4 has other defaults. */
  readonly pinDefaults: boolean;
  /** Key of an assumption → whether it is so; key of a question → the choice. */
  readonly answers: Answers;
  /** The keys of findings whose changes are left out. */
  readonly leftOut: readonly string[];
}

/** A finding of a pasted text, with what it takes to leave it out. */
export interface ShownFinding extends DescribedFinding {
  readonly key: string;
  /** Why there is such a rule. */
  readonly reason: string;
  readonly hasChange: boolean;
}

/** What became of the input. */
export interface Converted {
  readonly summary: RunSummary;
  /** The choices of each question that rules have, as they list them: by its key. */
  readonly choices: Readonly<Record<string, string>>;
  /** The new text of what was pasted, decoded; undefined for files. */
  readonly text?: string;
  /** Of what was pasted; for files, the report has them. */
  readonly findings: readonly ShownFinding[];
  /** How many more there are. */
  readonly more: number;
  /** The report of files, as HTML. */
  readonly report?: string;
  readonly hasScript: boolean;
  readonly milliseconds: number;
  /** What was left out of an archive or a directory, a line each. */
  readonly notes: readonly string[];
}

/** What can be downloaded. */
export type Product = 'text' | 'zip' | 'patch' | 'script';

/** What the page asks of its worker. Answers carry the number of their question. */
export type Question =
  | {
      readonly kind: 'convert';
      readonly id: number;
      readonly input: PastedText | GivenFiles;
      readonly wishes: Wishes;
    }
  | { readonly kind: 'again'; readonly id: number; readonly wishes: Wishes }
  | { readonly kind: 'ask'; readonly id: number; readonly text: string }
  | { readonly kind: 'make'; readonly id: number; readonly product: Product };

/** What the worker says. */
export type Answer =
  | { readonly kind: 'progress'; readonly id: number; readonly text: string }
  | { readonly kind: 'converted'; readonly id: number; readonly converted: Converted }
  | { readonly kind: 'replied'; readonly id: number; readonly reply: Reply }
  | { readonly kind: 'made'; readonly id: number; readonly name: string; readonly bytes: Uint8Array }
  | { readonly kind: 'failed'; readonly id: number; readonly message: string };
