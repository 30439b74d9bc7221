import type { Edit } from '../../src/edit';
import type { Outcome, RunResult } from '../../src/engine';
import { needsPerson } from '../../src/report';
import { walk } from '../../src/syntax';
import type { RecordedDifference, TreeReport } from './compare';

/**
 * `same`: every answer is the recorded one; `strict`: the tool wrote the strictest form and said so, and nobody is let in;
 * `refused`: it left the tree to a person, and said so.
 */
export type TreeVerdict =
  { readonly kind: 'same' | 'strict' | 'refused' } | { readonly kind: 'failed'; readonly why: string };

/** Whether a converted tree is as it should be: nobody may be let in, and nothing else may change without a word. */
export function judge(result: RunResult, report: TreeReport): TreeVerdict {
  const [opened] = report.opened;
  if (opened !== undefined) return failed(`lets in ${report.opened.length}, first`, opened);
  if (result.failure !== undefined) return { kind: 'failed', why: result.failure };
  const strict = result.outcomes.filter(({ safety, status }) => safety === 'strict' && status === 'applied');
  const isOfStrict = ({ file, at }: Outcome): boolean =>
    strict.some((form) => form.file === file && form.at === at);
  const refusals = result.outcomes.filter(
    (outcome) => outcome.level === 'error' && needsPerson(outcome) && !isOfStrict(outcome),
  );
  const halfDone = refusals.find((refusal) => isTouched(result, refusal));
  if (halfDone !== undefined) return { kind: 'failed', why: `refused, but changed: ${halfDone.message}` };
  if (refusals.length > 0) return { kind: 'refused' };
  if (report.refused !== undefined) return { kind: 'failed', why: `httpd refuses it: ${report.refused}` };
  if (strict.length > 0) return { kind: 'strict' };
  const different = [...report.closed, ...report.other];
  const [first] = different;
  return first === undefined
    ? { kind: 'same' }
    : failed(`answers ${different.length} differently, first`, first);
}

function failed(problem: string, { requestText, recorded, now }: RecordedDifference): TreeVerdict {
  return { kind: 'failed', why: `${problem}: ${requestText} (2.2 ${recorded}, now ${now})` };
}

/** What is refused stays as it is: its section or line, and all that belongs to its group. */
function isTouched({ outcomes, plan }: RunResult, refusal: Outcome): boolean {
  const { file, at, group } = refusal;
  if (
    group !== undefined &&
    outcomes.some((outcome) => outcome.group === group && outcome.status === 'applied')
  )
    return true;
  const edits = plan.find((change) => change.file === file)?.edits ?? [];
  for (const [node] of walk(file.document.body)) {
    const from = node.kind === 'section' ? node.open.from : node.start;
    if (from !== at && !(node.kind === 'directive' && node.from === at)) continue;
    if (edits.some((edit: Edit) => edit.start < node.end && node.start < edit.end)) return true;
  }
  return false;
}
