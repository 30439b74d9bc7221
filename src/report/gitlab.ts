import type { Level, Outcome } from '../engine/types';
import { decode, jsonBytes } from './encoding';
import { diffPath } from './diff';
import {
  needsPerson,
  type ReportedRun,
  addedText,
  findingsWithLog,
  isBlocker,
  LOG_RULE,
  stateOf,
  stateWord,
} from './content';

export interface GitLabOptions {
  /** The working directory, absolute: paths are relative to it, which is to be the top of the repository. */
  readonly cwd: string;
  /** A hash of a byte string. */
  readonly hash: (bytes: string) => string;
  /** Why the run could not be done, a line each: byte strings. */
  readonly trouble?: readonly string[];
}

const SEVERITIES: Readonly<Record<Level, string>> = { error: 'critical', warning: 'major', info: 'minor' };

/**
 * The findings as GitLab's code quality report (an array of issues, each with description, check_name, fingerprint, severity and
 * location), in UTF-8, as a byte string. What a person need not look at is `info`. A fingerprint does not hold the line's number,
 * so that GitLab knows a finding again when lines before it come and go.
 */
export function gitlabReport(result: ReportedRun, { cwd, hash, trouble = [] }: GitLabOptions): string {
  const known = new Map<string, number>();
  const fingerprint = (parts: readonly string[]): string => {
    const text = parts.join('\0');
    const count = known.get(text) ?? 0;
    known.set(text, count + 1);
    return hash(`${text}\0${count}`);
  };
  const issues = findingsWithLog(result)
    .filter((outcome) => stateOf(outcome) !== 'ignored')
    .map((outcome) => {
      const { rule, file, at, message } = outcome;
      const { line } = file.document.positionAt(at);
      const path = diffPath(file.path, cwd);
      return {
        description: decode(`${message}${addedText(outcome)} (${stateWord(outcome)})`),
        check_name: decode(rule),
        fingerprint: fingerprint([
          rule,
          path,
          rule === LOG_RULE ? message.replace(/[0-9,]+ requests?/, '') : message,
        ]),
        severity: severityOf(outcome),
        location: { path: decode(path), lines: { begin: line } },
      };
    });
  const troubles = trouble.map((message) => ({
    description: decode(message),
    check_name: 'trouble',
    fingerprint: fingerprint(['trouble', message]),
    severity: 'blocker',
    // A place is required, and there is none.
    location: { path: 'httpd-codemod', lines: { begin: 1 } },
  }));
  return jsonBytes([...issues, ...troubles]);
}

function severityOf(outcome: Outcome): string {
  if (isBlocker(outcome)) return 'blocker';
  return needsPerson(outcome) || outcome.status === 'applied' ? SEVERITIES[outcome.level] : 'info';
}
