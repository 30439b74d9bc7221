import type { ConfigFile } from '../../config';
import { type Edit, keepLineEnd, overlaps } from '../../edit';
import { joinedLine, sameLinesInBothVersions } from '../../syntax';
import type { Finding } from '../types';
import { getOrInsert } from '../../maps';

interface PlacedEdit {
  readonly edit: Edit;
  readonly finding: Finding;
  readonly order: number;
}

/**
 * Goes through the places where findings overlap, in the order of the files, and passes the later finding of each to `refuse`.
 * What that refuses, others of the same group among it, frees its places at once.
 * @param findings those whose edits are to be applied
 * @param refuse returns the findings that are no longer applied: at least `later`
 */
export function refuseOverlapping(
  findings: readonly Finding[],
  refuse: (later: Finding, earlier: Finding) => readonly Finding[],
): void {
  const entries = placedEditsOf(findings);
  const refused = new Set<Finding>();
  for (let i = 0; i < entries.length; i++) {
    const a = entries[i]!;
    // Not the next alone: a removal may lie inside another, and what follows it in there overlaps the outer one.
    for (let n = i + 1; n < entries.length && !refused.has(a.finding); n++) {
      const b = entries[n]!;
      if (b.finding.file !== a.finding.file || b.edit.start >= a.edit.end) break;
      if (refused.has(b.finding) || !isOverlap(a, b)) continue;
      const [earlier, later] = a.order < b.order ? [a, b] : [b, a];
      for (const finding of refuse(later.finding, earlier.finding)) refused.add(finding);
    }
  }
}

function isOverlap(a: PlacedEdit, b: PlacedEdit): boolean {
  return a.finding !== b.finding && overlaps(a.edit, b.edit);
}

/** All edits, file by file and from top to bottom. */
function placedEditsOf(findings: readonly Finding[]): readonly PlacedEdit[] {
  const byFile = new Map<ConfigFile, PlacedEdit[]>();
  findings.forEach((finding, order) => {
    if (finding.edits.length === 0) return;
    const list = getOrInsert(byFile, finding.file, () => []);
    for (const edit of finding.edits)
      if (edit.outdent !== true)
        list.push({ edit: keepLineEnd(finding.file.document.text, edit), order, finding });
  });
  const all: PlacedEdit[] = [];
  for (const list of byFile.values()) {
    list.sort((a, b) => a.edit.start - b.edit.start || a.edit.end - b.edit.end);
    for (const entry of list) all.push(entry);
  }
  return all;
}

/** A line end that 2.2 reads as one and 2.4 does not: there the line goes on with the next. */
const JOINED_BY_24 = /\\\\(\r?\n)/g;

/**
 * Passes to `refuse` what would change a line that 2.4 joins with the one above, as long as nothing parts the two: what 2.4 reads
 * there is not what the edits are made for (server/util.c: ap_cfg_getline). Where it refuses an edit that parts two lines above,
 * it is to be asked again.
 * @param findings those whose edits are to be applied
 * @param refuse as for {@link refuseOverlapping}
 */
export function refuseJoined(
  findings: readonly Finding[],
  refuse: (finding: Finding) => readonly Finding[],
): void {
  const byFile = new Map<ConfigFile, Finding[] | undefined>();
  for (const finding of findings) {
    const { file, edits } = finding;
    if (edits.length === 0) continue;
    if (!byFile.has(file)) byFile.set(file, sameLinesInBothVersions(file.document.text) ? undefined : []);
    byFile.get(file)?.push(finding);
  }
  const refused = new Set<Finding>();
  for (const [{ document }, found] of byFile) {
    if (found === undefined) continue;
    const entries = placedEditsOf(found);
    let at = 0;
    /** How far the edits above reach. */
    let reached = 0;
    for (const { index, 0: end } of document.text.matchAll(JOINED_BY_24)) {
      const start = index + end.length;
      for (; at < entries.length && entries[at]!.edit.start < start; at++)
        if (!refused.has(entries[at]!.finding)) reached = Math.max(reached, entries[at]!.edit.end);
      if (reached > index) continue;
      const newline = document.text.indexOf('\n', joinedLine(document.text, index + 2));
      const until = newline < 0 ? document.text.length : newline;
      for (let i = at; i < entries.length && entries[i]!.edit.start <= until; i++) {
        const { finding } = entries[i]!;
        const others = refused.has(finding) ? [] : refuse(finding);
        for (const other of others) refused.add(other);
      }
    }
  }
}
