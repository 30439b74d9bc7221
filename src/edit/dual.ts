import { groupBy } from '../maps';
import { type Comment, type Document, type Node, parse, type Span } from '../syntax';
import { type DualProblem, type DualRules, isBalanced, textAfter, writeBoth } from './dual-range';
import type { Edit } from './edit';
import { isTrivia, joinLineRanges, type LineRange, lineRangeOf } from './line-range';

export interface OwnedEdit<Owner> extends Edit {
  readonly owner: Owner;
  /** Whether 2.2 takes the new text for what it took the old one for: then it stands for both versions. */
  readonly forBoth?: boolean;
}

/** Edits that leave the old lines to 2.2 and give the new ones to 2.4. */
export interface DualEdits<Owner, Reason> {
  readonly edits: readonly { readonly edit: Edit; readonly owners: ReadonlySet<Owner> }[];
  /** The edits that bring old lines into a block with others of their section, taken alone: nothing but their place is new. */
  readonly moves: readonly Edit[];
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
  const joined = joinUnbalanced(document, joinRanges(ranges, forBoth));
  const holders = holdersOf(document, joined, rules);
  const held = groupBy(holders.keys(), (range) => holders.get(range)!);
  const moves: Edit[] = [];
  for (const range of joined) {
    if (holders.has(range)) {
      const edit = { start: range.start, end: range.end, text: '' };
      result.push({ edit, owners: range.owners });
      moves.push(edit);
      continue;
    }
    const textOf = (isAbove: boolean): string =>
      (held.get(range) ?? [])
        .filter(({ start }) => start < range.start === isAbove)
        .map(({ start, end }) => document.text.slice(start, end))
        .join('');
    const brought = { above: textOf(true), below: textOf(false) };
    for (const [at, text] of [[range.start, brought.above] as const, [range.end, brought.below] as const])
      if (text !== '') moves.push({ start: at, end: at, text });
    const off =
      holdsOldLines(document, range, rules) && isReplaced(document, range)
        ? switchedOff(document, range, rules)
        : NONE_OFF;
    const textIn = ({ start, end }: Span): string => document.text.slice(start, end);
    const written = writeBoth(document, range, rules, editsForBoth, {
      above: textIn(off.above) + brought.above,
      below: textIn(off.below) + brought.below,
    });
    if (written.edits !== undefined)
      for (const { start, end } of [off.above, off.below])
        if (end > start) result.push({ edit: { start, end, text: '' }, owners: range.owners });
    if (written.edits === undefined) refuse(ownersToRefuse(document, range, edits, rules), written.reason);
    else for (const edit of written.edits) result.push({ edit, owners: range.owners });
  }
  return { edits: result, moves, refused };
}

/** The ranges of old lines that only go, each with one of its owner and section whose block can hold them for 2.2. */
function holdersOf<Owner, Reason>(
  document: Document,
  ranges: readonly LineRange<Owner>[],
  rules: DualRules<Reason>,
): ReadonlyMap<LineRange<Owner>, LineRange<Owner>> {
  const holders = new Map<LineRange<Owner>, LineRange<Owner>>();
  // A comment above such lines speaks of them.
  const goes = (range: LineRange<Owner>): boolean =>
    textAfter(document, range) === '' &&
    range.body[range.from - 1]?.kind !== 'comment' &&
    nodesOf(range).every((node) => node.kind === 'directive' && rules.mayMove(node, range.body));
  const hasOld = ranges.filter((range) => holdsOldLines(document, range, rules));
  const inBody = groupBy(hasOld, ({ body }) => body);
  for (const range of hasOld) {
    if (range.owners.size !== 1 || !goes(range)) continue;
    const holder = inBody
      .get(range.body)!
      .find(
        (other) =>
          other.owners.size === 1 &&
          [...range.owners].every((owner) => other.owners.has(owner)) &&
          !goes(other) &&
          isReplaced(document, other),
      );
    if (holder !== undefined) holders.set(range, holder);
  }
  return holders;
}

function nodesOf<Owner>({ body, from, to }: LineRange<Owner>): readonly Node[] {
  return body.slice(from, to);
}

function isLine({ text }: Document, node: Node): boolean {
  return node.kind === 'directive' && !node.joined && text.charAt(node.end - 1) === '\n';
}

/** Whether a range is lines that 2.2 reads, and nothing else. */
function holdsOldLines<Owner, Reason>(
  document: Document,
  range: LineRange<Owner>,
  rules: DualRules<Reason>,
): boolean {
  return (
    !rules.isFor24(range.start) &&
    nodesOf(range).some((node) => isLine(document, node)) &&
    nodesOf(range).every((node) => isTrivia(node) || isLine(document, node))
  );
}

/** Whether all old lines give way to new ones, so that there is a block for each. */
function isReplaced<Owner>(document: Document, range: LineRange<Owner>): boolean {
  const after = new Set(linesOf(textAfter(document, range)));
  return nodesOf(range).every(
    (node) => !isLine(document, node) || !after.has(document.text.slice(node.start, node.end)),
  );
}

/** Comments right above and right below a range that go into its block for 2.2. */
interface SwitchedOff {
  readonly above: Span;
  readonly below: Span;
}

const NONE_OFF: SwitchedOff = { above: { start: 0, end: 0 }, below: { start: 0, end: 0 } };

/**
 * Lines for 2.2 that are switched off beside those of a range: whoever switches them on wants 2.2 alone to read them. Below, what
 * is said between them goes along; above, what is said there speaks of the range as well.
 */
function switchedOff<Owner, Reason>(
  document: Document,
  { body, from, to, start, end }: LineRange<Owner>,
  rules: DualRules<Reason>,
): SwitchedOff {
  const commentAt = (i: number): Comment | undefined => {
    const node = body[i];
    return node?.kind === 'comment' && !node.joined && document.text.charAt(node.end - 1) === '\n'
      ? node
      : undefined;
  };
  let last = end;
  for (let i = to, comment = commentAt(i); comment !== undefined; comment = commentAt(++i))
    if (rules.isSwitchedOff(comment)) last = comment.end;
  let first = start;
  let areAllOff = true;
  for (let i = from - 1, comment = commentAt(i); comment !== undefined; comment = commentAt(--i)) {
    areAllOff &&= rules.isSwitchedOff(comment);
    first = comment.start;
  }
  return { above: { start: areAllOff ? first : start, end: start }, below: { start: end, end: last } };
}

function linesOf(text: string): string[] {
  return text.split(/(?<=\n)/);
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

/** Like {@link joinLineRanges}, but a line whose new text is for both versions stands for itself where it can. */
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
