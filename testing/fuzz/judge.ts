import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { SourceError } from '../../src/config';
import { applyEdits } from '../../src/edit';
import type { RunResult } from '../../src/engine';
import { leaves, parse } from '../../src/syntax';
import { convertFiles } from '../run/convert';
import type { FuzzCase } from './generate';

/** What can be wrong with a case. */
export type FailureKind =
  'throws' | 'internal error' | 'refuses itself' | 'loses bytes' | 'not idempotent' | 'slow' | 'large';

export interface FuzzFailure {
  readonly kind: FailureKind;
  readonly text: string;
}

/** Seconds of the processor for each megabyte, and for a small case, which may also be the first of its kind. */
const SECONDS_PER_MB = 1;
const SECONDS = 3;
const MAX_BYTES = 500e6;
/** Memory of a process that has loaded the product and done nothing. */
const EMPTY_BYTES = 100e6;

function collectGarbage(): void {
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
}

/** Runs a case, and again over its result. @returns undefined where nothing is wrong */
export function judge(made: FuzzCase): FuzzFailure | undefined {
  const { files, options, defines } = made;
  try {
    const before = process.cpuUsage();
    const result = convertFiles(files, ['/'], options, defines);
    const used = process.cpuUsage(before);
    const seconds = (used.user + used.system) / 1e6;
    const size = Object.values(files).reduce((sum, text) => sum + text.length, 0);
    const flaw = flawOf(result);
    if (flaw !== undefined) return flaw;
    const lost = lostBytes(result);
    if (lost !== undefined) return { kind: 'loses bytes', text: lost };
    if (seconds > SECONDS + (SECONDS_PER_MB * size) / 1e6)
      return { kind: 'slow', text: `${seconds.toFixed(1)} s for ${size} bytes` };
    // What cases before have left is not this one's: it is run again on a heap without that.
    if (process.memoryUsage().rss > MAX_BYTES) {
      collectGarbage();
      const left = process.memoryUsage().rss;
      convertFiles(files, ['/'], options, defines);
      const taken = process.memoryUsage().rss - Math.max(0, left - EMPTY_BYTES);
      if (taken > MAX_BYTES) return { kind: 'large', text: `${Math.round(taken / 1e6)} MB` };
    }
    return againOver(made, result);
  } catch (error) {
    // A directory without configuration is a word to the user, and no exception.
    if (error instanceof SourceError && error.code === 'ENOCONFIG') return undefined;
    return { kind: 'throws', text: error instanceof Error ? String(error.stack) : String(error) };
  }
}

function flawOf({ failure, outcomes }: RunResult): FuzzFailure | undefined {
  if (failure === undefined) return undefined;
  const trouble = outcomes.find(({ cause }) => cause !== undefined)?.cause;
  return trouble instanceof Error
    ? { kind: 'internal error', text: String(trouble.stack) }
    : { kind: 'refuses itself', text: failure };
}

/** Where the new text is not the old one with its edits, or the leaves of a document do not tile its text. */
function lostBytes({ plan, tree }: RunResult): string | undefined {
  for (const { file, edits, text } of plan) {
    if (applyEdits(file.document.text, edits) !== text)
      return `${file.path}: not the text that the edits make`;
    if (!tiles(text)) return `${file.path}: the leaves of the new text do not tile it`;
  }
  const untiled = tree.files.find(({ document }) => !tiles(document.text));
  return untiled && `${untiled.path}: the leaves do not tile the text`;
}

function tiles(text: string): boolean {
  let at = 0;
  for (const { start, end } of leaves(parse(text))) {
    if (start !== at) return false;
    at = end;
  }
  return at === text.length;
}

function againOver({ files, options, defines }: FuzzCase, first: RunResult): FuzzFailure | undefined {
  if (first.plan.length === 0) return undefined;
  const texts = { ...files, ...Object.fromEntries(first.plan.map(({ file, text }) => [file.path, text])) };
  const [change] = convertFiles(texts, ['/'], options, defines).plan;
  if (change === undefined) return undefined;
  const { file, edits } = change;
  const { line } = file.document.positionAt(edits[0]?.start ?? 0);
  return { kind: 'not idempotent', text: `${file.path}:${line} changes again` };
}
