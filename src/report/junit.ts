import type { ConfigFile } from '../config/types';
import type { Outcome } from '../engine/types';
import { encode, escapeMarkup, shownText } from './encoding';
import { type ReportedRun, LOG_RULE, addedText, findingsWithLog, stateWord } from './content';
import { addTo } from '../maps';

export interface JUnitOptions {
  /** The findings for which the exit status is 1: the cases that fail, as does what the requests of a log show. */
  readonly open: ReadonlySet<Outcome>;
  /** Why the run could not be done, a line each: byte strings. */
  readonly trouble?: readonly string[];
}

interface TestCase {
  readonly name: string;
  readonly result?: {
    readonly kind: 'failure' | 'error' | 'skipped';
    readonly type: string;
    readonly message: string;
  };
}

/**
 * The run as a JUnit report, the form that Jenkins publishes a schema of (junit-10.xsd): a suite a file, a case a finding, in
 * UTF-8, as a byte string. A file without findings is a case that passes.
 */
export function junitReport(result: ReportedRun, { open, trouble = [] }: JUnitOptions): string {
  const byFile = new Map<ConfigFile, TestCase[]>(result.tree.files.map((file) => [file, []]));
  for (const outcome of findingsWithLog(result)) {
    addTo(byFile, outcome.file, caseOf(outcome, open));
  }
  const suites: (readonly [name: string, cases: readonly TestCase[]])[] = [...byFile].map(
    ([{ name }, cases]) => [name, cases.length > 0 ? cases : [{ name: 'nothing found' }]],
  );
  if (trouble.length > 0)
    suites.push([
      'httpd-codemod',
      trouble.map((message) => ({ name: 'run', result: { kind: 'error', type: 'trouble', message } })),
    ]);
  const all = suites.flatMap(([, cases]) => cases);
  return encode(
    `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites name="httpd-codemod" ${counts(all)}>\n${suites.map(suiteText).join('')}</testsuites>\n`,
  );
}

function caseOf(outcome: Outcome, open: JUnitOptions['open']): TestCase {
  const { file, at, rule, level, status, why = '' } = outcome;
  const name = `${rule}, line ${file.document.positionAt(at).line} (${stateWord(outcome)})`;
  if (status === 'ignored') return { name, result: { kind: 'skipped', type: 'ignored', message: why } };
  const isShown = rule === LOG_RULE && level !== 'info';
  if (!open.has(outcome) && !isShown) return { name };
  const message = outcome.message + addedText(outcome);
  return { name, result: { kind: 'failure', type: level, message } };
}

function suiteText([name, cases]: readonly [name: string, cases: readonly TestCase[]]): string {
  const skipped = cases.filter((entry) => entry.result?.kind === 'skipped').length;
  const lines = cases.map((entry) => {
    const open = `    <testcase name="${xml(entry.name)}" classname="${xml(name)}"`;
    if (entry.result === undefined) return `${open}/>\n`;
    const { kind, type, message } = entry.result;
    return `${open}>\n      <${kind} type="${xml(type)}" message="${xml(message)}"/>\n    </testcase>\n`;
  });
  return `  <testsuite name="${xml(name)}" ${counts(cases)} skipped="${skipped}">\n${lines.join('')}  </testsuite>\n`;
}

function counts(cases: readonly TestCase[]): string {
  const number = (kind: string): number => cases.filter((entry) => entry.result?.kind === kind).length;
  return `tests="${cases.length}" failures="${number('failure')}" errors="${number('error')}"`;
}

/** A byte string as XML: XML 1.0 has no way to write a control character, or the last two of a plane. */
function xml(bytes: string): string {
  return escapeMarkup(shownText(bytes).replace(/[\ufffe\uffff]/g, '\ufffd'));
}
