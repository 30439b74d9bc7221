import {
  appendAll,
  type Comment,
  type Directive,
  type Document,
  type Grammar,
  type Node,
  parse,
  type Section,
  type Span,
} from '../syntax';
import { type DualStyle, layoutBeside, writeBlocks } from './dual-style';
import { applyEdits, type Edit, sortEdits } from './edit';
import { isTrivia, type LineRange } from './line-range';

/** Why edits cannot stand in blocks: they change text that is not configuration, or a section that is not closed. */
export type DualProblem = 'not-configuration' | 'unbalanced';

export interface DualRules<Reason> {
  readonly style: DualStyle;
  /** Whether a place of the document stands in a block that 2.2 does not read: what is written there is for 2.4 as it is. */
  readonly isFor24: (at: number) => boolean;
  /** Whether 2.2 never reads what is in a section. */
  readonly isSkippedBy22: (section: Section) => boolean;
  /** Whether 2.2 reads two texts alike: then the new one serves both versions as it is. */
  readonly sameFor22: (before: string, after: string) => boolean;
  /** Whether 2.2 reads a line alike wherever it stands in a body. */
  readonly mayMove: (line: Directive, body: readonly Node[]) => boolean;
  /** Whether a comment is a line for 2.2 that somebody has switched off: it belongs to the old lines that it stands beside. */
  readonly isSwitchedOff: (comment: Comment) => boolean;
  /** Why a block that asks for the version cannot stand in place of these nodes; undefined where it can. */
  readonly refuse: (start: number, nodes: readonly Node[]) => Reason | undefined;
}

/** Lines to put above and below the old lines of a range. */
export interface Brought {
  readonly above: string;
  readonly below: string;
}

const NOTHING: Brought = { above: '', below: '' };

/** The edits of a range as blocks, or why there are none. */
type DualResult<Reason> =
  { readonly edits: readonly Edit[] } | { readonly edits?: undefined; readonly reason: DualProblem | Reason };

/**
 * Writes the lines of a range for both versions: a block for each, or the new text alone where it serves both.
 * @param editsForBoth edits whose new text 2.2 takes for what the old one was
 * @param brought old lines from elsewhere in the section that 2.2 is to read in the same block
 */
export function writeBoth<Owner, Reason>(
  document: Document,
  range: LineRange<Owner>,
  rules: DualRules<Reason>,
  editsForBoth: ReadonlySet<Edit>,
  brought: Brought = NOTHING,
): DualResult<Reason> {
  const { text } = document;
  const before = text.slice(range.start, range.end);
  const after = textAfter(document, range);
  if (
    rules.isFor24(range.start) ||
    range.edits.every((edit) => editsForBoth.has(edit)) ||
    rules.sameFor22(before, after)
  )
    return { edits: range.edits };
  const renewed = parse(after, '2.4');
  const oldNodes = range.body.slice(range.from, range.to);
  if (!isBalanced(oldNodes) || !isBalanced(renewed.body)) return { reason: 'unbalanced' };
  const forBoth = range.edits.filter((edit) => editsForBoth.has(edit));
  return writeNodes({ document, renewed, rules, forBoth, brought }, oldNodes, renewed.body, {
    start: range.start,
    parent: range.parent,
  });
}

/** The lines that change, as they were and as 2.4 needs them. */
interface Renewal<Reason> {
  readonly document: Document;
  readonly renewed: Document;
  readonly rules: DualRules<Reason>;
  /** Edits in these lines whose text is for both versions. */
  readonly forBoth: readonly Edit[];
  readonly brought: Brought;
}

/** What stands in one body before and after, as blocks for those of its lines that differ. */
function writeNodes<Reason>(
  renewal: Renewal<Reason>,
  allOld: readonly Node[],
  allNew: readonly Node[],
  place: { readonly start: number; readonly parent: Section | undefined },
): DualResult<Reason> {
  const { document, renewed, rules } = renewal;
  const { start, oldNodes, newNodes } = differing(renewal, allOld, allNew, place.start);
  const end = oldNodes.at(-1)?.end ?? start;
  const [before, after] = [document.text.slice(start, end), textOfNodes(renewed, newNodes)];
  if (isSameOutside(document, oldNodes, renewed, newNodes)) return writeInside(renewal, oldNodes, newNodes);
  const reason = rules.refuse(start, [...oldNodes, ...newNodes]);
  if (reason !== undefined) return { reason };
  const isSpent = (node: Node): boolean =>
    isTrivia(node) || (node.kind === 'section' && rules.isSkippedBy22(node));
  const [has22, has24] = [!oldNodes.every(isSpent), !newNodes.every(isTrivia)];
  if (!has22 && !has24) return { edits: before === after ? [] : [{ start, end, text: after }] };
  return { edits: [blocksOf(renewal, { start, end, has22, has24, oldNodes, newNodes }, place.parent)] };
}

interface Differing {
  readonly start: number;
  readonly oldNodes: readonly Node[];
  readonly newNodes: readonly Node[];
}

/** The nodes of a body without those at either end that stay as they are. */
function differing<Reason>(
  { document: { text }, renewed }: Renewal<Reason>,
  oldNodes: readonly Node[],
  newNodes: readonly Node[],
  start: number,
): Differing {
  const textOf = (node: Node): string => text.slice(node.start, node.end);
  const newTextOf = (node: Node): string => renewed.text.slice(node.start, node.end);
  // The last line of a file gets a line end where another follows it now.
  const isUnchanged = (a: Node, b: Node): boolean =>
    textOf(a) === newTextOf(b) || (a.end === text.length && textOf(a) === newTextOf(b).replace(/\r?\n$/, ''));
  const shorter = Math.min(oldNodes.length, newNodes.length);
  let front = 0;
  while (front < shorter && isUnchanged(oldNodes[front]!, newNodes[front]!)) front++;
  let back = 0;
  while (back < shorter - front && textOf(oldNodes.at(-1 - back)!) === newTextOf(newNodes.at(-1 - back)!))
    back++;
  return {
    start: front === 0 ? start : oldNodes[front - 1]!.end,
    oldNodes: oldNodes.slice(front, oldNodes.length - back),
    newNodes: newNodes.slice(front, newNodes.length - back),
  };
}

function textOfNodes({ text }: Document, nodes: readonly Node[]): string {
  return nodes.length === 0 ? '' : text.slice(nodes[0]!.start, nodes.at(-1)!.end);
}

/** Whether what changes is inside of sections: every line outside of these stays, and so do those that open and close them. */
function isSameOutside(
  document: Document,
  oldNodes: readonly Node[],
  renewed: Document,
  newNodes: readonly Node[],
): boolean {
  if (oldNodes.length === 0 || oldNodes.length !== newNodes.length) return false;
  return oldNodes.every((node, i) => {
    const other = newNodes[i]!;
    const isSame = (a: Span, b: Span): boolean =>
      document.text.slice(a.start, a.end) === renewed.text.slice(b.start, b.end);
    if (node.kind !== 'section' || other.kind !== 'section') return isSame(node, other);
    if (node.close === undefined || other.close === undefined) return false;
    return isSame(node.open, other.open) && isSame(node.close, other.close);
  });
}

/** The blocks inside sections whose own lines stay. */
function writeInside<Reason>(
  renewal: Renewal<Reason>,
  oldNodes: readonly Node[],
  newNodes: readonly Node[],
): DualResult<Reason> {
  const edits: Edit[] = [];
  for (const [i, node] of oldNodes.entries()) {
    const other = newNodes[i]!;
    if (node.kind !== 'section' || other.kind !== 'section') continue;
    const start = node.open.end;
    const [before, after] = [
      renewal.document.text.slice(start, node.close!.start),
      renewal.renewed.text.slice(other.open.end, other.close!.start),
    ];
    if (before === after) continue;
    if (renewal.rules.isSkippedBy22(node)) edits.push({ start, end: node.close!.start, text: after });
    else {
      const inside = writeNodes(renewal, node.body, other.body, { start, parent: node });
      if (inside.edits === undefined) return inside;
      appendAll(edits, inside.edits);
    }
  }
  return { edits };
}

/** The edit that puts lines into a block for each version. */
function blocksOf<Reason>(
  { document, renewed, rules, forBoth, brought }: Renewal<Reason>,
  {
    start,
    end,
    has22,
    has24,
    oldNodes,
    newNodes,
  }: Differing & { end: number; has22: boolean; has24: boolean },
  parent: Section | undefined,
): Edit {
  const { text } = document;
  const [oldLine, newLine] = [oldNodes, newNodes].map((nodes) => nodes.find((node) => !isTrivia(node)));
  const replaced = new Set(oldNodes);
  const isWhole = parent?.body.every((node) => node.kind === 'blank' || replaced.has(node)) === true;
  const layout = layoutBeside(document, oldLine, newLine, renewed, { section: parent, isWhole });
  const bodies: { text: string; grammar: Grammar }[] = [];
  if (has24) bodies.push({ text: renewed.text.slice(...spanOf(newNodes)), grammar: '2.4' });
  const [top, bottom] = has22 ? spanOf(oldNodes) : [start, end];
  if (has22) {
    const inOld = forBoth.filter((edit) => edit.start >= top && edit.end <= bottom);
    // What 2.2 skips would never be read in its block: for 2.4 it stands in the other.
    const skipped = skippedIn(oldNodes, rules.isSkippedBy22).filter(
      ({ start: from, end: to }) => !inOld.some((edit) => edit.start < to && edit.end > from),
    );
    const old = applyEdits(text.slice(top, bottom), relativeTo(top, sortEdits([...inOld, ...skipped])));
    bodies.push({ text: brought.above + old + brought.below, grammar: '2.2' });
  }
  let written = writeBlocks(rules.style, bodies, layout);
  if (bottom === text.length && !text.endsWith('\n')) written = written.slice(0, -layout.eol.length);
  // An insertion below a last line without line end brings that line's end along.
  const isBelowLast = start === text.length && start > 0 && text.charAt(start - 1) !== '\n';
  return { start: top, end: bottom, text: (isBelowLast ? layout.eol : '') + written };
}

/** Edits that take the sections out that 2.2 never reads. */
function skippedIn(nodes: readonly Node[], isSkipped: (section: Section) => boolean): Edit[] {
  return nodes.flatMap((node) => {
    // A branch of a template cannot go without the others.
    if (node.kind !== 'section' || node.open.reads !== undefined) return [];
    return isSkipped(node)
      ? [{ start: node.start, end: node.end, text: '' }]
      : skippedIn(node.body, isSkipped);
  });
}

/** From the first line to the last that is not blank. */
function spanOf(nodes: readonly Node[]): [start: number, end: number] {
  return [nodes.find(isNotBlank)!.start, nodes.findLast(isNotBlank)!.end];
}

function isNotBlank(node: Node): boolean {
  return node.kind !== 'blank';
}

export function isBalanced(body: readonly Node[]): boolean {
  return body.every((node) => {
    if (node.kind === 'stray' || node.kind === 'raw') return false;
    return (
      node.kind !== 'section' || (node.close !== undefined && node.open.complete && isBalanced(node.body))
    );
  });
}

/** The lines of a range after its edits, without a line end in front that only makes up for the file's last line. */
export function textAfter<Owner>({ text }: Document, { start, end, edits }: LineRange<Owner>): string {
  const after = applyEdits(text.slice(start, end), relativeTo(start, edits));
  return start === end && start === text.length ? after.replace(/^\r?\n/, '') : after;
}

/** Edits of a part of a text that begins at `start`. */
function relativeTo(start: number, edits: readonly Edit[]): Edit[] {
  return edits.map((edit) => ({ start: edit.start - start, end: edit.end - start, text: edit.text }));
}
