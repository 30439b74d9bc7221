import type { Excerpt, Explained22, Explanation, Step22, Step24 } from '../access/explain';
import { sectionWithPlace } from '../access/policy';
import type { AccessAnswer } from '../access/primitives';
import type { RunResult } from '../engine/types';
import { codeLine, needsPerson } from '../report';
import type { AskedRequest, Explained } from './question';
import { type Obstacles, obstaclesTo } from './starting';

/** What a version does with a request, in words. */
export const ANSWER_TEXTS: Readonly<Record<AccessAnswer, string>> = {
  P: 'admits it',
  U: 'asks for a password (401)',
  F: 'refuses it (403)',
  E: 'answers 500',
  '?': 'gives an unknown answer',
};

const NAMES = { '2.2': '2.2', compat: '2.4 with mod_access_compat' } as const;

/** One explanation for people: many short lines. A byte string, safe for a terminal. */
export function explanationText({ asked, explanation }: Explained, result: RunResult): string {
  const { v22, v24, decidedBy } = explanation;
  const lines = [
    ...head(asked, explanation),
    '',
    `Apache ${NAMES[v22.reading]}, as it stands:`,
    ...v22.steps.flatMap((step) => step22(step, v22.reading)),
    ...(v22.steps.length === 0 ? ['  no section of the run says anything about it'] : []),
    `  => ${NAMES[v22.reading]} ${ANSWER_TEXTS[v22.answer]}: ${v22.why}`,
    ...decidedBy.before.flatMap(excerptLines),
    '',
    `Apache 2.4, ${result.plan.length > 0 ? 'rewritten (lines of the new text)' : 'nothing to rewrite'}:`,
    ...v24.steps.flatMap((step) => step24(step, result)),
    ...(v24.steps.length === 0 ? ['  no section of the run says anything about it'] : []),
    `  => 2.4 ${ANSWER_TEXTS[v24.answer]}: ${v24.why}${v24.compat === undefined ? '' : `; with it, it ${ANSWER_TEXTS[v24.compat]}`}`,
    ...(result.plan.length > 0 || decidedBy.before.length === 0 ? decidedBy.after.flatMap(excerptLines) : []),
    '',
    ...doubts(explanation),
    verdict(explanation, obstaclesTo(result, explanation.located.filename, 'new')),
  ];
  return lines.map((line) => `${codeLine(line)}\n`).join('');
}

/** Why the answers may be others: conditional blocks, and what is not known. */
export function doubts({ v22, otherwise, unknown }: Explanation): string[] {
  return [
    ...otherwise.map(
      (alternative) =>
        `${alternative.when}: ${NAMES[v22.reading]} ${ANSWER_TEXTS[alternative.v22]}, 2.4 ${ANSWER_TEXTS[alternative.v24]}`,
    ),
    ...unknown.map((reason) => `unknown: ${reason}`),
  ];
}

/** The lines that decide are marked `>`, those that open or close a section that the request meets `|`. */
export function excerptLines({ file, lines }: Excerpt): string[] {
  let before: number | undefined;
  return [
    `  decided by ${file}:`,
    ...lines.flatMap(({ line, text, mark }) => {
      const gap = before !== undefined && line > before + 1 ? ['           ...'] : [];
      before = line;
      const sign = mark === 'decides' ? '>' : mark === 'section' ? '|' : ' ';
      return [...gap, `    ${sign} ${String(line).padStart(4)}  ${text}`];
    }),
  ];
}

/** The request in words, and what is taken for granted about it. */
export function head(
  { question, ...asked }: AskedRequest,
  { located, assumed, server }: Explanation,
): string[] {
  const { method, address, host, user, groups, env, tls } = question;
  const parts = [
    `${method} ${located.uri ?? located.filename}`,
    `from ${host === undefined ? address : `${host} (${address})`}`,
    user === undefined
      ? 'without a password'
      : `as ${user}${groups.size > 0 ? ` of ${[...groups].join(', ')}` : ''}`,
    ...(env.size > 0 ? [`with ${[...env].join(', ')} set`] : []),
    ...(tls ? ['over TLS'] : []),
  ];
  return [
    parts.join(' '),
    `  file   ${located.filename} (${located.by})`,
    `  server ${server ?? 'the main server'}`,
    ...(asked.logged === undefined
      ? []
      : [
          `  log    ${asked.logged.answer}`,
          `  ask    '${asked.logged.again}' asks the same; change it to ask for another`,
        ]),
    ...[...asked.assumed, ...assumed].map((assumption) => `  assume ${assumption}`),
  ];
}

/** A section that 2.2 merges, with what it sets. */
export function step22(
  { section, file, line, sets, state, answer }: Step22,
  reading: Explained22['reading'],
): string[] {
  const { hosts, requires, satisfy, ssl } = state;
  const list = (name: string, words: readonly string[]): string[] =>
    words.length > 0 ? [`${name} from ${words.join(' ')}`] : [];
  const lists =
    hosts === undefined
      ? 'none in effect'
      : [`order ${hosts.order}`, ...list('allow', hosts.allow), ...list('deny', hosts.deny)].join('; ');
  return [
    `  ${sectionWithPlace({ section, file, line })}`,
    ...sets.map(
      (setting) =>
        `    ${setting.text}${setting.file === file ? ` (line ${setting.line})` : ` (${setting.file}:${setting.line})`}`,
    ),
    `      hosts: ${lists}${hosts === undefined ? '' : hosts.admits ? ': admits' : ': refuses'}`,
    ...(ssl === undefined ? [] : [`      SSLRequireSSL: ${ssl ? 'met' : 'not met'}`]),
    `      ${reading === '2.2' ? `require: ${requires?.join(' | ') ?? 'nothing'}; ` : ''}satisfy: ${satisfy}; so far it ${ANSWER_TEXTS[answer]}`,
  ];
}

/** A section that 2.4 merges, with what it sets. */
export function step24({ section, file, line, sets, left, answer }: Step24, result: RunResult): string[] {
  const refusal = left.length > 0 ? refusalAt(file, line, left.at(-1)!.line, result) : undefined;
  return [
    `  ${sectionWithPlace({ section, file, line })}`,
    ...sets.map((setting) => `    ${'  '.repeat(setting.depth)}${setting.text}`),
    ...left.map((setting) => `    ${setting.text} (left as it is)`),
    ...(refusal === undefined ? [] : [`      ${refusal}`]),
    ...(left.length > 0
      ? []
      : [`      ${sets.length === 0 ? 'inherits; ' : ''}so far it ${ANSWER_TEXTS[answer]}`]),
  ];
}

/** What the run said about a section that it left alone. */
function refusalAt(file: string, from: number, to: number, result: RunResult): string | undefined {
  const found = result.outcomes.find((outcome) => {
    if (outcome.file.name !== file || outcome.level !== 'error' || !needsPerson(outcome)) return false;
    const { line } = outcome.file.document.positionAt(outcome.at);
    return line >= from && line <= to;
  });
  return found && (found.why === undefined ? found.message : `${found.message} (${found.why})`);
}

/** Whether both versions answer alike, and the 2.4 does at all. */
export function verdict(explanation: Explanation, { refused, compat }: Obstacles): string {
  const but = refused?.text ?? (compat && `starts with mod_access_compat only: see ${compat}`);
  return agreement(explanation) + (but === undefined ? '' : ` But as the new text is, 2.4 ${but}.`);
}

function agreement({ agree, v22, v24 }: Explanation): string {
  if (agree) return 'Both versions agree.';
  if (v22.answer === '?' || v24.answer === '?') return 'It is unknown whether both versions agree.';
  return v22.answer === v24.answer ? 'Both versions agree, as far as is known.' : 'The versions differ.';
}
