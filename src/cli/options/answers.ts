import { answerCheck } from '../../engine';
import type { Answer, Transform } from '../../engine/types';
import { UsageError } from '../trouble';

const ANSWER = /^([a-z0-9-]+)(?:@(.+?))?=(yes|no)(?::([^]*))?$/;
/** The place may stand behind such a choice, too. */
const CHOICE_WITH_PLACE = /^(ip|host|any|as-[\w.-]+)@(.+)$/;
const CHOICE = /^([a-z0-9-]+)(?:@([^=]+))?=([^]+)$/;

/**
 * Reads the value of `--answer`: `KEY=yes`, `KEY@PATH=no:REASON`, or `KEY=CHOICE` for what asks for more. A place is relative to
 * the working directory still.
 * @throws UsageError for anything else
 */
export function parseAnswer(text: string): Answer {
  const [, key = '', place, value = '', reason = 'given on the command line'] =
    ANSWER.exec(text) ?? CHOICE.exec(text) ?? [];
  const behind = place === undefined ? CHOICE_WITH_PLACE.exec(value) : null;
  if (behind !== null) return { key, ...answerValue(behind[1]!), reason: reason.trim(), place: behind[2]! };
  if (key === '') throw new UsageError(`--answer takes KEY[@PATH]=yes|no[:REASON], not '${text}'`);
  return {
    key,
    ...answerValue(value),
    reason: reason.trim(),
    ...(place === undefined ? {} : { place }),
  };
}

/** What a word says: yes, no, or the choice that it is. */
export function answerValue(word: string): Pick<Answer, 'value' | 'choice'> {
  return word === 'yes' || word === 'no' ? { value: word === 'yes' } : { value: true, choice: word };
}

/** What stands before the place in the value of `--answer`, the place, and what stands behind; undefined without one. */
export function placeIn(text: string): readonly [before: string, place: string, behind: string] | undefined {
  const [, key = '', place] = ANSWER.exec(text) ?? CHOICE.exec(text) ?? [];
  if (place === undefined) return undefined;
  const start = key.length + 1;
  return [text.slice(0, start), place, text.slice(start + place.length)];
}

/** @throws UsageError for a key that nothing has, and for a choice that there is not */
export function checkAnswers(answers: readonly Answer[], transforms: readonly Transform[]): void {
  const problemOf = answerCheck(transforms);
  for (const answer of answers) {
    const problem = problemOf(answer);
    if (problem !== undefined) throw new UsageError(problem);
  }
}
