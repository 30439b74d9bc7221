import { type ConfigFile, isConditional } from '../../config';
import { type Edit, indentOf, indentUnit } from '../../edit';
import { appendAll, type Directive, type Node, type Section } from '../../syntax';
import { type Scope, type ScopeLine, conditionalTests } from '../policy';
import type { RewriteOutput } from './emit';
import { type RewriteEdit, layout, writeAfter } from './layout';
import type { NoRewrite } from './problems';
import {
  type RemovedLine,
  type RemovedLines,
  type TargetBody,
  gatherIncluded,
  gatherRemoved,
  inOrder,
  isLimit,
  leavesDefine,
  targetBodyOf,
} from './removed-lines';

export interface RewrittenSection {
  readonly file: ConfigFile;
  readonly edits: readonly RewriteEdit[];
  readonly consumed: readonly object[];
  /** Lines that the section includes and that go, because it says in its own text what they said. */
  readonly removals?: readonly IncludedRemoval[] | undefined;
  /** Virtual hosts in which it decides differently, and is written once more. */
  readonly copies?: readonly HostCopy[] | undefined;
  /** What is written of it in the server's own files, as its own cannot be written. */
  readonly shuts?: readonly ShutDirectory[] | undefined;
  /** Directories with wildcards asked for by a name that a file could have too: that would get the stricter answer. */
  readonly byName?: readonly Scope[] | undefined;
  readonly problem?: undefined;
}

/** What goes from a file that a section includes. */
export interface IncludedRemoval {
  readonly file: ConfigFile;
  readonly edits: readonly RewriteEdit[];
  readonly lines: readonly ScopeLine[];
}

/** A section of the main server that stands in a virtual host, too, with what it decides there. */
export interface HostCopy {
  readonly file: ConfigFile;
  readonly host: Section;
  readonly edit: RewriteEdit;
}

/** A section of the server's own files that lets nobody into the directory of a `.htaccess`. */
export interface ShutDirectory {
  readonly file: ConfigFile;
  readonly path: string;
  readonly edit: RewriteEdit;
}

export function editsIn(rewritten: RewrittenSection, wanted: ConfigFile): readonly Edit[] {
  const found: Edit[] = rewritten.file === wanted ? [...rewritten.edits] : [];
  for (const removal of rewritten.removals ?? [])
    if (removal.file === wanted) appendAll(found, removal.edits);
  return found;
}

export function allEdits(rewritten: RewrittenSection): readonly Edit[] {
  const { edits, removals = [], copies = [], shuts = [] } = rewritten;
  if (removals.length + copies.length + shuts.length === 0) return edits;
  const beside = [...copies, ...shuts].map(({ edit }) => edit);
  return [...edits, ...removals.flatMap((removal) => removal.edits), ...beside];
}

/** What becomes of one scope: its edits, or why there are none to be had. */
export type Rewrite = RewrittenSection | NoRewrite;

/** Lays `output` in the place of lines. @param inSection the section says it all itself, though its lines are included */
export function placeRewrite(
  scope: Scope,
  lines: readonly ScopeLine[],
  output: readonly RewriteOutput[],
  inSection = false,
): Rewrite {
  if (scope.includes.length > 0 && (inSection || !standTogether(lines)))
    return placeInSection(scope, lines, output);
  // In which block an AuthType stands is a case of the section; other Auth lines count whatever block they stand in.
  const { authType } = scope.lines;
  const target = targetBodyOf(scope, lines.length > 0 || authType === undefined ? lines : [authType]);
  if (target === undefined) return { problem: { kind: 'scattered' } };
  const all = lines.length > scope.lines.old.length || output.length > 0;
  const removed = gatherRemoved(lines, target, all);
  if ('problem' in removed) return removed;
  let isBeside = false;
  const placed = placeIn(target, removed, output, (last) => {
    isBeside = last === undefined;
    return last === undefined ? besideAuth(scope, target) : last.close;
  });
  if ('problem' in placed) return placed;
  const consumed = isBeside ? [...placed.consumed, scope.lines.beside!.node] : placed.consumed;
  return { file: consumed.length > 0 ? target.file : scope.file, edits: placed.edits, consumed };
}

/** Whether lines stand in one file, and no Limit around an Include is around them. */
function standTogether(lines: readonly ScopeLine[]): boolean {
  const file = lines[0]?.file;
  return lines.every(
    (line) =>
      line.file === file && line.inner.every((frame) => frame.file === file || !isLimit(frame.section)),
  );
}

/** Takes away the lines that a section reads from files that it includes, and says in its own text what they said. */
function placeInSection(scope: Scope, lines: readonly ScopeLine[], parts: readonly RewriteOutput[]): Rewrite {
  const { file, includes } = scope;
  const here = lines.filter((line) => line.file === file);
  const target = leavesDefine(lines, file) ? undefined : targetBodyOf(scope, [...here, ...includes]);
  if (target === undefined) return { problem: { kind: 'scattered' } };
  const removed = gatherRemoved(here, target, true);
  if ('problem' in removed) return removed;
  const removals: IncludedRemoval[] = [];
  for (const other of new Set(lines.map((line) => line.file))) {
    if (other === file) continue;
    const included = lines.filter((line) => line.file === other);
    const goes = gatherIncluded(included, other);
    if ('problem' in goes) return goes;
    const edits = layout(other.document, inOrder(goes), [], other.document.body, undefined);
    removals.push({ file: other, edits, lines: included });
  }
  const last = includes.at(-1)!;
  const around = last.inner.find((frame) => !target.around.has(frame.section))?.section;
  const placed = placeIn(target, removed, parts, () => (around === undefined ? last.node : around.close));
  if ('problem' in placed) return placed;
  const [first] = removals;
  // A section in which nothing is left to say stands where its lines stood.
  if (placed.edits.length === 0 && first !== undefined)
    return { file: first.file, edits: first.edits, consumed: placed.consumed, removals: removals.slice(1) };
  return { file, edits: placed.edits, consumed: placed.consumed, removals };
}

/**
 * Lays out what is written of a section, in place of the lines that it takes away.
 * @param besideOf where new lines go if none is taken away; gets the last conditional of which a part goes
 */
function placeIn(
  target: TargetBody,
  { consumed, staying, outermost }: RemovedLines,
  output: readonly RewriteOutput[],
  besideOf: (last: Section | undefined) => RemovedLine | undefined,
): Pick<RewrittenSection, 'edits' | 'consumed'> | NoRewrite {
  const { document } = target.file;
  if (output.length === 0) removeEmptied(target, consumed);
  const edits: RewriteEdit[] = [];
  let rest = output;
  for (const [section, gone] of staying) {
    if (gone.size === 0) continue;
    const fitting = outermost.has(section) ? rest.find((item) => isFor(item, section)) : undefined;
    rest = rest.filter((item) => item !== fitting);
    const body = fitting?.kind === 'block' ? fitting.body : [];
    appendAll(edits, layout(document, inOrder(gone), body, section.body, section));
  }
  const touched: object[] = [...consumed];
  for (const gone of staying.values()) appendAll(touched, gone);
  const [inside, around] = rest.length > 0 ? parted(consumed, target) : [inOrder(consumed), []];
  const lay = (lines: readonly RemovedLine[], items: readonly RewriteOutput[]): RewriteEdit[] =>
    lines.length === 0 ? [] : layout(document, lines, items, target.body, target.section);
  appendAll(edits, inOrder([...lay(around, []), ...lay(inside, rest)]));
  if (inside.length === 0 && rest.length > 0) {
    const beside = besideOf(inOrder(outermost).at(-1));
    if (beside === undefined) return { problem: { kind: 'no-place' } };
    const unit = indentUnit(document, indentOf(document, beside), target.section);
    edits.push(writeAfter(document, beside, rest, unit));
  }
  return { edits, consumed: touched };
}

/** Lines inside the target, and those around it, in their order: a Limit around the conditional that new lines go into. */
function parted(
  consumed: ReadonlySet<RemovedLine>,
  { around, section }: TargetBody,
): readonly [inside: RemovedLine[], around: RemovedLine[]] {
  const lines = inOrder(consumed);
  if (section === undefined || !around.has(section)) return [lines, []];
  const end = section.close?.start ?? Infinity;
  const isInside = ({ start }: RemovedLine): boolean => start > section.start && start < end;
  return [lines.filter(isInside), lines.filter((line) => !isInside(line))];
}

/** Whether a conditional of the rewrite asks what a section asks. */
function isFor(output: RewriteOutput, section: Section): boolean {
  if (output.kind !== 'block' || output.asks === undefined) return false;
  const [test] = conditionalTests([section]);
  return output.asks.name === test!.name && output.asks.is === test!.is;
}

/** A conditional of which nothing is left, not even a comment, goes too. */
function removeEmptied(target: TargetBody, consumed: Set<RemovedLine>): void {
  const gone = (node: Node): boolean =>
    node.kind === 'blank' ||
    (node.kind === 'section'
      ? consumed.has(node.open) && node.body.every(gone)
      : consumed.has(node as Directive));
  for (const section of [...target.around].reverse()) {
    if (!isConditional(section) || section.close === undefined || !section.body.every(gone)) return;
    consumed.add(section.open);
    consumed.add(section.close);
  }
}

/** An Auth line looks at no method or case: a Limit or conditional around it must not limit what is written for all. */
function besideAuth({ lines: { beside: line } }: Scope, target: TargetBody): RemovedLine | undefined {
  const frame = line?.inner.find(({ section, file }) => file === target.file && !target.around.has(section));
  if (frame !== undefined) return frame.section.close;
  let beside = line?.node;
  const at = beside === undefined ? -1 : target.body.indexOf(beside);
  // Below what belongs to it.
  for (const node of at < 0 ? [] : target.body.slice(at + 1)) {
    if (node.kind !== 'directive' || !node.key.startsWith('auth')) break;
    beside = node;
  }
  return beside;
}
