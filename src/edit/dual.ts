import { type Document, type Node, backslashesBefore, parse, type Section } from '../syntax';
import { eolOf, indentOf, indentUnit } from './builders';
import { applyEdits, type Edit } from './edit';
import { isTrivia, joinLineRanges, type LineRange, lineRangeOf } from './line-range';

/** Every 2.4 has mod_authz_core, no 2.2 does; a block that asks for it is read by the one or by the other. */
const FOR_24 = '<IfModule mod_authz_core.c>';
const FOR_22 = '<IfModule !mod_authz_core.c>';
const END = '</IfModule>';

export interface OwnedEdit<Owner> extends Edit {
  readonly owner: Owner;
}

/** Why edits cannot stand in blocks: they change text that is not configuration, or a section that is not closed. */
export type DualProblem = 'not-configuration' | 'unbalanced';

/** Edits that leave the old lines to 2.2 and give the new ones to 2.4. */
export interface DualEdits<Owner, Reason> {
  readonly edits: readonly { readonly edit: Edit; readonly owners: ReadonlySet<Owner> }[];
  /** The owners of edits for which that is impossible, with the reason. */
  readonly refused: ReadonlyMap<Owner, DualProblem | Reason>;
}

export interface DualRules<Reason> {
  /** Whether a place of the document stands in a block that 2.2 does not read: what is written there is for 2.4 as it is. */
  readonly isFor24: (at: number) => boolean;
  /** Whether 2.2 reads two texts alike: then the new one serves both versions as it is. */
  readonly sameFor22: (before: string, after: string) => boolean;
  /** Why a block that asks for the version cannot stand in place of these nodes; undefined where it can. */
  readonly refuse: (start: number, nodes: readonly Node[]) => Reason | undefined;
}

/**
 * Turns edits for 2.4 into edits that are right for both versions: a block that only 2.4 reads holds the new lines, and a block
 * that only 2.2 reads holds the old ones, byte for byte. Unchanged lines at either end stay outside the blocks.
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
  for (const { owner, ...edit } of edits) {
    const range = lineRangeOf(document, edit, owner);
    if (range === undefined) refuse([owner], 'not-configuration');
    else ranges.push(range);
  }
  const result: { edit: Edit; owners: ReadonlySet<Owner> }[] = [];
  const forBoth = rangesForBoth(document, ranges, rules);
  const editsForBoth = new Set(forBoth.flatMap((range) => range.edits));
  for (const range of joinUnbalanced(document, joinRanges(ranges, forBoth))) {
    const written = writeBoth(document, range, rules, editsForBoth);
    if (written.edits === undefined) refuse(ownersToRefuse(document, range, edits, rules), written.reason);
    else for (const edit of written.edits) result.push({ edit, owners: range.owners });
  }
  return { edits: result, refused };
}

/**
 * Lines that end in two backslashes, and whose new text 2.2 reads as it read the old: that text serves both versions, and beside
 * the old one 2.4 reads the next line, even in a block that it skips.
 */
function rangesForBoth<Owner, Reason>(
  document: Document,
  ranges: readonly LineRange<Owner>[],
  rules: DualRules<Reason>,
): readonly LineRange<Owner>[] {
  return ranges.filter((range) => {
    const before = document.text.slice(range.start, range.end);
    return /\\\r?\n$/.test(before) && rules.sameFor22(before, textAfter(document, range));
  });
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

function isBalanced(body: readonly Node[]): boolean {
  return body.every((node) => {
    if (node.kind === 'stray' || node.kind === 'raw') return false;
    return (
      node.kind !== 'section' || (node.close !== undefined && node.open.complete && isBalanced(node.body))
    );
  });
}

/**
 * The lines of a range after its edits; without the line end in front where they begin with the one that the file's last line
 * lacks.
 */
function textAfter<Owner>({ text }: Document, { start, end, edits }: LineRange<Owner>): string {
  const after = applyEdits(text.slice(start, end), relativeTo(start, edits));
  return start === end && start === text.length ? after.replace(/^\r?\n/, '') : after;
}

/** Edits of a part of a text that begins at `start`. */
function relativeTo(start: number, edits: readonly Edit[]): Edit[] {
  return edits.map((edit) => ({ start: edit.start - start, end: edit.end - start, text: edit.text }));
}

/** The edits of a range as blocks, or why there are none. */
type DualResult<Reason> =
  { readonly edits: readonly Edit[] } | { readonly edits?: undefined; readonly reason: DualProblem | Reason };

function writeBoth<Owner, Reason>(
  document: Document,
  range: LineRange<Owner>,
  rules: DualRules<Reason>,
  editsForBoth: ReadonlySet<Edit>,
): DualResult<Reason> {
  const { text } = document;
  const before = text.slice(range.start, range.end);
  const after = textAfter(document, range);
  if (rules.isFor24(range.start) || rules.sameFor22(before, after)) return { edits: range.edits };
  const renewed = parse(after, '2.4');
  let oldNodes = range.body.slice(range.from, range.to);
  let newNodes = [...renewed.body];
  if (!isBalanced(oldNodes) || !isBalanced(newNodes)) return { reason: 'unbalanced' };
  const textOf = (node: Node): string => text.slice(node.start, node.end);
  const newTextOf = (node: Node): string => after.slice(node.start, node.end);
  // The last line of a file gets a line end where another follows it now.
  const isUnchanged = (a: Node, b: Node): boolean =>
    textOf(a) === newTextOf(b) || (a.end === text.length && textOf(a) === newTextOf(b).replace(/\r?\n$/, ''));
  const above = countWhile(oldNodes, newNodes, (i) => isUnchanged(oldNodes[i]!, newNodes[i]!));
  const start = above === 0 ? range.start : oldNodes[above - 1]!.end;
  [oldNodes, newNodes] = [oldNodes.slice(above), newNodes.slice(above)];
  const behind = countWhile(
    oldNodes,
    newNodes,
    (i) => textOf(oldNodes.at(-1 - i)!) === newTextOf(newNodes.at(-1 - i)!),
  );
  if (behind > 0) [oldNodes, newNodes] = [oldNodes.slice(0, -behind), newNodes.slice(0, -behind)];
  const end = oldNodes.at(-1)?.end ?? start;
  const reason = rules.refuse(start, [...oldNodes, ...newNodes]);
  if (reason !== undefined) return { reason };
  const [has22, has24] = [oldNodes, newNodes].map((nodes) => !nodes.every(isTrivia));
  if (!has22 && !has24) return { edits: range.edits };

  const oldLine = lineOf(oldNodes.find((node) => !isTrivia(node)));
  const eol = oldLine === undefined ? document.eol : eolOf(document, oldLine);
  const first = lineOf(newNodes.find((node) => !isTrivia(node)));
  const indent = oldLine === undefined ? indentOf(renewed, first!) : indentOf(document, oldLine);
  const unit = indentUnit(document, indent, range.parent);
  const lines: string[] = [];
  if (has24) {
    const [top, bottom] = [newNodes.find(isNotBlank)!, newNodes.findLast(isNotBlank)!];
    const body = after.slice(top.start, bottom.end);
    lines.push(
      `${indent}${FOR_24}${eol}`,
      withLineEnd(indentLines(body, unit), eol),
      `${indent}${END}${eol}`,
    );
  }
  if (has22) {
    const inOld = range.edits.filter(
      (edit) => editsForBoth.has(edit) && edit.start >= start && edit.end <= end,
    );
    const old = applyEdits(text.slice(start, end), relativeTo(start, inOld));
    lines.push(`${indent}${FOR_22}${eol}`, withLineEnd(old, eol), `${indent}${END}${eol}`);
  }
  let written = lines.join('');
  if (end === text.length && !text.endsWith('\n')) written = written.slice(0, -eol.length);
  // An insertion below a last line without line end brings that line's end along.
  const lineEndBefore = start === text.length && start > 0 && text.charAt(start - 1) !== '\n' ? eol : '';
  return { edits: [{ start, end, text: lineEndBefore + written }] };
}

/** How many nodes of two lists are the same, from where `isSame` begins to count. */
function countWhile(a: readonly Node[], b: readonly Node[], isSame: (i: number) => boolean): number {
  const most = Math.min(a.length, b.length);
  let count = 0;
  while (count < most && isSame(count)) count++;
  return count;
}

function lineOf(
  node: Node | undefined,
): Exclude<Node, Section | { kind: 'raw' }> | Section['open'] | undefined {
  if (node === undefined || node.kind === 'raw') return undefined;
  return node.kind === 'section' ? node.open : node;
}

function isNotBlank(node: Node): boolean {
  return node.kind !== 'blank';
}

/**
 * Ends a text so that neither version joins its last line with the next: 2.4 does that with every line that ends in a backslash,
 * and 2.2 with one that ends in a single one (server/util.c: ap_cfg_getline). Empty lines may be joined: in 2.4 as many as there
 * are backslashes. A blank, which both trim, keeps both backslashes of a last line that has no line end: before a line end, 2.2
 * would read them as one.
 */
function withLineEnd(text: string, eol: string): string {
  if (!text.endsWith('\n')) return text.endsWith('\\') ? `${text} ${eol}` : text + eol;
  const textEnd = text.length - (text.endsWith('\r\n') ? 2 : 1);
  return text + eol.repeat(backslashesBefore(text, textEnd));
}

/** Moves every line of a text in by `unit`; what continues a line stays where it is, for its blanks belong to the line. */
function indentLines(text: string, unit: string): string {
  const starts: number[] = [];
  const gather = (nodes: readonly Node[]): void => {
    for (const node of nodes) {
      if (node.kind === 'section') {
        starts.push(node.open.start);
        gather(node.body);
        if (node.close !== undefined) starts.push(node.close.start);
      } else if (node.kind !== 'blank') starts.push(node.start);
    }
  };
  gather(parse(text, '2.4').body);
  return applyEdits(
    text,
    starts.map((at) => ({ start: at, end: at, text: unit })),
  );
}
