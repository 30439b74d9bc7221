import type { ConfigFile } from '../../config';
import { type Edit, applyEdits, dropLineEnd, keepLineEnd, resolveOutdents } from '../../edit';
import { addTo, getOrInsert } from '../../maps';
import { appendAll } from '../../syntax';
import { answeredNo } from '../wanted';
import { refuseJoined, refuseOverlapping } from './overlaps';
import { emptiedSections, remainingEdits, spanContaining } from './emptied-sections';
import { type Reason, reasonText, remedyText, taskFor } from './reasons';
import type { Change, Finding, Outcome, AttemptOptions } from '../types';

/**
 * Decides which findings' edits are applied: a finding's edits all or none, a group's findings all or none, and where two
 * findings overlap the later one is reported as not applied. What needs a group goes with it.
 * @param takenBack groups not to apply, with the reason
 * @param withheld findings not to apply, with the reason
 */
export function applyFindings(
  findings: readonly Finding[],
  options: AttemptOptions,
  takenBack: ReadonlyMap<string, Reason> = new Map(),
  withheld: ReadonlyMap<Finding, Reason> = new Map(),
): { outcomes: Outcome[]; plan: Change[] } {
  const refusedGroups = new Map<string, Reason>(takenBack);
  const refused = new Map<Finding, Reason>();
  const refuse: Refuse = (finding, reason) => {
    refused.set(finding, reason);
    if (finding.group !== undefined && !refusedGroups.has(finding.group))
      refusedGroups.set(finding.group, reasonForGroup(finding, reason));
  };
  refuseLeftAlone(findings, options, refuse);
  refuseByChecks(findings, options, refuse);
  for (const [finding, reason] of withheld) refuse(finding, reason);
  refuseInexact(findings, options, refuse);
  refuseDeclined(findings, options, refused, refusedGroups);
  const members = new Map<string, Finding[]>();
  for (const finding of findings) {
    if (finding.edits.length === 0) continue;
    if (finding.group !== undefined) addTo(members, finding.group, finding);
    for (const group of finding.needs ?? []) addTo(members, group, finding);
  }
  /** Refuses the rest of a group. @returns the findings that this adds */
  const refuseGroup = (group: string): readonly Finding[] => {
    const rest = (members.get(group) ?? []).filter((finding) => !refused.has(finding));
    for (const finding of rest) refused.set(finding, refusedGroups.get(group)!);
    members.delete(group);
    return rest;
  };
  for (const group of refusedGroups.keys()) refuseGroup(group);
  /** @returns as {@link refuseOverlapping} asks for */
  const refuseWhole = (finding: Finding, reason: Reason): readonly Finding[] => {
    refuse(finding, reason);
    return finding.group === undefined ? [finding] : [finding, ...refuseGroup(finding.group)];
  };
  refuseOverlapping(
    findings.filter((finding) => !refused.has(finding)),
    (later, earlier) => refuseWhole(later, { kind: 'overlap', rule: earlier.rule }),
  );
  let before: number;
  do {
    before = refused.size;
    refuseJoined(
      findings.filter((finding) => !refused.has(finding)),
      (finding) => refuseWhole(finding, { kind: 'joined' }),
    );
  } while (refused.size > before);
  const edits = new Map<ConfigFile, Edit[]>();
  const applied = new Map<ConfigFile, number[]>();
  const adjustedEdits = adjustForOutdents(
    findings.filter((candidate) => candidate.ignored === undefined && !refused.has(candidate)),
  );
  const outcomes = findings.map((finding, i): Outcome => {
    if (finding.ignored !== undefined) return { ...finding, status: 'ignored', why: finding.ignored };
    if (finding.edits.length === 0) return { ...finding, status: 'none' };
    const reason = refused.get(finding);
    if (reason !== undefined) return notApplied(finding, reason);
    addTo(applied, finding.file, i);
    const adjusted = adjustedEdits.get(finding);
    for (const edit of adjusted ?? finding.edits)
      addTo(edits, finding.file, keepLineEnd(finding.file.document.text, edit));
    return adjusted === undefined
      ? { ...finding, status: 'applied' }
      : { ...finding, status: 'applied', edits: adjusted };
  });
  const plan = [...edits].flatMap(([file, list]): Change[] => {
    const { text } = file.document;
    const all = options.dual === true ? list : withoutEmptied(file, list, outcomes, applied.get(file)!);
    const changes = dropLineEnd(text, all);
    const after = applyEdits(text, changes);
    return after === text ? [] : [{ file, edits: changes, text: after }];
  });
  return { outcomes, plan };
}

/** Why the others of a group are not applied: what is wrong with one is not wrong with each. */
function reasonForGroup({ file, at }: Finding, reason: Reason): Reason {
  if (reason.kind !== 'dual') return reason;
  return { ...reason, kind: 'dual-group', place: `${file.name}:${file.document.positionAt(at).line}` };
}

/** Records that a finding is not applied, and neither is what goes together with it. */
type Refuse = (finding: Finding, reason: Reason) => void;

/** Refuses the findings that have a reason against them. */
function refuseEach(
  findings: readonly Finding[],
  refuse: Refuse,
  reasonOf: (finding: Finding) => Reason | undefined,
): void {
  for (const finding of findings) {
    const reason = reasonOf(finding);
    if (reason !== undefined) refuse(finding, reason);
  }
}

/** Refuses what is to be left alone, and what cannot be written or has not been looked at. */
function refuseLeftAlone(findings: readonly Finding[], { unwritable }: AttemptOptions, refuse: Refuse): void {
  refuseEach(findings, refuse, ({ ignored }) =>
    ignored === undefined ? undefined : { kind: 'ignored-group', source: ignored },
  );
  refuseEach(findings, refuse, ({ edits, file: { outside } }) =>
    edits.length > 0 && outside !== undefined ? { kind: 'outside', why: outside } : undefined,
  );
  refuseEach(findings, refuse, ({ edits, file: { path, name } }) =>
    edits.length > 0 && unwritable?.has(path) === true ? { kind: 'unwritable', name } : undefined,
  );
  refuseTroubled(findings, refuse);
}

/** Refuses what a second run would change again, as an earlier attempt has shown, and what the judge has refused. */
function refuseByChecks(
  findings: readonly Finding[],
  { holds, vetoOf }: AttemptOptions,
  refuse: Refuse,
): void {
  if (holds !== undefined)
    refuseEach(findings, refuse, (finding) =>
      finding.edits.length > 0 && holds(finding) ? { kind: 'not-final' } : undefined,
    );
  if (vetoOf !== undefined)
    refuseEach(findings, refuse, (finding) => {
      const why = finding.edits.length > 0 ? vetoOf(finding) : undefined;
      return why === undefined ? undefined : { kind: 'judge', why };
    });
}

/** Refuses what may not keep all that 2.2 answered, where the run is asked for nothing but that. */
function refuseInexact(
  findings: readonly Finding[],
  { safeOnly, exact }: AttemptOptions,
  refuse: Refuse,
): void {
  if (safeOnly)
    refuseEach(findings, refuse, ({ edits, safety }) =>
      edits.length > 0 && safety !== 'safe' ? { kind: 'not-safe' } : undefined,
    );
  if (exact)
    refuseEach(findings, refuse, ({ safety }) => (safety === 'strict' ? { kind: 'not-exact' } : undefined));
}

function notApplied(finding: Finding, reason: Reason): Outcome {
  const why = reasonText(reason);
  const remedy = remedyText(reason);
  const task = taskFor(reason);
  const outcome: Outcome = {
    status: 'not-applied',
    why,
    ...finding,
    ...(remedy !== undefined && { remedy }),
    ...(task !== undefined && { task }),
  };
  // Whatever the rule thinks of it: somebody would get in, or be kept out, and nothing else says so.
  if (reason.kind === 'judge') return { ...outcome, level: 'error' };
  return reason.kind === 'declined' || reason.kind === 'declined-group'
    ? { ...outcome, declined: true }
    : outcome;
}

/** Refuses what the user does not want of what would be applied, together with the groups that it belongs to. */
function refuseDeclined(
  findings: readonly Finding[],
  { declines, answers }: AttemptOptions,
  refused: Map<Finding, Reason>,
  refusedGroups: Map<string, Reason>,
): void {
  if (declines === undefined && answers === undefined) return;
  for (const finding of findings) {
    if (finding.edits.length === 0 || finding.ignored !== undefined || refused.has(finding)) continue;
    const { group, file, at, rule } = finding;
    if (group !== undefined && refusedGroups.get(group)?.kind === 'check') continue;
    const why = answeredNo(finding) ?? declines?.(finding);
    if (why === undefined) continue;
    refused.set(finding, { kind: 'declined', why });
    const place = `${file.name}:${file.document.positionAt(at).line}`;
    if (group !== undefined && !refusedGroups.has(group))
      refusedGroups.set(group, { kind: 'declined-group', place, rule, why });
  }
}

/** Refuses the edits of a rule that threw, or in a file that a rule could not look at, and what goes together with them. */
function refuseTroubled(findings: readonly Finding[], refuse: Refuse): void {
  const troubles = findings.filter(({ trouble }) => trouble !== undefined);
  if (troubles.length === 0) return;
  const files = new Set(troubles.flatMap(({ trouble, file }) => (trouble === 'file' ? file.path : [])));
  const rules = new Set(troubles.flatMap(({ trouble, rule }) => (trouble === 'rule' ? rule : [])));
  for (const finding of findings)
    if (finding.edits.length > 0 && (files.has(finding.file.path) || rules.has(finding.rule)))
      refuse(finding, { kind: 'trouble' });
}

/** In files where some edits move lines out: the edits of each finding, adjusted so that none overlap. */
function adjustForOutdents(applied: readonly Finding[]): Map<Finding, readonly Edit[]> {
  const byFile = new Map<ConfigFile, Finding[]>();
  for (const finding of applied) if (finding.edits.length > 0) addTo(byFile, finding.file, finding);
  const adjustedEdits = new Map<Finding, readonly Edit[]>();
  for (const [file, findings] of byFile) {
    if (!findings.some(({ edits }) => edits.some(({ outdent }) => outdent === true))) continue;
    const lists = resolveOutdents(
      file.document.text,
      findings.map(({ edits }) => edits),
    );
    findings.forEach((finding, i) => adjustedEdits.set(finding, lists[i]!));
  }
  return adjustedEdits;
}

/**
 * The edits of a file, and those that remove the conditionals which they leave empty. The last finding that removed lines there
 * has the rest of the section among its edits; findings that emptied it together are a group from then on.
 * @param applied indexes of the outcomes whose edits these are
 */
function withoutEmptied(
  file: ConfigFile,
  edits: readonly Edit[],
  outcomes: Outcome[],
  applied: readonly number[],
): readonly Edit[] {
  const emptied = emptiedSections(file.document, edits).map((removal) =>
    keepLineEnd(file.document.text, removal),
  );
  if (emptied.length === 0) return edits;
  const removals = new Map<Edit, { owners: Set<number>; inside: Edit[] }>();
  for (const i of applied)
    for (const edit of outcomes[i]!.edits) {
      const around = spanContaining(emptied, edit);
      if (around === undefined) continue;
      const removal = getOrInsert(removals, around, () => ({ owners: new Set<number>(), inside: [] }));
      removal.owners.add(i);
      removal.inside.push(edit);
    }
  // Put together at the end: one finding may have emptied thousands of sections.
  const rests = new Map<number, Edit[]>();
  for (const [around, { owners, inside }] of removals) {
    const last = [...owners].reduce((a, b) => Math.max(a, b));
    appendAll(
      getOrInsert(rests, last, () => []),
      remainingEdits(around, inside),
    );
    if (owners.size === 1) continue;
    const groups = [...owners].map((i) => outcomes[i]!.group);
    const group = groups.find((name) => name !== undefined) ?? `${file.path}:${around.start}`;
    for (const i of owners) outcomes[i] = { ...outcomes[i]!, group: outcomes[i]!.group ?? group };
  }
  for (const [i, rest] of rests) outcomes[i] = { ...outcomes[i]!, edits: [...outcomes[i]!.edits, ...rest] };
  return [...edits.filter((edit) => spanContaining(emptied, edit) === undefined), ...emptied];
}
