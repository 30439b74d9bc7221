import {
  type ConfigFile,
  type ConfigTree,
  type Reread,
  conditionOf,
  readingOf,
  readsTheSameIn22,
} from '../config';
import { applyEdits, dualEdits, type Edit, isOldAccessLine, type OwnedEdit, sortEdits } from '../edit';
import { type Node, firstWhere, parse, walk } from '../syntax';
import { type Applied, type Checking, applyChecked, textsOf } from './apply-checked';
import { DualHabits } from './dual-habits';
import { LoadOrder } from './load-order';
import type { DualReason, Reason } from './apply';
import type { Change, Finding, Outcome, AttemptOptions, Transform } from './types';

/**
 * Applies findings like {@link applyChecked}, for both versions at once: the rules make the rewrite for 2.4, and it is checked,
 * as without --dual. Then its edits become a block for each version, and the result is compared with what each version must read:
 * 2.2 the original files, 2.4 the rewrite.
 * @param plain the rewrite for 2.4
 */
export function applyDual(
  tree: ConfigTree,
  plain: Applied,
  transforms: readonly Transform[],
  options: AttemptOptions,
  reread: Reread,
  gather: (tree: ConfigTree) => readonly Finding[],
): Applied {
  const withheld = new Map<Finding, Reason>();
  const { findings } = plain;
  for (;;) {
    const checked = withheld.size === 0 ? plain : undefined;
    const applied = applyOnce(tree, findings, { transforms, options, reread }, withheld, checked);
    const after = applied.plan.length === 0 ? undefined : reread(textsOf(applied.plan));
    if (after === undefined) return { ...applied, after };
    const texts = textsOf(applied.plan);
    const further: Reread = (more) => reread(new Map([...texts, ...more]));
    const found = gather(after);
    // The rules would report again what the checks have withdrawn, and the checks would withdraw it again.
    const checking = { transforms, options, reread: applied.tookBack ? further : undefined };
    const secondOutcomes = applyOnce(after, found, checking, new Map()).outcomes;
    // A rule that does not recognise its own rewrite in a block for 2.4 cannot be applied for both versions.
    const repeated = new Set(
      secondOutcomes.flatMap((outcome) => (outcome.status === 'applied' ? keyOf(outcome) : [])),
    );
    const before = withheld.size;
    applied.outcomes.forEach((outcome, i) => {
      if (outcome.status === 'applied' && repeated.has(keyOf(outcome)))
        withheld.set(findings[i]!, { kind: 'dual', reason: 'repeated' });
    });
    if (withheld.size === before) return { ...applied, after, secondOutcomes };
  }
}

function keyOf({ rule, file }: Finding): string {
  return `${rule}\n${file.path}`;
}

function applyOnce(
  tree: ConfigTree,
  findings: readonly Finding[],
  checking: Checking,
  withheld: Map<Finding, Reason>,
  checked?: Applied,
): Applied {
  const order = new LoadOrder(tree);
  const habits = new DualHabits(tree);
  for (let known = checked; ; known = undefined) {
    const plain = known ?? applyChecked(tree, findings, checking, withheld);
    const before = withheld.size;
    const plan: Change[] = [];
    const edits = new Map<Finding, Edit[]>();
    const owned = new Map<ConfigFile, OwnedEdit<Finding>[]>(plain.plan.map(({ file }) => [file, []]));
    findings.forEach((finding, i) => {
      const { status, edits: appliedEdits } = plain.outcomes[i]!;
      if (status !== 'applied') return;
      for (const edit of appliedEdits)
        owned.get(finding.file)?.push({ ...edit, owner: finding, forBoth: finding.forBoth === true });
    });
    for (const change of plain.plan) {
      const { refused, dual } = makeDual(change, owned.get(change.file)!, { tree, order, habits }, edits);
      for (const [finding, reason] of refused ?? []) withheld.set(finding, { kind: 'dual', reason });
      if (dual !== undefined) plan.push(dual);
    }
    if (withheld.size > before) continue;
    const outcomes = plain.outcomes.map((outcome, i): Outcome =>
      outcome.status === 'applied' ? asWritten(outcome, edits.get(findings[i]!) ?? []) : outcome,
    );
    return {
      findings,
      outcomes,
      plan,
      after: undefined,
      tookBack: plain.tookBack,
      withdrawals: plain.withdrawals ?? [],
    };
  }
}

/** A finding with its edits as they are written; the old lines stay for 2.2, unless one text is for both. */
function asWritten({ omitted, ...outcome }: Outcome, edits: readonly Edit[]): Outcome {
  return { ...outcome, edits, ...(omitted !== undefined && outcome.forBoth === true && { omitted }) };
}

/** What is known of a tree where its changes are written for both versions. */
interface DualContext {
  readonly tree: ConfigTree;
  readonly order: LoadOrder;
  readonly habits: DualHabits;
}

/**
 * One file's change for both versions, or the findings that have none.
 * @param edits takes each finding's edits as they are written
 */
function makeDual(
  { file, text: plain }: Change,
  owned: readonly OwnedEdit<Finding>[],
  { tree, order, habits }: DualContext,
  edits: Map<Finding, Edit[]>,
): { readonly refused?: ReadonlyMap<Finding, DualReason>; readonly dual?: Change } {
  const { document } = file;
  const { defines } = tree;
  const style = habits.styleOf(file);
  const dual = dualEdits(document, owned, {
    style,
    isSkippedBy22: (section) => conditionOf(section, defines).on22 === false,
    isFor24: (at) => isFor24(document.body, at, defines),
    sameFor22: (before, after) => readsTheSameIn22(before, after, defines),
    mayMove: ({ key }, body) => ADDED_UP.test(key) || (LAST_COUNTS.test(key) && isOnly(key, body)),
    isSwitchedOff: ({ logical }) => isOldAccessLine(logical.text.replace(/^[ \t]*#+/, '')),
    refuse: (start, nodes) => {
      const reason = order.dualReason(file, start, nodes);
      // A template is filled in before any httpd reads it.
      return reason === 'above-load-module' && style.template !== undefined ? undefined : reason;
    },
  });
  if (dual.refused.size > 0) return { refused: dual.refused };
  const all = sortEdits(dual.edits.map(({ edit }) => edit));
  const text = applyEdits(document.text, all);
  const same = (a: readonly string[], b: readonly string[]): boolean =>
    a.length === b.length && a.every((line, i) => line === b[i]);
  const forBoth = applyEdits(
    document.text,
    sortEdits([...owned.filter((edit) => edit.forBoth === true), ...dual.moves]),
  );
  const reads22 = same(
    readingOf(parse(forBoth, '2.2'), '2.2', defines),
    readingOf(parse(text, '2.2'), '2.2', defines),
  );
  const reads24 = same(
    readingOf(parse(plain, '2.4'), '2.4', defines),
    readingOf(parse(text, '2.4'), '2.4', defines),
  );
  if (!reads22 || !reads24) {
    const reason: DualReason = { misreadBy: reads22 ? '2.4' : '2.2' };
    return { refused: new Map(owned.map(({ owner }) => [owner, reason])) };
  }
  for (const { edit, owners } of dual.edits) {
    // Several findings may share one text: it is reported with the first of them.
    const [first] = owners;
    edits.set(first!, [...(edits.get(first!) ?? []), edit]);
  }
  return text === document.text ? {} : { dual: { file, edits: all, text } };
}

/** Lines that 2.2 adds up before it decides: each is read alike before and behind all others of its section. */
const ADDED_UP = /^(?:allow|deny|require)$/;

/** Lines of which the last in a section counts. */
const LAST_COUNTS = /^(?:order|satisfy)$/;

/** Whether a section has no other line of a name, as far as its file shows. */
function isOnly(key: string, body: readonly Node[]): boolean {
  let count = 0;
  for (const [node] of walk(body)) {
    if (node.kind !== 'directive') continue;
    if (BRINGS_LINES.test(node.key)) return false;
    if (node.key === key) count++;
  }
  return count === 1;
}

/** Lines in whose place others are read. */
const BRINGS_LINES = /^(?:include(?:optional)?|use)$/;

/** Whether a place stands in a conditional that no 2.2 reads. */
function isFor24(body: readonly Node[], at: number, defines: ConfigTree['defines']): boolean {
  // Nodes stand in the order of the text.
  const section = body[firstWhere(body, (node) => at < node.end)];
  if (section?.kind !== 'section' || at < section.open.end) return false;
  return conditionOf(section, defines).on22 === false || isFor24(section.body, at, defines);
}
