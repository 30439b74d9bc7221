import { explain, type Explanation } from '../access/explain';
import type { Reread } from '../config/types';
import { applyEdits } from '../edit';
import { treeAfter } from '../engine';
import type { Outcome, RunResult } from '../engine/types';
import { groupBy } from '../maps';
import { codeLine, unifiedDiff } from '../report';
import type { LoggedRequest } from '../log';
import { type MessageAnswers, isOpenQuestion, questionText } from './answers';
import { loggedQuestion } from './question';
import { sectionWithPlace } from '../access/policy';
import { excerptLines } from './explanation-text';

/** Requests of one message that are explained at most. */
const MOST = 2;

/** Which section and line refuse the requests that httpd has denied, and what to write there; else the open questions. */
export function deniedText(
  line: string,
  requests: readonly LoggedRequest[],
  answers: MessageAnswers,
  reread: Reread,
): string {
  const texts = requests.slice(0, MOST).map((request) => requestText(line, request, answers, reread));
  const open = answers.result.outcomes.filter(isOpenQuestion).map((outcome) => questionText(outcome, ''));
  return texts.length > 0 ? texts.join('') : [...new Set(open)].join('');
}

function requestText(line: string, request: LoggedRequest, answers: MessageAnswers, reread: Reread): string {
  const { result } = answers;
  const after = treeAfter(result, reread);
  const explanation = explain(result.tree, after, loggedQuestion(line, request).question);
  if (explanation === undefined) return '';
  const { v24, decidedBy } = explanation;
  const met = result.outcomes.filter((outcome) => isMet(outcome, explanation));
  const lines = [`  denied: ${request.path}`, ...decidedBy.before.flatMap(excerptLines)];
  const open = met.filter(isOpenQuestion);
  // What stays for the sake of another section has no answer of its own.
  const asked = open.findLast(({ remedy }) => remedy !== undefined) ?? open.at(-1);
  if (asked !== undefined) {
    const remedy = result.outcomes.find(
      (outcome) => isOpenQuestion(outcome) && outcome.remedy !== undefined,
    )?.remedy;
    const diffsIn = ({ outcomes }: RunResult): string =>
      diffsOf(outcomes.filter((outcome) => isMet(outcome, explanation)));
    return (
      shown(lines) + questionText(asked, remedy ?? '') + answers.textUnderAnswers(asked.question!, diffsIn)
    );
  }
  if (v24.answer === 'P' || v24.answer === 'U') {
    const diffs = diffsOf(met);
    if (diffs !== '') return `${shown(lines)}  write:\n${diffs}`;
    if (v24.steps.every(({ sets, left }) => sets.length + left.length === 0))
      return shown([
        ...lines,
        '  note:   nothing that was given decides: another file refuses it (Require all denied of <Directory />), or it has changed since',
        grantLine(explanation, request.client),
      ]);
    return `${shown(lines)}  note:   what was given lets this request in: another file refuses it, or it has changed since\n`;
  }
  const diffs = diffsOf(met);
  const grant = grantLine(explanation, request.client);
  return diffs === ''
    ? shown([...lines, grant])
    : `${shown(lines)}  write:\n${diffs}${shown([grant.replace('  write:', '  or:   ')])}`;
}

/** What lets the client in, in the section that decides; of one for all directories, in one for the file's. */
function grantLine({ v24, located }: Explanation, client: string | undefined): string {
  const last = v24.steps.findLast(({ sets, left }) => sets.length + left.length > 0);
  const who = `Require all granted${client === undefined ? '' : ` (or Require ip ${client}, for this client alone)`}`;
  const isForAll = last === undefined || /^<Directory "?\/"?>$/.test(last.section);
  const directory = located.filename.replace(/\/[^/]*$/, '') || '/';
  const place = isForAll
    ? `a <Directory ${directory}>`
    : `${sectionWithPlace(last)}, in place of what refuses there`;
  return `  write:  ${who} in ${place}, if they are to get in`;
}

/** Whether a finding is about a section that the request meets. */
function isMet({ file, at, rule }: Outcome, { v22, v24 }: Explanation): boolean {
  if (rule !== 'order-allow-deny') return false;
  const { line } = file.document.positionAt(at);
  return [...v22.steps, ...v24.steps].some((step) => step.file === file.name && step.line === line);
}

/** What is written for findings, each under the name of its file where there are several. */
function diffsOf(outcomes: readonly Outcome[]): string {
  const applied = outcomes.filter(({ status }) => status === 'applied');
  const found = [...groupBy(applied, ({ file }) => file)].flatMap(([file, ofFile]) => {
    const { name, document } = file;
    // Findings that share an edit each have it.
    const edits = [
      ...new Map(
        ofFile.flatMap((outcome) => outcome.edits.map((edit) => [JSON.stringify(edit), edit])),
      ).values(),
    ];
    if (applyEdits(document.text, edits) === document.text) return [];
    const diff = unifiedDiff(name, document.text, edits);
    const lines = diff.slice(diff.indexOf('@@')).split('\n').slice(0, -1);
    return [{ name, diff: shown(lines.map((part) => `    ${part}`)) }];
  });
  return found.map(({ name, diff }) => (found.length === 1 ? diff : shown([`    ${name}:`]) + diff)).join('');
}

function shown(lines: readonly string[]): string {
  return lines.map((text) => `${codeLine(text)}\n`).join('');
}
