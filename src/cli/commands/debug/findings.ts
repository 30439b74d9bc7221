import type { RereadableTree } from '../../../config';
import { findingsOf, run } from '../../../engine';
import type { Finding, Outcome, RunOptions, Transform } from '../../../engine/types';
import { oneLine } from '../../../report';
import { addTo } from '../../../maps';

interface EditView {
  /** Bytes of the file, and the line the first of them stands on. */
  readonly start: number;
  readonly end: number;
  readonly line: number;
  readonly before: string;
  readonly after: string;
}

interface FindingView {
  readonly rule: string;
  readonly path: string;
  readonly line: number;
  readonly column: number;
  readonly level: Finding['level'];
  readonly safety: Finding['safety'];
  readonly message: string;
  /** Findings of one group are applied together or not at all. */
  readonly group: string | undefined;
  /** `tree`: a rule said so of the configuration as it is; `result`: it follows from what the others change. */
  readonly of: 'tree' | 'result';
  readonly edits: readonly EditView[];
  /** What became of it; `dropped`: once the edits were applied there was no such finding. */
  readonly status: Outcome['status'] | 'dropped';
  readonly why: string | undefined;
}

interface FindingsView {
  /** In the order in which the rules report, which decides where two overlap. */
  readonly findings: readonly FindingView[];
  /** Why nothing was planned, if the result failed its checks. */
  readonly failure: string | undefined;
}

/** What the rules find, with the edits they ask for, and what then becomes of each. */
export function findingsView(
  given: RereadableTree,
  transforms: readonly Transform[],
  options: RunOptions,
): FindingsView {
  const found = findingsOf(given.tree, transforms, options);
  const { outcomes, failure } = run(given, transforms, options);
  const outcomesByFinding = new Map<string, Outcome[]>();
  for (const outcome of outcomes) {
    addTo(outcomesByFinding, keyOf(outcome), outcome);
  }
  const treeFindings = found.map((finding) =>
    findingView(finding, 'tree', outcomesByFinding.get(keyOf(finding))?.shift()),
  );
  const resultFindings = [...outcomesByFinding.values()]
    .flat()
    .map((outcome) => findingView(outcome, 'result', outcome));
  return { findings: [...treeFindings, ...resultFindings], failure };
}

function keyOf({ rule, file, at, message }: Finding): string {
  return [rule, file.path, at, message].join('\0');
}

function findingView(finding: Finding, of: FindingView['of'], outcome: Outcome | undefined): FindingView {
  const { rule, file, at, level, safety, message, group, edits } = finding;
  const { document, name } = file;
  return {
    rule,
    path: name,
    ...document.positionAt(at),
    level,
    safety,
    message,
    group,
    of,
    edits: edits.map(({ start, end, text }) => ({
      start,
      end,
      line: document.positionAt(start).line,
      before: document.text.slice(start, end),
      after: text,
    })),
    status: outcome?.status ?? 'dropped',
    why: outcome?.why ?? outcome?.ignored,
  };
}

const BECAME: Readonly<Record<FindingView['status'], string>> = {
  applied: 'applied',
  none: 'nothing to apply',
  'not-applied': 'not applied',
  ignored: 'left alone',
  dropped: 'gone once the others are applied',
};

/** For people. A byte string. */
export function findingsText({ findings, failure }: FindingsView): string {
  const lines = [
    ...findings.flatMap(findingLines),
    ...(findings.length === 0 ? ['the rules find nothing'] : []),
    ...(failure === undefined ? [] : [`nothing is planned: ${failure}`]),
  ];
  return lines.map((line) => `${oneLine(line)}\n`).join('');
}

function findingLines(view: FindingView): string[] {
  const { rule, path, line, column, level, safety, message, group, of, edits, status, why } = view;
  return [
    `${path}:${line}:${column}: ${level}, ${safety} [${rule}]${of === 'result' ? ', of the result' : ''}`,
    `  says:   ${message}`,
    ...edits.map((edit) => `  edit:   line ${edit.line}, bytes ${edit.start}-${edit.end}: ${shown(edit.before)} becomes ${shown(edit.after)}`), // prettier-ignore
    ...(group === undefined ? [] : [`  group:  ${group}`]),
    `  became: ${BECAME[status]}${why === undefined ? '' : `: ${why}`}`,
  ];
}

function shown(text: string): string {
  return text === '' ? 'nothing' : JSON.stringify(text);
}
