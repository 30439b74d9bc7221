import type { Problem } from '../config';
import type { Finding } from './types';

/** What the reading of the tree noticed, as findings. */
export function problemFinding(problem: Problem): Finding {
  const { code, file, at, message } = problem;
  const level = code === 'overlong-line' || code === 'include-unresolved' ? 'warning' : 'error';
  return {
    rule: code.startsWith('include') ? 'include' : 'syntax',
    file,
    at,
    level,
    safety: 'manual',
    message,
    edits: [],
  };
}
