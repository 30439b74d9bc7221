import type { ConfigFile } from '../../config/types';
import type { Level, Outcome, RunResult } from '../../engine/types';

/** What a document tells of a run. */
export interface ReportedRun extends Pick<RunResult, 'outcomes' | 'plan' | 'unmet' | 'leftAlone'> {
  readonly tree: Pick<RunResult['tree'], 'files' | 'unvisited' | 'tops'>;
}

/** A run that had nothing to read, or did not come so far. */
export const NOTHING: ReportedRun = { outcomes: [], plan: [], tree: { files: [], unvisited: [], tops: [] } };

/** True for a finding that is still open: a person must read it and act. */
export function needsPerson(outcome: Outcome): boolean {
  if (outcome.status === 'ignored' || outcome.declined === true || outcome.accepted !== undefined) return false; // prettier-ignore
  return outcome.safety === 'manual' || outcome.safety === 'strict' || outcome.status === 'not-applied';
}

/** All findings in the order of the files of the tree, then of their positions. */
export function sortedOutcomes(result: ReportedRun): Outcome[] {
  const lists = new Map<ConfigFile, Outcome[]>();
  for (const file of result.tree.files) lists.set(file, []);
  const others: Outcome[] = [];
  for (const outcome of result.outcomes) (lists.get(outcome.file) ?? others).push(outcome);
  const all: Outcome[] = [];
  for (const list of [...lists.values(), others])
    for (const outcome of list.sort((a, b) => a.at - b.at)) all.push(outcome);
  return all;
}

export function countLevels(outcomes: readonly Outcome[]): Record<Level, number> {
  const counts = { error: 0, warning: 0, info: 0 };
  for (const { level } of outcomes) counts[level]++;
  return counts;
}

/** A finding for a person to read, with those that say the same. */
export interface MergedFinding {
  readonly outcome: Outcome;
  /** How many findings they are together. */
  readonly count: number;
  /** Where else: `lines 5 and 9`, `a.conf:3, b.conf:7 and 3 more files`; empty where nowhere. */
  readonly otherPlaces: string;
}

const MANY = 5;

/**
 * Merges findings that say the same under the first of their places: a message repeated forty times would hide the others.
 * @param outcomes in the order of the report
 */
export function mergeEqualFindings(outcomes: readonly Outcome[]): MergedFinding[] {
  const groups: Outcome[][] = [];
  // Few findings have the same text and differ otherwise.
  const byMessage = new Map<string, Outcome[][]>();
  for (const outcome of outcomes) {
    const text = outcome.why === undefined ? outcome.message : `${outcome.message}\n${outcome.why}`;
    let sameText = byMessage.get(text);
    if (sameText === undefined) byMessage.set(text, (sameText = []));
    let group = sameText.find((known) => isEqualFinding(known[0]!, outcome));
    if (group === undefined) {
      sameText.push((group = []));
      groups.push(group);
    }
    group.push(outcome);
  }
  return groups.map((group) => ({
    outcome: group[0]!,
    count: group.length,
    otherPlaces: group.length === 1 ? '' : otherPlacesOf(group),
  }));
}

/** Whether two findings with the same text differ only in their place. */
function isEqualFinding(a: Outcome, b: Outcome): boolean {
  return a.rule === b.rule && a.level === b.level && a.safety === b.safety && a.status === b.status;
}

function otherPlacesOf([first, ...others]: readonly Outcome[]): string {
  const lines = new Set<string>();
  const files = new Map<string, number>();
  for (const { file, at } of others)
    if (file === first!.file) lines.add(String(file.document.positionAt(at).line));
    else if (!files.has(file.name)) files.set(file.name, file.document.positionAt(at).line);
  lines.delete(String(first!.file.document.positionAt(first!.at).line));
  const parts = [
    lines.size === 0 ? [] : `${lines.size === 1 ? 'line' : 'lines'} ${joinWords([...lines], '')}`,
    files.size === 0
      ? []
      : joinWords(
          [...files].map(([name, line]) => `${name}:${line}`),
          files.size - MANY === 1 ? ' file' : ' files',
        ),
  ].flat();
  return parts.join(', ');
}

function joinWords(words: readonly string[], noun: string): string {
  if (words.length === 1) return words[0]!;
  const shown = words.length > MANY ? words.slice(0, MANY) : words.slice(0, -1);
  const last = words.length > MANY ? `${words.length - MANY} more${noun}` : words.at(-1)!;
  return `${shown.join(', ')} and ${last}`;
}
