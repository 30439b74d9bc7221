import { type Document, parse } from '../syntax';
import { type DualProblem, type DualRules, isBalanced, textAfter, writeBoth } from './dual-range';
import type { Edit } from './edit';
import { joinLineRanges, type LineRange, lineRangeOf } from './line-range';

export interface OwnedEdit<Owner> extends Edit {
  readonly owner: Owner;
  /** Whether 2.2 takes the new text for what it took the old one for: then it stands for both versions. */
  readonly forBoth?: boolean;
}

/** Edits that leave the old lines to 2.2 and give the new ones to 2.4. */
export interface DualEdits<Owner, Reason> {
  readonly edits: readonly { readonly edit: Edit; readonly owners: ReadonlySet<Owner> }[];
  /** The owners of edits for which that is impossible, with the reason. */
  readonly refused: ReadonlyMap<Owner, DualProblem | Reason>;
}

/**
 * Turns edits for 2.4 into edits that are right for both versions: a block that only 2.4 reads holds the new lines, and a block
 * that only 2.2 reads holds the old ones. Unchanged lines at either end stay outside the blocks.
 * @param edits of one file, not overlapping
 */
export function dualEdits<Owner, Reason>(
  document: Document,
  edits: readonly OwnedEdit<Owner>[],
  rules: DualRules<Reason>,
): DualEdits<Owner, Reason> {
  const refused = new Map<Owner, DualProblem | Reason>();
  const refuse = (owners: Iterable<Owner>, reason: DualProblem | Reason): void => {
    for (const owner of owners) if (!refused.has(owner)) refused.set(owner, reason);
  };
  const ranges: LineRange<Owner>[] = [];
  const readAlike = new Set<LineRange<Owner>>();
  for (const { owner, forBoth: readsAlike, ...edit } of edits) {
    const range = lineRangeOf(document, edit, owner);
    if (range === undefined) refuse([owner], 'not-configuration');
    else ranges.push(range);
    if (range !== undefined && readsAlike === true) readAlike.add(range);
  }
  const result: { edit: Edit; owners: ReadonlySet<Owner> }[] = [];
  const forBoth = ranges.filter((range) => readAlike.has(range) || isLineEndMended(document, range, rules));
  const editsForBoth = new Set(forBoth.flatMap((range) => range.edits));
  for (const range of joinUnbalanced(document, joinRanges(ranges, forBoth))) {
    const written = writeBoth(document, range, rules, editsForBoth);
    if (written.edits === undefined) refuse(ownersToRefuse(document, range, edits, rules), written.reason);
    else for (const edit of written.edits) result.push({ edit, owners: range.owners });
  }
  return { edits: result, refused };
}

/**
 * Whether a line ends in two backslashes, and 2.2 reads its new text as it read the old: that text serves both versions, and
 * beside the old one 2.4 reads the next line, even in a block that it skips.
 */
function isLineEndMended<Owner, Reason>(
  document: Document,
  range: LineRange<Owner>,
  rules: DualRules<Reason>,
): boolean {
  const before = document.text.slice(range.start, range.end);
  return /\\\r?\n$/.test(before) && rules.sameFor22(before, textAfter(document, range));
}

/**
 * Joins line ranges like {@link joinLineRanges}, except that a line whose new text is for both versions stands for itself where
 * it can.
 */
function joinRanges<Owner>(
  ranges: readonly LineRange<Owner>[],
  forBoth: readonly LineRange<Owner>[],
): LineRange<Owner>[] {
  if (forBoth.length === 0) return joinLineRanges(ranges);
  const others = joinLineRanges(ranges.filter((range) => !forBoth.includes(range)));
  const isApart = (range: LineRange<Owner>): boolean =>
    others.every(({ start, end }) => end <= range.start || start >= range.end);
  const apart = forBoth.filter(isApart);
  return [...apart, ...joinLineRanges(ranges.filter((range) => !apart.includes(range)))].sort(
    (a, b) => a.start - b.start,
  );
}

/** The owners in a range whose edits, taken alone, have no form for both versions. All owners if there is no such one. */
function ownersToRefuse<Owner, Reason>(
  document: Document,
  range: LineRange<Owner>,
  edits: readonly OwnedEdit<Owner>[],
  rules: DualRules<Reason>,
): Iterable<Owner> {
  if (range.owners.size === 1) return range.owners;
  const refusable = [...range.owners].filter((owner) => {
    const ranges = edits.flatMap((edit) =>
      edit.owner === owner ? (lineRangeOf(document, edit, owner) ?? []) : [],
    );
    const touching = joinLineRanges(ranges).filter(
      ({ start, end }) => start <= range.end && end >= range.start,
    );
    return joinUnbalanced(document, touching).some(
      (joined) => writeBoth(document, joined, rules, new Set()).edits === undefined,
    );
  });
  return refusable.length > 0 ? refusable : range.owners;
}

/** Joins what opens a container in one place and closes it in another: a block must hold both. */
function joinUnbalanced<Owner>(document: Document, ranges: readonly LineRange<Owner>[]): LineRange<Owner>[] {
  let list = [...ranges];
  for (const range of ranges) {
    if (isBalanced(parse(textAfter(document, range), '2.4').body)) continue;
    const others = list.filter(
      (joined) => joined.body === range.body && [...joined.owners].some((owner) => range.owners.has(owner)),
    );
    const [first, last] = [others[0], others.at(-1)];
    if (others.length < 2) continue;
    const joinedRange = { ...first!, to: last!.to, end: last!.end, edits: [], owners: new Set<Owner>() };
    list = joinLineRanges([joinedRange, ...list]);
  }
  return list;
}
