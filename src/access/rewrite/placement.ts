import { type ConfigFile, type Frame, isConditional } from '../../config';
import { indentOf, indentUnit } from '../../edit';
import type { Directive, Node, Section, SectionClose, SectionOpen } from '../../syntax';
import { type Scope, type ScopeLine, conditionalTests } from '../policy';
import { EMPTY_SET } from '../primitives';
import { type RewriteEdit, type RewriteOutput, isContainer, layout, writeAfter } from './emit';
import type { NoRewrite } from './problems';

/** The body that the new lines of a scope are laid in. */
interface TargetBody {
  readonly file: ConfigFile;
  readonly body: readonly Node[];
  readonly section: Section | undefined;
  /** The sections inside the scope that it stands in. */
  readonly around: ReadonlySet<Section>;
}

export function isLimit(section: Section): boolean {
  return section.key === 'limit' || section.key === 'limitexcept';
}

/** The innermost body that all lines stand in, not counting Limits and the conditionals that the rewrite asks; undefined where there is none. */
function targetBodyOf(scope: Scope, lines: readonly ScopeLine[]): TargetBody | undefined {
  const file = lines[0]?.file ?? scope.file;
  if (lines.some((line) => line.file !== file)) return undefined;
  // Most stand in their section and in nothing else.
  if (lines.every(({ inner }) => inner.length === 0)) return bodyOfScope(scope, file);
  const separated = new Set(scope.variants?.flatMap(({ tests }) => tests.map(({ name }) => name)));
  const isSeparated = (section: Section): boolean =>
    isConditional(section) && separated.has(conditionalTests([section])[0]!.name);
  const chains = lines.map(({ inner }) =>
    inner.filter(
      (frame) => frame.file === file && !isLimit(frame.section) && !isContainer(frame.section.key),
    ),
  );
  const around = common(chains.map((chain) => upTo(chain, isSeparated)));
  // What -D decides is not decided for whoever starts the server without it: lines do not leave such a block.
  const leaves = chains.some((chain) =>
    chain.slice(around.length).some(({ section }) => section.key === 'ifdefine' && !isSeparated(section)),
  );
  if (leaves) return undefined;
  const last = around.at(-1);
  const section = last ?? (file === scope.file ? scope.section : undefined);
  return { file, body: section?.body ?? file.document.body, section, around: new Set(around) };
}

/** The body of lines that stand in the scope itself. */
function bodyOfScope(scope: Scope, file: ConfigFile): TargetBody {
  const section = file === scope.file ? scope.section : undefined;
  return { file, body: section?.body ?? file.document.body, section, around: EMPTY_SET };
}

function upTo(chain: readonly Frame[], ends: (section: Section) => boolean): readonly Frame[] {
  const end = chain.findIndex(({ section }) => ends(section));
  return end < 0 ? chain : chain.slice(0, end);
}

/** The sections that all chains begin with. */
function common(chains: readonly (readonly Frame[])[]): Section[] {
  const [first = [], ...others] = chains;
  let length = first.length;
  for (const chain of others) {
    let same = 0;
    while (same < length && chain[same]?.section === first[same]!.section) same++;
    length = same;
  }
  return first.slice(0, length).map(({ section }) => section);
}

/** A rewrite that there is. */
export interface RewrittenSection {
  readonly file: ConfigFile;
  readonly edits: readonly RewriteEdit[];
  readonly consumed: readonly object[];
  readonly problem?: undefined;
}

/** What becomes of one scope: its edits, or why there are none to be had. */
export type Rewrite = RewrittenSection | NoRewrite;

type RemovedLine = Directive | SectionOpen | SectionClose;

/** Lines to take away, and where the new ones may stand. */
interface RemovedLines {
  readonly consumed: Set<RemovedLine>;
  /** Lines in a conditional that stays because it holds other things too: what is not only for that case does not go there. */
  readonly staying: Map<Section, Set<RemovedLine>>;
  /** Those of them that stand in no other. */
  readonly outermost: Set<Section>;
}

/** Takes lines away and lays `output` in their place. */
export function placeRewrite(
  scope: Scope,
  lines: readonly ScopeLine[],
  output: readonly RewriteOutput[],
): Rewrite {
  const bare = bareLines(lines);
  if (bare !== undefined) {
    const { file, body, section } = bodyOfScope(scope, lines[0]!.file);
    return { file, edits: layout(file.document, bare, output, body, section), consumed: bare };
  }
  const target = targetBodyOf(
    scope,
    lines.length > 0 || scope.authType === undefined ? lines : [scope.authType],
  );
  if (target === undefined) return { problem: { kind: 'scattered' } };
  const all = lines.length > scope.old.length || output.length > 0;
  const removed = gatherRemoved(lines, target, all);
  if ('problem' in removed) return removed;
  const { document } = target.file;
  const { consumed, staying, outermost } = removed;
  if (output.length === 0) removeEmptied(target, consumed);
  const edits: RewriteEdit[] = [];
  let rest = output;
  for (const [section, gone] of staying) {
    if (gone.size === 0) continue;
    const fitting = outermost.has(section) ? rest.find((item) => isFor(item, section)) : undefined;
    rest = rest.filter((item) => item !== fitting);
    const body = fitting?.kind === 'block' ? fitting.body : [];
    edits.push(...layout(document, inOrder(gone), body, section.body, section));
  }
  const touched: object[] = [...consumed];
  for (const gone of staying.values()) touched.push(...gone);
  if (consumed.size > 0)
    edits.push(...layout(document, inOrder(consumed), rest, target.body, target.section));
  else if (rest.length > 0) {
    const last = inOrder(outermost).at(-1);
    const beside = last === undefined ? besideAuthType(scope, target) : last.close;
    if (beside === undefined) return { problem: { kind: 'no-place' } };
    if (last === undefined) touched.push(scope.authType!.node);
    const unit = indentUnit(document, indentOf(document, beside), target.section);
    edits.push(writeAfter(document, beside, rest, unit));
  }
  return { file: touched.length > 0 ? target.file : scope.file, edits, consumed: touched };
}

/** The lines in their order where all stand in one file and in the scope itself, as most do; undefined where that is not so. */
function bareLines(lines: readonly ScopeLine[]): Directive[] | undefined {
  if (lines.length === 0) return undefined;
  const { file } = lines[0]!;
  const bare: Directive[] = [];
  let isInOrder = true;
  let last = -1;
  for (let i = 0; i < lines.length; i++) {
    const line = lines[i]!;
    const { node } = line;
    if (line.inner.length > 0 || line.file !== file || node.kind !== 'directive') return undefined;
    isInOrder &&= node.start > last;
    last = node.start;
    bare.push(node);
  }
  // A file included twice in one section brings its lines twice.
  return isInOrder ? bare : inOrder(new Set(bare));
}

function inOrder<T extends { readonly start: number }>(nodes: Iterable<T>): T[] {
  return [...nodes].sort((a, b) => a.start - b.start);
}

/** Whether a conditional of the rewrite asks what a section asks. */
function isFor(output: RewriteOutput, section: Section): boolean {
  if (output.kind !== 'block' || output.asks === undefined) return false;
  const [test] = conditionalTests([section]);
  return output.asks.name === test!.name && output.asks.is === test!.is;
}

function refused(kind: 'section-in-limit' | 'not-closed' | 'other-lines', { name }: Section): NoRewrite {
  return { problem: { kind, name } };
}

/** @param all a Limit goes even if something else is left in it */
function gatherRemoved(
  lines: readonly ScopeLine[],
  target: TargetBody,
  all: boolean,
): RemovedLines | NoRewrite {
  const removed: RemovedLines = { consumed: new Set(), staying: new Map(), outermost: new Set() };
  let nodes: ReadonlySet<Node> | undefined;
  for (const { node, inner } of lines) {
    let into = removed.consumed;
    for (const { section, file } of inner) {
      if (file !== target.file || target.around.has(section)) continue;
      const limit = isLimit(section);
      const container = isContainer(section.key);
      if (!limit && !container && !isConditional(section)) continue;
      if (limit && holdsSection(section)) return refused('section-in-limit', section);
      if (section.close === undefined) return refused('not-closed', section);
      nodes ??= new Set(lines.map((line) => line.node));
      const spent = isSpent(section, nodes);
      if (container && !spent) return refused('other-lines', section);
      // A Limit goes with its last access line: nothing else in it looks at the method (docs/facts/access-2.2.md: Limit).
      if (limit ? all || spent : spent) {
        into.add(section.open);
        into.add(section.close);
      } else if (!limit) {
        if (into === removed.consumed) removed.outermost.add(section);
        into = removed.staying.get(section) ?? new Set();
        removed.staying.set(section, into);
      }
    }
    if (node.kind === 'directive') into.add(node);
  }
  return removed;
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

/** AuthType looks at no method: a Limit around it must not limit what is written for all; nor a conditional, what is written for each case. */
function besideAuthType({ authType }: Scope, target: TargetBody): RemovedLine | undefined {
  const frame = authType?.inner.find(
    ({ section, file }) => file === target.file && !target.around.has(section),
  );
  if (frame !== undefined) return frame.section.close;
  let beside = authType?.node;
  const at = beside === undefined ? -1 : target.body.indexOf(beside);
  // Below what belongs to it.
  for (const node of at < 0 ? [] : target.body.slice(at + 1)) {
    if (node.kind !== 'directive' || !node.key.startsWith('auth')) break;
    beside = node;
  }
  return beside;
}

/** httpd refuses sections inside a Limit; taking the Limit away would bring them to life. */
function holdsSection(section: Section): boolean {
  return section.body.some(
    (node) => node.kind === 'section' && (!/^(?:if|limit|require)/.test(node.key) || holdsSection(node)),
  );
}

/** True if nothing but blanks and comments would be left in a section. */
function isSpent(section: Section, removed: ReadonlySet<Node>): boolean {
  return section.body.every(
    (node) =>
      node.kind === 'comment' ||
      node.kind === 'blank' ||
      removed.has(node) ||
      (node.kind === 'section' && isSpent(node, removed)),
  );
}
