import { groupBy } from '../maps';
import type { HostFile, HostQuestion, HostReport, HostStatus } from './types';

/** The fields of a report in JSON that a merge looks at, see docs/schemas/report.schema.json. */
interface ReportFields {
  readonly version: number;
  readonly files?: readonly { readonly path: string; readonly sha256?: unknown }[];
  readonly tasks?: readonly {
    readonly text: string;
    readonly blocker: boolean;
    readonly findings: readonly number[];
  }[];
  readonly findings: readonly {
    readonly rule: string;
    readonly path: string;
    readonly line: number;
    readonly status: string;
    readonly state: string;
    readonly blocker: boolean;
    readonly message: string;
    readonly edits?: unknown;
  }[];
  readonly assumptions?: readonly {
    readonly key: string;
    readonly text: string;
    readonly findings: number;
  }[];
  readonly summary: { readonly changes: number; readonly toReview: number; readonly blockers: number };
  readonly trouble?: readonly string[];
  readonly exitStatus: number;
}

/**
 * Reads a report of one host, and keeps of it what a merge needs: a thousand reports do not fit into memory.
 * @param path as given: the name of the file is that of the host, its directory the group
 * @param text JSON, decoded
 * @param hash a fingerprint of a text
 * @throws Error with a line for a person where it is no report
 */
export function hostOf(path: string, text: string, hash: (text: string) => string): HostReport {
  const report = reportIn(text);
  const parts = path.split('/').filter((part) => part !== '' && part !== '.');
  const [name = '', group = ''] = [parts.at(-1), parts.at(-2)];
  const { assumptions = [], summary, trouble = [] } = report;
  return {
    name: name.replace(/\.json$/, ''),
    group,
    status: statusOf(report),
    changes: summary.changes,
    blockers: summary.blockers,
    trouble,
    questions: questionsOf(report),
    assumptions: assumptions.map(({ key, text: about, findings: count }) => ({
      key,
      text: about,
      findings: count,
    })),
    files: filesOf(report, hash),
  };
}

/** The files that a run read, and those that its findings name. */
function filesOf(
  { files = [], findings }: ReportFields,
  hash: (text: string) => string,
): HostReport['files'] {
  const found = groupBy(findings, ({ path }) => path);
  const texts = new Map(files.map(({ path, sha256 }) => [path, sha256]));
  return new Map(
    [...new Set([...texts.keys(), ...found.keys()])].map((path): [string, HostFile] => {
      const results = (found.get(path) ?? []).map(({ rule, line, status, message, edits }) => [
        rule,
        line,
        status,
        message,
        edits,
      ]);
      const text = texts.get(path);
      return [
        path,
        {
          result: results.length === 0 ? '' : hash(JSON.stringify(results)),
          text: typeof text === 'string' ? text : undefined,
        },
      ];
    }),
  );
}

function reportIn(text: string): ReportFields {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new Error('no JSON');
  }
  const version = (value as { version?: unknown } | null)?.version;
  if (!isReport(value)) throw new Error('no report of httpd-codemod --format json');
  if (version !== 1)
    throw new Error(`a report of version ${String(version)}, which this release does not know`);
  return value;
}

const FINDING = {
  rule: 'string',
  path: 'string',
  line: 'number',
  status: 'string',
  state: 'string',
  blocker: 'boolean',
  message: 'string',
} as const;

/** Whether all that a merge looks at is there, and of its kind: what is printed of it is a text or a number. */
function isReport(value: unknown): value is ReportFields {
  if (!isObject(value)) return false;
  const { files = [], findings, tasks = [], assumptions = [], trouble = [], summary, exitStatus } = value;
  const { changes, toReview, blockers } = isObject(summary) ? summary : {};
  return (
    [changes, toReview, blockers, exitStatus].every(isNumber) &&
    isListOf(trouble, (line) => typeof line === 'string') &&
    isListOf(files, (item) => isOf(item, { path: 'string' })) &&
    isListOf(findings, (item) => isOf(item, FINDING)) &&
    isListOf(
      tasks,
      (item) =>
        isOf(item, { text: 'string', blocker: 'boolean' }) &&
        isListOf((item as { findings?: unknown }).findings, isNumber),
    ) &&
    isListOf(assumptions, (item) => isOf(item, { key: 'string', text: 'string', findings: 'number' }))
  );
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isNumber = (value: unknown): value is number => typeof value === 'number';

/** @param kinds field → what `typeof` says of it */
const isOf = (value: unknown, kinds: Readonly<Record<string, string>>): boolean =>
  isObject(value) && Object.entries(kinds).every(([name, kind]) => typeof value[name] === kind);

const isListOf = (value: unknown, isItem: (item: unknown) => boolean): boolean =>
  Array.isArray(value) && value.every((item) => isItem(item));

function statusOf({ summary, findings, trouble, exitStatus }: ReportFields): HostStatus {
  if (trouble !== undefined || exitStatus === 2) return 'failed';
  if (summary.blockers > 0 || findings.some(({ blocker }) => blocker)) return 'blocked';
  if (summary.toReview > 0 || findings.some(({ state }) => state === 'open')) return 'questions';
  return summary.changes > 0 || exitStatus !== 0 ? 'ready' : 'done';
}

/** The tasks that ask a person, not the steps that follow. */
function questionsOf({ tasks = [], findings }: ReportFields): readonly HostQuestion[] {
  return tasks.flatMap(({ text, blocker, findings: numbers }) => {
    const about = numbers.flatMap((number) => findings[number] ?? []);
    if (!blocker && !about.some(({ state }) => state === 'open' || state === 'review')) return [];
    return [
      {
        text,
        rules: [...new Set(about.map(({ rule }) => rule))],
        isBlocker: blocker,
        places: about.map(({ path, line }) => `${path}:${line}`),
      },
    ];
  });
}
