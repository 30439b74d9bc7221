import type { EditorFinding } from '../../../lsp/types';
import { memo } from '../../../maps';

/** A text, and what was found in it. */
export interface FoundIn {
  readonly text: string;
  readonly findings: readonly EditorFinding[];
}

/** What was found in each file, by its path. */
export type FoundInFiles = ReadonlyMap<string, FoundIn>;

/** What the checks of a run have made of its findings in a file, as `text` was then. */
interface ChangedIn {
  readonly text: string;
  readonly added: readonly EditorFinding[];
  readonly gone: readonly EditorFinding[];
}

/** By the path of the file. */
export type ChangedByChecks = ReadonlyMap<string, ChangedIn>;

const NONE: FoundIn = { text: '', findings: [] };

/** What the checks have changed in what the rules had found. */
export function changedByChecks(before: FoundInFiles, checked: FoundInFiles): ChangedByChecks {
  const changed = new Map<string, ChangedIn>();
  for (const [path, { text, findings }] of checked) {
    const known = before.get(path) ?? NONE;
    const [added, gone] = [without(findings, known.findings), without(known.findings, findings)];
    if (added.length + gone.length > 0) changed.set(path, { text, added, gone });
  }
  return changed;
}

/** What checks are likely to make of the findings: what they made last time, but for lines that have changed since. */
export function likelyAfterChecks(found: FoundInFiles, last: ChangedByChecks): FoundInFiles {
  return new Map(
    [...found].map(([path, { text, findings }]) => {
      const changed = last.get(path);
      if (changed === undefined) return [path, { text, findings }];
      const move = mover(changed.text, text);
      const likely = [...without(findings, changed.gone.flatMap(move)), ...changed.added.flatMap(move)];
      return [path, { text, findings: likely }];
    }),
  );
}

function without(findings: readonly EditorFinding[], others: readonly EditorFinding[]): EditorFinding[] {
  const known = new Set(others.map(textOfFinding));
  return findings.filter((finding) => !known.has(textOfFinding(finding)));
}

const textOfFinding = memo((finding: EditorFinding) => JSON.stringify(finding));

/** The findings in a text as they stand in the same text after a change; not those of lines that have changed. */
export function moveFindings({ text: old, findings }: FoundIn, text: string): readonly EditorFinding[] {
  return findings.flatMap(mover(old, text));
}

/** What of a text is another in a later one: `[start, oldEnd)` of the old text and `[start, end)` of the new one. */
export function changeBetween(
  old: string,
  text: string,
): { readonly start: number; readonly oldEnd: number; readonly end: number } {
  const most = Math.min(old.length, text.length);
  let start = 0;
  while (start < most && old[start] === text[start]) start++;
  let back = 0;
  while (back < most - start && old[old.length - 1 - back] === text[text.length - 1 - back]) back++;
  return { start, oldEnd: old.length - back, end: text.length - back };
}

/** Where a finding stands in a text that has changed since; nowhere if its own lines have. */
function mover(old: string, text: string): (finding: EditorFinding) => readonly EditorFinding[] {
  if (old === text) return (finding) => [finding];
  const { start, oldEnd, end } = changeBetween(old, text);
  const first = endsIn(old.slice(0, start));
  const last = first + endsIn(old.slice(start, oldEnd));
  const by = first + endsIn(text.slice(start, end)) - last;
  return (finding) => {
    const { start: from, end: to } = finding.range;
    if (to.line < first) return [finding];
    if (from.line <= last) return [];
    const moved = (at: typeof from): typeof from => ({ ...at, line: at.line + by });
    return [{ ...finding, range: { start: moved(from), end: moved(to) } }];
  };
}

function endsIn(text: string): number {
  return text.match(/\r\n|\n|\r/g)?.length ?? 0;
}
