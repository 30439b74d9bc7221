import { explain, type Explanation } from '../access/explain';
import type { Reread } from '../config/types';
import { applyEdits } from '../edit';
import { treeAfter } from '../engine';
import type { Outcome, RunResult } from '../engine/types';
import { oneLine, unifiedDiff } from '../report';
import type { LoggedRequest } from '../log';
import { loggedQuestion } from './question';
import { excerptLines } from './explanation-text';

/** Requests of one message that are explained at most. */
const MOST = 2;

/**
 * Which section and line refuse the requests that httpd says it has denied, and what to write there; the open questions where
 * none is named.
 */
export function deniedText(
  line: string,
  requests: readonly LoggedRequest[],
  result: RunResult,
  reread: Reread,
): string {
  const texts = requests.slice(0, MOST).map((request) => requestText(line, request, result, reread));
  const open = result.outcomes.filter(isOpen).map(questionText);
  return texts.length > 0 ? texts.join('') : [...new Set(open)].join('');
}

function requestText(line: string, request: LoggedRequest, result: RunResult, reread: Reread): string {
  const after = treeAfter(result, reread);
  const explanation = explain(result.tree, after, loggedQuestion(line, request).question);
  if (explanation === undefined) return '';
  const { v24, decidedBy } = explanation;
  const met = result.outcomes.filter((outcome) => isMet(outcome, explanation));
  const lines = [`  denied: ${request.path}`, ...decidedBy.before.flatMap(excerptLines)];
  const asked = met.findLast(isOpen);
  if (asked !== undefined) return shown(lines) + questionText(asked);
  if (v24.answer === 'P' || v24.answer === 'U') {
    const diffs = met.filter(({ status }) => status === 'applied').map(diffOf).filter((diff) => diff !== ''); // prettier-ignore
    if (diffs.length > 0) return `${shown(lines)}  write:\n${diffs.join('')}`;
    return `${shown(lines)}  note:   what was given lets this request in: another file refuses it, or it has changed since\n`;
  }
  return shown([...lines, grantLine(explanation, request.client)]);
}

/**
 * What lets the client in, in the section that decides; where that is for all directories, in one for the directory of the file.
 */
function grantLine({ v24, located }: Explanation, client: string | undefined): string {
  const last = v24.steps.findLast(({ sets, left }) => sets.length + left.length > 0);
  const who = `Require all granted${client === undefined ? '' : ` (or Require ip ${client}, for this client alone)`}`;
  const isForAll = last === undefined || /^<Directory "?\/"?>$/.test(last.section);
  const directory = located.filename.replace(/\/[^/]*$/, '') || '/';
  const place = isForAll ? `a <Directory ${directory}>` : `${last.section} at ${last.file}:${last.line}, in place of what refuses there`; // prettier-ignore
  return `  write:  ${who} in ${place}, if they are to get in`;
}

function isOpen({ question }: Outcome): boolean {
  return question === 'old-lines' || question === 'half-converted';
}

/** Whether a finding is about a section that the request meets. */
function isMet({ file, at, rule }: Outcome, { v22, v24 }: Explanation): boolean {
  if (rule !== 'order-allow-deny') return false;
  const { line } = file.document.positionAt(at);
  return [...v22.steps, ...v24.steps].some((step) => step.file === file.name && step.line === line);
}

function questionText({ file, at, message, remedy = '' }: Outcome): string {
  const place = `${file.name}:${file.document.positionAt(at).line}`;
  return shown([`  ask:    ${place}: ${message}`, `  answer: ${remedy}`]);
}

function diffOf({ file, edits }: Outcome): string {
  const { text } = file.document;
  if (applyEdits(text, edits) === text) return '';
  const diff = unifiedDiff(file.name, text, edits);
  return shown(diff.slice(diff.indexOf('@@')).split('\n').slice(0, -1).map((part) => `    ${part}`)); // prettier-ignore
}

function shown(lines: readonly string[]): string {
  return lines.map((text) => `${oneLine(text)}\n`).join('');
}
