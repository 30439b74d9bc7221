import { ASSUMPTION_KEYS } from '../../access';
import { LIBRARIES_KEY, THIRD_PARTY_ROWS } from '../../httpd/third-party';
import type { Answer, Transform } from '../../engine/types';
import { UsageError } from '../trouble';
import { suggest } from './suggest';

const ANSWER = /^([a-z0-9-]+)(?:@(.+?))?=(yes|no)(?::([^]*))?$/;

/**
 * Reads the value of `--answer`: `KEY=yes`, `KEY@PATH=no:REASON`. A place is relative to the working directory still.
 * @throws UsageError for anything else
 */
export function parseAnswer(text: string): Answer {
  const match = ANSWER.exec(text);
  if (match === null) throw new UsageError(`--answer takes KEY[@PATH]=yes|no[:REASON], not '${text}'`);
  const [, key = '', place, value, reason = 'given on the command line'] = match;
  return { key, value: value === 'yes', reason: reason.trim(), ...(place === undefined ? {} : { place }) };
}

/** What stands before the place in the value of `--answer`, the place, and what stands behind it; undefined where no place is named. */
export function placeIn(text: string): readonly [before: string, place: string, behind: string] | undefined {
  const [, key = '', place] = ANSWER.exec(text) ?? [];
  if (place === undefined) return undefined;
  const start = key.length + 1;
  return [text.slice(0, start), place, text.slice(start + place.length)];
}

/** @throws UsageError for a key that nothing has */
export function checkAnswers(answers: readonly Answer[], transforms: readonly Transform[]): void {
  const known: readonly string[] = [
    ...ASSUMPTION_KEYS,
    ...transforms.map(({ id }) => id),
    ...THIRD_PARTY_ROWS.flatMap(({ key, isBuiltFor24 }) => (isBuiltFor24 ? [key] : [])),
    LIBRARIES_KEY,
  ];
  for (const { key } of answers)
    if (!known.includes(key))
      throw new UsageError(`nothing is assumed by the name '${key}'${suggest(key, known)}`);
}
