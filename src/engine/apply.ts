import type { ConfigFile } from '../config';
import { type Edit, applyEdits, dropLineEnd, keepLineEnd, overlaps } from '../edit';
import type { Change, Finding, Outcome, RunOptions } from './types';

/**
 * Decides which findings' edits are applied: a finding's edits all or none, a group's findings all or none, and where two findings
 * overlap the later one is reported as not applied.
 * @param takenBack groups not to apply, with the reason
 * @param withheld findings not to apply, with the reason
 */
export function applyFindings(
  findings: readonly Finding[],
  options: RunOptions,
  takenBack: ReadonlyMap<string, string> = new Map(),
  withheld: ReadonlyMap<Finding, string> = new Map(),
): { outcomes: Outcome[]; plan: Change[] } {
  const refusedGroups = new Map<string, string>(takenBack);
  const refused = new Map<Finding, string>();
  const refuse = (finding: Finding, why: string): void => {
    refused.set(finding, why);
    if (finding.group !== undefined && !refusedGroups.has(finding.group))
      refusedGroups.set(finding.group, why);
  };
  for (const finding of findings)
    if (finding.ignored !== undefined)
      refuse(finding, `it goes together with what is left alone: ${finding.ignored}`);
  for (const finding of findings)
    if (finding.edits.length > 0 && finding.file.outside !== undefined) refuse(finding, finding.file.outside);
  for (const [finding, why] of withheld) refuse(finding, why);
  if (options.safeOnly)
    for (const finding of findings)
      if (finding.edits.length > 0 && finding.safety !== 'safe')
        refuse(finding, 'not proven safe, and only safe rewrites were asked for');
  // A refusal can take a group with it, which frees its places again: settle overlaps until nothing changes.
  for (let before = -1; before !== refused.size;) {
    before = refused.size;
    for (const finding of findings) {
      const why = finding.group === undefined ? undefined : refusedGroups.get(finding.group);
      if (why !== undefined && !refused.has(finding) && finding.edits.length > 0) refused.set(finding, why);
    }
    const clash = firstClash(findings.filter((finding) => !refused.has(finding)));
    if (clash !== undefined) refuse(clash[1], `it overlaps a change of ${clash[0].rule}`);
  }
  const edits = new Map<ConfigFile, Edit[]>();
  const outcomes = findings.map((finding): Outcome => {
    if (finding.ignored !== undefined) return { ...finding, status: 'ignored', why: finding.ignored };
    if (finding.edits.length === 0) return { ...finding, status: 'none' };
    const why = refused.get(finding);
    if (why !== undefined) return { ...finding, status: 'not-applied', why };
    let list = edits.get(finding.file);
    if (list === undefined) edits.set(finding.file, (list = []));
    for (const edit of finding.edits) list.push(keepLineEnd(finding.file.document.text, edit));
    return { ...finding, status: 'applied' };
  });
  const plan = [...edits]
    .map(([file, list]) => {
      const settled = dropLineEnd(file.document.text, list);
      return { file, edits: settled, text: applyEdits(file.document.text, settled) };
    })
    .filter((change) => change.text !== change.file.document.text);
  return { outcomes, plan };
}

/** The first two findings whose edits overlap, the later of them second. */
function firstClash(findings: readonly Finding[]): [Finding, Finding] | undefined {
  const byFile = new Map<ConfigFile, { edit: Edit; order: number; finding: Finding }[]>();
  findings.forEach((finding, order) => {
    for (const one of finding.edits) {
      const edit = keepLineEnd(finding.file.document.text, one);
      const list = byFile.get(finding.file);
      const entry = { edit, order, finding };
      if (list === undefined) byFile.set(finding.file, [entry]);
      else list.push(entry);
    }
  });
  for (const list of byFile.values()) {
    list.sort((a, b) => a.edit.start - b.edit.start || a.edit.end - b.edit.end);
    for (let i = 1; i < list.length; i++) {
      const [a, b] = [list[i - 1]!, list[i]!];
      if (a.finding !== b.finding && overlaps(a.edit, b.edit))
        return a.order < b.order ? [a.finding, b.finding] : [b.finding, a.finding];
    }
  }
  return undefined;
}
