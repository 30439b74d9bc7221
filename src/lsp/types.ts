/** A place in a text as editors count: both from 0, `character` in UTF-16 units. */
export interface EditorPosition {
  readonly line: number;
  readonly character: number;
}

export interface EditorRange {
  readonly start: EditorPosition;
  readonly end: EditorPosition;
}

export interface EditorEdit {
  readonly range: EditorRange;
  readonly newText: string;
}

/** The edits of one file, against the text that the analyst was told, or that it has read. */
export interface EditsInFile {
  /** A byte string. */
  readonly path: string;
  readonly edits: readonly EditorEdit[];
}

/** A finding as an editor underlines it. */
export interface EditorFinding {
  readonly range: EditorRange;
  readonly level: 'error' | 'warning' | 'info';
  readonly rule: string;
  readonly message: string;
}

/** What a run has found in the files of a server. */
export interface Checked {
  /** Each file that was read, with its findings; the path as the editor has opened it, a byte string. */
  readonly files: readonly { readonly path: string; readonly findings: readonly EditorFinding[] }[];
  /** What a person should know of the run that is about no file: lines. */
  readonly notes: readonly string[];
}

/** Which changes a fix makes: those of some findings, of a file, or of a rule. */
export type FixScope =
  | { readonly kind: 'section'; readonly subjects: readonly string[] }
  | { readonly kind: 'file'; readonly path: string }
  | { readonly kind: 'rule'; readonly rule: string };

/** A change that can be made at some lines. */
export interface Fix {
  readonly title: string;
  readonly scope: FixScope;
  /** The rules of the findings at these lines that it settles. */
  readonly rules: readonly string[];
}

/**
 * Answers what an editor asks about the configuration that its files belong to. It reads the disk below the texts that it was
 * told, and writes nothing. Paths are byte strings; one that does not begin with a slash stands for a text that is in no file.
 * Every method but `update` and `forget` throws an error with a line for a person where the configuration cannot be read.
 */
export interface Analyst {
  /** Files as the editor has them: path → text, a byte string; undefined for one that is as on the disk. */
  update(texts: ReadonlyMap<string, string | undefined>): void;
  /** To be called where the disk may have changed. */
  forget(): void;
  /**
   * The findings of the whole server that a file belongs to.
   * @param turn a number that grows: the answer is undefined once a later turn has begun
   * @param early is told, of a large server, what is likely to be found: around a change, and then once the rules have been asked
   */
  check(path: string, turn: number, early: (likely: Checked) => void): Checked | undefined;
  /** What can be changed at some lines of a file, from 0; `last` included. */
  fixes(path: string, first: number, last: number): readonly Fix[];
  /** The edits of a fix, checked as a whole like every result; none where nothing can be changed on its own. */
  edits(path: string, scope: FixScope): readonly EditsInFile[];
  /** The findings of a line and who gets in there, as Markdown. */
  hover(path: string, line: number): string | undefined;
  /** Who gets into the section that a line belongs to: in short, and as plain text. */
  audience(path: string, line: number): { readonly title: string; readonly text: string } | undefined;
  /** What `--explain` prints about a request. */
  explain(path: string, request: string): string;
}

/** An {@link Analyst} that may be in another thread. */
export type RemoteAnalyst = {
  readonly [Name in keyof Analyst]: (
    ...args: Parameters<Analyst[Name]>
  ) => Promise<Awaited<ReturnType<Analyst[Name]>>>;
} & {
  /** Says that a later turn has begun: a check of an earlier one, which may be under way, ends at once. */
  readonly overtake: (turn: number) => void;
};
