import type { GivenLines } from './given-lines';

/** Lines that are wrong where others stand beside them, or around them. */
export interface Finder {
  /** What to write, and why; undefined where no such lines were given. */
  readonly finds: (given: GivenLines, question: string) => string | undefined;
  /** What a question says that they explain; undefined for any that says that something does not do what it should. */
  readonly about?: RegExp;
}

/** What is said of lines that explain whatever is asked beside them. */
export const ALWAYS = /./;

/** What to write where a comma stands between words that blanks part. */
export function listed(example: string): string {
  return `take the commas out (\`${example}\`): blanks part the words, and a comma is a part of the word in front of it`;
}
