/** What a write changes in the index of a git repository, together with its files. All strings are byte strings. */
export interface IndexChange {
  /** The top of the work tree, the directory of the repository and the index itself: absolute. */
  readonly top: string;
  readonly repository: string;
  readonly index: string;
  readonly entries: readonly EntryChange[];
}

/** One entry of the index: the blob that it had, and the one that it gets. */
export interface EntryChange {
  /** Relative to the top of the work tree. */
  readonly path: string;
  readonly before: string;
  readonly after: string;
}

/** What an index keeps of a change that was to be taken back. */
export interface UnrevertedEntry {
  /** `changed`: something else has been staged since; `failed`: the index cannot be set back. */
  readonly kind: 'changed' | 'failed';
  /** One line for the user: why, and what git can be told to do. */
  readonly text: string;
}

/** The indexes of git: main.ts hands this in. */
export interface IndexOps {
  /**
   * Gives each entry that is as the change has left it the blob that it had before; others stay. It may be done again.
   * @throws Error with a line for the user where git refuses: nothing has changed then
   */
  takeBack(change: IndexChange): readonly UnrevertedEntry[];
  /** The line for a change that cannot be taken back, for a reason. */
  failureText(change: IndexChange, reason: string): string;
}

/** The change that takes this one back. */
export function reversed(change: IndexChange): IndexChange {
  const entries = change.entries.map(({ path, before, after }) => ({ path, before: after, after: before }));
  return { ...change, entries };
}

/** The change without the entries of these files (real paths); undefined if nothing is left of it. */
export function withoutFiles(change: IndexChange, files: readonly string[]): IndexChange | undefined {
  const left = new Set(files);
  const entries = change.entries.filter(({ path }) => !left.has(`${change.top}/${path}`));
  return entries.length === 0 ? undefined : { ...change, entries };
}

/** Whether what was read of a journal is one. */
export function isIndexChange(value: unknown): value is IndexChange {
  if (typeof value !== 'object' || value === null) return false;
  const { top, repository, index, entries } = value as Partial<IndexChange>;
  return areStrings([top, repository, index]) && Array.isArray(entries) && entries.every(isEntryChange);
}

function isEntryChange(value: unknown): value is EntryChange {
  if (typeof value !== 'object' || value === null) return false;
  const { path, before, after } = value as Partial<EntryChange>;
  return areStrings([path, before, after]);
}

function areStrings(values: readonly unknown[]): boolean {
  return values.every((value) => typeof value === 'string');
}
