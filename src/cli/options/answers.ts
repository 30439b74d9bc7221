import { ASSUMPTION_KEYS } from '../../access';
import type { Answer, Transform } from '../../engine/types';
import { UsageError } from '../trouble';
import { suggest } from './suggest';

/**
 * Reads the value of `--answer`: `KEY=yes`, `KEY@PATH=no:REASON`. A place is relative to the working directory still.
 * @throws UsageError for anything else
 */
export function parseAnswer(text: string): Answer {
  const match = /^([a-z0-9-]+)(?:@(.+?))?=(yes|no)(?::([^]*))?$/.exec(text);
  if (match === null) throw new UsageError(`--answer takes KEY[@PATH]=yes|no[:REASON], not '${text}'`);
  const [, key = '', place, value, reason = 'given on the command line'] = match;
  return { key, value: value === 'yes', reason: reason.trim(), ...(place === undefined ? {} : { place }) };
}

/** @throws UsageError for a key that nothing has */
export function checkAnswers(answers: readonly Answer[], transforms: readonly Transform[]): void {
  const known: readonly string[] = [...ASSUMPTION_KEYS, ...transforms.map(({ id }) => id)];
  for (const { key } of answers)
    if (!known.includes(key))
      throw new UsageError(`nothing is assumed by the name '${key}'${suggest(key, known)}`);
}
