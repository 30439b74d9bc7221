import { type Reading, type Scope, hasVersionBlocks, isWrittenFor24, scopeName } from '../policy';
import type { Withdrawal } from '../../engine/types';
import { type AccessAnswer, EMPTY_LIST, shownPath } from '../primitives';
import {
  type AnswerDifference,
  type Rewriting,
  differencesOutsideRewrites,
  differencesWhereAbsent,
  differingBlocks,
  differingGroups,
  isMadeUp,
  isStricter,
} from '../verify';
import { type AccessFinding, manualFinding } from './findings';
import { checkOverrides } from './overrides';
import { scopeWithPlace } from './refusals';

/** Holds the rewrite against what was. @returns the groups to take back, each with a request answered differently */
export function checkRewrites(...rewriting: Rewriting): Map<string, Withdrawal> {
  const refused = checkOverrides(...rewriting);
  // What the models say of a file that 2.4 answers 500 to follows from that.
  for (const [group, differences] of differingGroups(...rewriting))
    if (!refused.has(group)) {
      const [first, ...besides] = differences.map(withdrawalFor);
      refused.set(group, { ...first!, besides });
    }
  return refused;
}

function withdrawalFor(difference: AnswerDifference): Withdrawal {
  const { was, is, met, madeBy = EMPTY_LIST } = difference;
  const isOwn = met.some((scope) => hasVersionBlocks(scope) && madeBy.includes(scope.place.root.path));
  return { why: differenceText(difference, 'the rewrite'), madeBy, opens: isStricter(is, was), isOwn };
}

/** Like {@link checkRewrites}, for a run that leaves out one of two blocks for one version each, which were both there. */
export function checkBlocks(...rewriting: Rewriting): Map<string, Withdrawal> {
  const whyOf = (difference: AnswerDifference): string =>
    `its lines for 2.2 and those for 2.4 do not say the same: ${differenceText(difference, '2.4')}`;
  return new Map([...differingBlocks(...rewriting)].map(([group, it]) => [group, { why: whyOf(it) }]));
}

/** Says of a section that is written for 2.4 and has blocks for one version each that these do not say the same. */
export function blocksDiffer(scope: Scope, difference: AnswerDifference): AccessFinding {
  const reason = "its lines for 2.2 and those for 2.4 do not say the same; 2.4's stay";
  return differenceFinding({ ...difference, decides: scope }, reason, 'warning');
}

/** What 2.4 will answer differently than 2.2 for lines that the rewrite leaves: a finding for each section that decides. */
export function differenceFindings(...rewriting: Rewriting): readonly AccessFinding[] {
  const [before, after] = rewriting;
  const left = differencesOutsideRewrites(...rewriting);
  const isSaid = new Set(left.map(({ decides }) => decides.order));
  const others = left.filter(({ isOfMachine }) => isOfMachine !== true);
  const ofOthers = new Set(others.map(({ decides }) => decides.order));
  const ofMachine = new Map(
    left.filter(({ decides }) => !ofOthers.has(decides.order)).map((found) => [found.decides.order, found]),
  );
  const whereAbsent = differencesWhereAbsent(before, after).filter(
    ({ decides }) => !isSaid.has(decides.order),
  );
  return [
    ...others.map((difference) => differenceFinding(difference, leftReason(difference))),
    ...[...ofMachine.values()].map((found) => differenceFinding(found, OF_MACHINE, 'warning')),
    ...whereAbsent.map((difference) =>
      differenceFinding(
        difference,
        `requests lead to ${shownPath(difference.request.filename)}, where there is no directory, so that no section for it counts: make it, or take those sections out`,
      ),
    ),
  ];
}

const OF_MACHINE =
  'Require local lets in this machine by all of its addresses, 2.2 only by those that its lines name; write Require ip 127.0.0.1 ::1 if others are to stay out';

function differenceFinding(
  difference: AnswerDifference,
  reason: string,
  level: 'error' | 'warning' = 'error',
): AccessFinding {
  const { decides: scope, was, is, isOf24 } = difference;
  const line = scope.lines.requires24[0] ?? scope.lines.requires[0] ?? scope.lines.old[0];
  const file = scope.section === undefined ? (line?.file ?? scope.file) : scope.file;
  const at = scope.section?.open.from ?? line?.node.start ?? 0;
  // Who wrote it wants it so, and needs no more than a look.
  if (isOf24 === true && isStricter(was, is))
    return { ...manualFinding(file, at, 'warning', CLOSING), changesAccess: true };
  const message = `${scopeName(scope)}: ${reason}: ${differenceText(difference, '2.4')}`;
  return manualFinding(file, at, level, message);
}

const CLOSING = 'only 2.4 reads these lines, which keep out whom 2.2 lets in: say the same for both';

function leftReason({ met, decides, unknown }: AnswerDifference): string {
  if (unknown !== undefined)
    return `what its lines for 2.4 decide cannot be told, because of ${unknown}; look whether they let in whom 2.2 let in, and nobody else`;
  const { only22Count, only24Count } = decides;
  const { requires24 } = decides.lines;
  const otherwise =
    "already written for 2.4, but the server's own lines are of a 2.2, which answers differently; say who may get in";
  if (isWrittenFor24(decides)) return `it is ${otherwise}`;
  if (requires24.length === 0 && only22Count > 0)
    return 'only 2.2 reads its lines, and nothing takes their place; write them for 2.4';
  if (only22Count > 0 && only24Count > 0)
    return 'its lines for 2.4 do not decide as 2.2 does here; say in them who may get in';
  if (only24Count > 0) return 'only 2.4 reads its lines, and they change who gets in; say in them who may';
  const written = met.find(isWrittenFor24);
  if (written !== undefined) {
    const name = written.section === undefined ? written.file.name : scopeWithPlace(written);
    return `it meets ${name}, which is ${otherwise}`;
  }
  return 'it stays as it is, and 2.4 does not decide as 2.2 did; say who may get in';
}

const ANSWERS: Readonly<Record<AccessAnswer, string>> = {
  P: 'admits',
  U: 'asks for a password',
  F: 'refuses',
  E: 'answers 500',
  '?': 'cannot be told',
};

/** @param name what to call what 2.4 reads */
export function differenceText(
  {
    request,
    was,
    is,
    reading,
    unknown,
  }: Pick<AnswerDifference, 'request' | 'was' | 'is' | 'reading'> &
    Partial<Pick<AnswerDifference, 'unknown'>>,
  name: string,
): string {
  const server = SERVERS[reading];
  const client = request.host === undefined ? request.address : `${request.host} (${request.address})`;
  const variables = request.env.size === 0 ? '' : `, ${[...request.env].join(' and ')} set`;
  const tls = request.tls === false ? ' without TLS' : '';
  return `${request.method} ${request.uri} (${shownPath(request.filename)}) from ${client}${variables}${tls} ${userText(request)}: ${server} ${ANSWERS[was]}, ${name} ${unknown === undefined ? '' : 'perhaps '}${ANSWERS[is]}`;
}

function userText({ user, groups }: AnswerDifference['request']): string {
  if (user === undefined) return 'without a password';
  if (groups.size > 0) return `as a user of ${[...groups].join(', ')}`;
  return isMadeUp(user) ? 'as a user not named' : `as ${user}`;
}

const SERVERS: Readonly<Record<Reading, string>> = {
  '2.2': '2.2',
  compat: '2.4 with mod_access_compat',
  'as-written': 'what the section says itself',
};
