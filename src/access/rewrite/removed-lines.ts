import { type ConfigFile, type Frame, isConditional } from '../../config';
import type { Directive, Node, Section, SectionClose, SectionOpen } from '../../syntax';
import { type Scope, type ScopeLine, conditionUnder, conditionalTests } from '../policy';
import { EMPTY_SET, getOrInsert } from '../primitives';
import { isContainer } from './emit';
import type { NoRewrite } from './problems';

/** The body that the new lines of a scope are laid in. */
export interface TargetBody {
  readonly file: ConfigFile;
  readonly body: readonly Node[];
  readonly section: Section | undefined;
  /** The sections inside the scope that it stands in. */
  readonly around: ReadonlySet<Section>;
}

export function isLimit(section: Section): boolean {
  return section.key === 'limit' || section.key === 'limitexcept';
}

/** The innermost body around all lines, not counting Limits and the conditionals that the rewrite asks, if any. */
export function targetBodyOf(scope: Scope, lines: readonly ScopeLine[]): TargetBody | undefined {
  const file = lines[0]?.file ?? scope.file;
  if (lines.some((line) => line.file !== file)) return undefined;
  const separated = new Set(scope.policies?.flatMap(({ tests }) => tests.map(({ name }) => name)));
  const isSeparated = (section: Section): boolean =>
    isConditional(section) && separated.has(conditionalTests([section])[0]!.name);
  const counts = (frame: Frame): boolean =>
    frame.file === file && !isLimit(frame.section) && !isContainer(frame.section.key);
  const chains = lines.map(({ inner }) => inner.filter(counts));
  // What 2.4 does not read is no place for what it is to read.
  const ends = ({ section }: Frame): boolean =>
    isSeparated(section) || conditionUnder(section).after === false;
  const around = common(chains, ends);
  // What -D decides is not decided for whoever starts the server without it: lines do not leave such a block.
  const leaves = chains.some((chain) =>
    chain.slice(around.length).some(({ section }) => section.key === 'ifdefine' && !isSeparated(section)),
  );
  if (leaves) return undefined;
  const last = around.at(-1);
  const section = last ?? (file === scope.file ? scope.section : undefined);
  return { file, body: section?.body ?? file.document.body, section, around: new Set(around) };
}

/** Whether a line that a section includes would leave an `<IfDefine>` by going into the section: see {@link targetBodyOf}. */
export function leavesDefine(lines: readonly ScopeLine[], file: ConfigFile): boolean {
  return lines.some(
    (line) =>
      line.file !== file &&
      line.inner.some((frame) => frame.file !== file && frame.section.key === 'ifdefine'),
  );
}

/** The sections that all chains begin with, up to the first that ends it. */
function common(chains: readonly (readonly Frame[])[], ends: (frame: Frame) => boolean): Section[] {
  const [first = [], ...others] = chains;
  const end = first.findIndex(
    (frame, i) => ends(frame) || others.some((chain) => chain[i]?.section !== frame.section),
  );
  return first.slice(0, end < 0 ? first.length : end).map(({ section }) => section);
}

export type RemovedLine = Directive | SectionOpen | SectionClose;

/** Lines to take away, and where the new ones may stand. */
export interface RemovedLines {
  readonly consumed: Set<RemovedLine>;
  /** Lines in a conditional that stays because it holds other things too: what is not only for that case does not go there. */
  readonly staying: ReadonlyMap<Section, ReadonlySet<RemovedLine>>;
  /** The removed sections that stand in no other. */
  readonly outermost: ReadonlySet<Section>;
}

export function inOrder<T extends { readonly start: number }>(nodes: Iterable<T>): T[] {
  return [...nodes].sort((a, b) => a.start - b.start);
}

function refused(kind: 'section-in-limit' | 'not-closed' | 'other-lines', { name }: Section): NoRewrite {
  return { problem: { kind, name } };
}

/** @param all a Limit goes even if something else is left in it */
export function gatherRemoved(
  lines: readonly ScopeLine[],
  target: Pick<TargetBody, 'file' | 'around'>,
  all: boolean,
): RemovedLines | NoRewrite {
  const consumed = new Set<RemovedLine>();
  const staying = new Map<Section, Set<RemovedLine>>();
  const outermost = new Set<Section>();
  const isSpent = spentWithout(lines);
  for (const { node, inner } of lines) {
    let into = consumed;
    for (const { section, file } of inner) {
      if (file !== target.file || target.around.has(section)) continue;
      const limit = isLimit(section);
      const container = isContainer(section.key);
      if (!limit && !container && !isConditional(section)) continue;
      if (limit && holdsSection(section)) return refused('section-in-limit', section);
      if (section.close === undefined) return refused('not-closed', section);
      const spent = isSpent(section);
      if (container && !spent) return refused('other-lines', section);
      // A Limit goes with its last access line: nothing else in it looks at the method (docs/facts/access-2.2.md: Limit).
      const goes = spent || (limit && all);
      // Its lines belong to the rest of the template.
      if (goes && section.open.reads !== undefined) return { problem: { kind: 'template' } };
      if (goes) {
        into.add(section.open);
        into.add(section.close);
      } else if (!limit) {
        if (into === consumed) outermost.add(section);
        into = getOrInsert(staying, section, () => new Set<RemovedLine>());
      }
    }
    into.add(node);
  }
  return { consumed, staying, outermost };
}

/** httpd refuses sections inside a Limit, and what its end closes; taking the Limit away would bring them to life. */
function holdsSection(section: Section): boolean {
  return section.body.some(
    (node) =>
      node.kind === 'section' &&
      (node.close === undefined || !/^(?:if|limit|require)/.test(node.key) || holdsSection(node)),
  );
}

/** Whether a section would hold nothing but blanks and comments without these lines, and is closed, as all in it. */
function spentWithout(lines: readonly ScopeLine[]): (section: Section) => boolean {
  let removed: ReadonlySet<Node> | undefined;
  // A section is asked about once for each line in it.
  const known = new Map<Section, boolean>();
  const isSpent = (section: Section): boolean =>
    getOrInsert(known, section, () => section.body.every(isGone));
  const isGone = (node: Node): boolean =>
    node.kind === 'comment' ||
    node.kind === 'blank' ||
    (removed ??= new Set(lines.map((line) => line.node))).has(node) ||
    (node.kind === 'section' && node.close !== undefined && isSpent(node));
  return isSpent;
}

/** Gathers lines of a file that a section includes, with what holds nothing else. */
export function gatherIncluded(lines: readonly ScopeLine[], file: ConfigFile): Set<RemovedLine> | NoRewrite {
  const removed = gatherRemoved(lines, { file, around: EMPTY_SET }, true);
  if ('problem' in removed) return removed;
  return new Set([removed.consumed, ...removed.staying.values()].flatMap((gathered) => [...gathered]));
}
