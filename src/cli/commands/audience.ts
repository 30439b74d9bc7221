import { audiencesOf, audienceText } from '../../ask';
import type { Reread } from '../../config/types';
import type { RunResult } from '../../engine/types';
import type { ChangeUnit } from '../parts';

const ACCESS_RULE = 'order-allow-deny';

/** Who gets in, before and after, where changes are about access: lines for a person. */
export function audienceOf({ outcomes }: ChangeUnit, result: RunResult, reread: Reread): readonly string[] {
  const audienceAt = audiencesOf(result, reread);
  const lines = outcomes.flatMap(({ rule, file, at }) => {
    const table = rule === ACCESS_RULE ? audienceAt(file, at) : undefined;
    return table === undefined ? [] : audienceText(table);
  });
  if (lines.length === 0) return ['No request is known whose answer hangs on it.'];
  return ['Who gets in:', ...new Set(lines)];
}
