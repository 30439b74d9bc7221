import { jsdiff } from './load';

/** Words, with the blanks between them, that stand in both texts or in one alone. */
export interface WordRun {
  readonly value: string;
  readonly added: boolean;
  readonly removed: boolean;
}

export function diffWords(before: string, after: string): readonly WordRun[] {
  return jsdiff().diffWordsWithSpace(before, after);
}
