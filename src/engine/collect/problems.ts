import { type ConfigFile, type Problem, isIncludeProblem } from '../../config';
import type { Finding, Task } from '../types';

/** What the engine's own findings have in place of the id of a rule. */
export const CHECK_IDS: readonly string[] = ['include', 'syntax', 'ignore', 'write'];

/** What a person does about a problem whose message does not say so. */
const REMEDIES: Readonly<Partial<Record<Problem['code'], string>>> = {
  'include-missing':
    'give the file in this run, at the place that the line names or below --server-root; if the server has none either, remove the line',
  'include-optional-missing': 'nothing, if the server has none either; else give the file in this run',
  'stray-line': 'mend the line; if the file is a template, convert the file that is made from it',
  'unclosed-section': 'close the section where it ends, or remove the line that opens it',
  'overlong-line': 'write it as several lines that mean the same, each shorter',
};

const FILES_NOT_HERE: Task = {
  text: 'give the files that these Include lines name, or remove the lines',
  option: 'FILES',
};

/** What the reading of the tree noticed, as findings. */
export function problemFinding(problem: Problem): Finding {
  const { code, file, at, message, fatal = false } = problem;
  const isInclude = isIncludeProblem(problem);
  // A file that is missing here may be in its place on the server: the run goes on without it, and says so.
  // 2.4 reads such a line of the server's own files (server/config.c: lower limit for .htaccess).
  const readable = code === 'overlong-line' && file.role !== 'htaccess';
  const isWarning = readable || (isInclude && !fatal);
  return {
    rule: isInclude ? 'include' : 'syntax',
    file,
    at,
    level: isWarning ? 'warning' : 'error',
    safety: 'manual',
    message,
    ...(REMEDIES[code] !== undefined && { remedy: REMEDIES[code] }),
    ...(code.endsWith('-missing') && { task: FILES_NOT_HERE }),
    edits: [],
    ...(readable ? {} : { unread: true }),
  };
}

/** A file or directory that could not be read. What can meet what it says is left as it is. */
export function unreadFinding(file: ConfigFile, message: string): Finding {
  return {
    rule: 'include',
    file,
    at: 0,
    level: 'error',
    safety: 'manual',
    message: `cannot be read: ${message}; it is left as it is`,
    edits: [],
    unread: true,
  };
}

/** A file that has changes and cannot be written. */
export function unwritableFinding(file: ConfigFile, message: string): Finding {
  return {
    rule: 'write',
    file,
    at: 0,
    level: 'error',
    safety: 'manual',
    message: `cannot be written: ${message}; it is left as it is`,
    edits: [],
  };
}

/** A file that looks like configuration but that nothing of the run includes: converted, and named. */
export function unreachedFinding(file: ConfigFile): Finding {
  return {
    rule: 'include',
    file,
    at: 0,
    level: 'info',
    safety: 'safe',
    message: 'nothing in this run includes this file: it is converted on its own',
    edits: [],
  };
}
