import type { ConfigTree } from '../../config';
import { type Scope, scopeName } from '../policy';
import type { AccessAnswer } from '../primitives';
import { type AnswerDifference, type AppliedRewrite, differingGroups, isMadeUp } from '../verify';
import type { AccessFinding } from './findings';

/**
 * Holds the rewrite against the configuration as it was.
 * @returns the groups to take back, each with a request that is answered differently
 */
export function checkRewrites(
  before: ConfigTree,
  after: ConfigTree,
  applied: readonly AppliedRewrite[],
): Map<string, string> {
  return new Map(
    [...differingGroups(before, after, applied)].map(([group, difference]) => [
      group,
      differenceText(difference, 'the rewrite'),
    ]),
  );
}

/** Says of a section with blocks for one version each that these do not say the same. */
export function blocksDiffer(scope: Scope, difference: AnswerDifference): AccessFinding {
  return {
    file: scope.file,
    at: scope.section?.open.from ?? scope.lines24[0]?.node.start ?? 0,
    level: 'warning',
    safety: 'manual',
    message: `${scopeName(scope)}: its lines for 2.2 and those for 2.4 do not say the same; 2.4's stay: ${differenceText(difference, '2.4')}`,
    edits: [],
  };
}

const ANSWERS: Readonly<Record<AccessAnswer, string>> = {
  P: 'admits',
  U: 'asks for a password',
  F: 'refuses',
  E: 'answers 500',
  '?': 'cannot be told',
};

/** @param name what to call what 2.4 reads */
function differenceText({ request, was, is, reading }: AnswerDifference, name: string): string {
  const server = reading === '2.2' ? '2.2' : '2.4 with mod_access_compat';
  const client = request.host === undefined ? request.address : `${request.host} (${request.address})`;
  const variables = request.env.size === 0 ? '' : `, ${[...request.env].join(' and ')} set`;
  const tls = request.tls === false ? ' without TLS' : '';
  return `${request.method} ${request.uri} (${request.filename}) from ${client}${variables}${tls} ${userText(request)}: ${server} ${ANSWERS[was]}, ${name} ${ANSWERS[is]}`;
}

function userText({ user, groups }: AnswerDifference['request']): string {
  if (user === undefined) return 'without a password';
  if (groups.size > 0) return `as a user of ${[...groups].join(', ')}`;
  return isMadeUp(user) ? 'as a user not named' : `as ${user}`;
}
