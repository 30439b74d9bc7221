import { blocksToKeep, checkBlocks, reportBlockDifferences } from '../../src/access';
import { type ConfigFile, type ConfigTree, conditionOf, isConditional } from '../../src/config';
import { type Edit, extraIndent, outdentLine, removeLine, removeLines } from '../../src/edit';
import { LoadOrder, type TransformContext, defineTransform } from '../../src/engine';
import { nameIn24 } from '../../src/httpd/modules';
import type {
  Comment,
  Directive,
  Document,
  Node,
  Section,
  SectionClose,
  SectionOpen,
  Span,
} from '../../src/syntax';

export default defineTransform({
  id: 'version-block',
  changes: [],
  title: 'Blocks for 2.2 and for 2.4',
  why: 'Once 2.2 is no longer used, the contents of a block for 2.4 can stand alone and a block for 2.2 can be removed. Only done with --no-dual.',
  docs: ['core: IfModule', 'mod_version: IfVersion'],
  directives: [],
  run(context) {
    if (context.dual !== false) return;
    const order = new LoadOrder(context.tree);
    const left: Left[] = [];
    const kept = blocksToKeep(context.tree).map(({ file, section }) => ({
      file,
      start: section?.start ?? 0,
      end: section?.end ?? Infinity,
    }));
    for (const file of context.tree.files) visitBody(file, file.document.body, order, context, left, kept);
    for (const finding of reportBlockDifferences(context.tree)) {
      const { file, at } = finding;
      if (!left.some((one) => one.file === file && one.start <= at && at < one.end)) context.report(finding);
    }
  },
  check: checkBlocks,
});

/** Blocks that stay, with a finding of their own. */
interface Left extends Span {
  readonly file: ConfigFile;
}

function visitBody(
  file: ConfigFile,
  body: readonly Node[],
  order: LoadOrder,
  context: TransformContext,
  left: Left[],
  kept: readonly Left[],
): void {
  const { defines } = context.tree;
  const isKept = ({ start, end }: Section): boolean =>
    kept.some((span) => span.file === file && span.start < end && start < span.end);
  const places = new Map<Node, number>();
  body.forEach((node, i) => places.set(node, i));
  for (const cluster of clusters(body, defines)) {
    const reason = cluster
      .map(
        (block) =>
          obstacle(block, defines) ??
          (isKept(block.section) && holdsAccess(block.section) ? KEPT : undefined) ??
          order.refusal(file, block.section.start, []),
      )
      .find((one) => one !== undefined);
    if (reason !== undefined)
      left.push({ file, start: cluster[0]!.section.start, end: cluster.at(-1)!.section.end });
    const assumed = cluster.some(({ section, compat }) => compat || asksForCompat(section, context));
    cluster.forEach((block, i) => {
      const { open } = block.section;
      const name = `<${open.name} ${open.rest}>`;
      if (reason !== undefined) {
        if (i > 0) return;
        context.report({ file, at: open.from, level: 'warning', safety: 'manual', message: `${name} is left as it is: ${reason}`, edits: [] }); // prettier-ignore
        return;
      }
      context.report({
        file,
        at: open.from,
        level: 'info',
        safety: assumed ? 'review' : 'safe',
        message:
          (block.kept ? `2.4 always reads ${name}: its lines stay, without the block` : `2.4 never reads ${name}: it goes`) +
          (assumed ? ', assuming that mod_access_compat is not loaded' : ''),
        edits: collapse(file.document, block, defines, 0, block.kept ? block.section : extentOf(body, places.get(block.section)!, i > 0)),
        tentative: true,
        group: `version-block:${file.name}:${cluster[0]!.section.start}`,
      }); // prettier-ignore
    });
  }
  body.forEach((node, i) => {
    if (node.kind !== 'section' || versionBlock(node, defines) !== undefined) return;
    if (isUndecided(node, body, i, context))
      context.report({
        file,
        at: node.open.from,
        level: 'warning',
        safety: 'manual',
        message: `<${node.open.name} ${node.open.rest}> is left as it is: whether 2.4 reads it cannot be told from the configuration`,
        edits: [],
      });
    visitBody(file, node.body, order, context, left, kept);
  });
}

const KEPT = 'what 2.2 reads of access in it has no place yet in what 2.4 reads';

function holdsAccess(section: Section): boolean {
  return holds(section, OLD) || holds(section, NEW);
}

function asksForCompat(section: Section, context: TransformContext): boolean {
  return section.body.some(
    (node) =>
      node.kind === 'section' &&
      (versionBlock(node, context.tree.defines)?.compat === true || asksForCompat(node, context)),
  );
}

/**
 * What goes with a block that goes: the comments between it and the block before it, or above it where they speak of 2.2 alone, and one of
 * the blank lines around it.
 * @param at its index in `body`
 * @param follows another block of its cluster stands above it
 */
function extentOf(body: readonly Node[], at: number, follows: boolean): Span {
  let from = at;
  while (body[from - 1]?.kind === 'comment') from--;
  const above = body.slice(from, at).map((node) => (node.kind === 'comment' ? node.logical.text : ''));
  const own = follows || above.some((text) => /\b2\.[02]\b/.test(text));
  if (!own || above.some((text) => /\b2\.4\b/.test(text))) from = at;
  const next = body[at + 1];
  const before = body[from - 1]?.kind ?? 'blank';
  return {
    start: body[from]!.start,
    end: before === 'blank' && next?.kind === 'blank' ? next.end : body[at]!.end,
  };
}

/** True for a block of a pair that looks as if it were for one version, and for one that asks for a release of a version. */
function isUndecided(
  section: Section,
  body: readonly Node[],
  at: number,
  { tree }: TransformContext,
): boolean {
  const { on22, on24 } = conditionOf(section, tree.defines);
  if (on22 !== undefined && on24 !== undefined) return false;
  if (section.key === 'ifversion') return true;
  let i = at + 1;
  while (body[i]?.kind === 'comment' || body[i]?.kind === 'blank') i++;
  const next = body[i];
  if (next?.kind !== 'section' || next.key !== section.key) return false;
  const [a, b] = [section.open.rest, next.open.rest];
  if (a !== `!${b}` && b !== `!${a}`) return false;
  return (holds(section, OLD) && holds(next, NEW)) || (holds(section, NEW) && holds(next, OLD));
}

const OLD = /^(?:order|allow|deny|satisfy)$/;
const NEW = /^(?:require|requireall|requireany)$/;

function holds({ body }: Section, pattern: RegExp): boolean {
  return body.some(
    (node) =>
      ((node.kind === 'directive' || node.kind === 'section') && pattern.test(node.key)) ||
      (node.kind === 'section' && holds(node, pattern)),
  );
}

/** A block that one version reads and the other does not, or that asks for mod_access_compat. */
interface VersionBlock {
  readonly section: Section;
  /** What 2.4 makes of it: its lines stay, or it goes. */
  readonly kept: boolean;
  readonly compat: boolean;
}

type Defines = ConfigTree['defines'];

function versionBlock(node: Node, defines: Defines): VersionBlock | undefined {
  if (node.kind !== 'section' || !isConditional(node)) return undefined;
  const { on22, on24 } = conditionOf(node, defines);
  const compat = /^!?(?:mod_access_compat\.c|access_compat_module)$/.test(node.args[0]?.value ?? '');
  if (on24 === undefined) return undefined;
  if (isRenamed(node)) return { section: node, kept: on24, compat };
  if (on22 === undefined || (on22 === on24 && !compat)) return undefined;
  return { section: node, kept: on24, compat };
}

/** Whether a conditional asks for a module of 2.2 by a name that 2.4 does not have, though it has the module. */
function isRenamed({ key, args }: Section): boolean {
  const name = (args[0]?.value ?? '').replace(/^!/, '');
  return key === 'ifmodule' && nameIn24(name) !== name;
}

/** Version blocks that follow one another with nothing but comments and blank lines between them. */
function clusters(body: readonly Node[], defines: Defines): VersionBlock[][] {
  const result: VersionBlock[][] = [];
  let open: VersionBlock[] | undefined;
  for (const node of body) {
    if (node.kind === 'comment' || node.kind === 'blank') continue;
    const block = versionBlock(node, defines);
    if (block === undefined) open = undefined;
    else if (open === undefined) result.push((open = [block]));
    else open.push(block);
  }
  return result;
}

/** Why a block cannot be collapsed; undefined where it can. */
function obstacle({ section, kept }: VersionBlock, defines: Defines): string | undefined {
  if (section.close === undefined) return 'it is not closed';
  if (!kept) return undefined;
  for (const node of section.body) {
    if (node.kind === 'stray') return 'it holds a line that httpd refuses';
    // What both versions read by different names is converted where it stands.
    if (node.kind === 'directive' && !isRenamed(section) && /^(?:order|allow|deny|satisfy)$/.test(node.key))
      return `it is for 2.4 and holds ${node.name}, a line of 2.2`;
    if (node.kind !== 'section') continue;
    const inner = versionBlock(node, defines);
    const below = inner?.kept === false ? undefined : obstacle({ section: node, kept: true, compat: false }, defines); // prettier-ignore
    if (below !== undefined) return below;
  }
  return undefined;
}

type Line = Directive | Comment | SectionOpen | SectionClose;

/**
 * The edits that leave of a block what 2.4 reads: its lines without the ones that open and close it, moved out as far as all of them
 * stand further in; or nothing. Blocks inside it are collapsed with it.
 * @param outward blanks that every line loses for the blocks around it
 * @param extent what goes with a block that goes
 */
function collapse(
  document: Document,
  { section, kept }: VersionBlock,
  defines: Defines,
  outward = 0,
  extent: Span = section,
): Edit[] {
  if (!kept) return [removeLines(document, extent)];
  const { open, close, body } = section;
  const depth =
    outward + extraIndent(document, section, (node) => versionBlock(node, defines)?.kept === false);
  const edits = [removeLine(document, open)];
  const moveOut = (line: Line): void => {
    if (depth > 0) edits.push(outdentLine(line, depth));
  };
  const visit = (nodes: readonly Node[]): void => {
    for (const node of nodes) {
      const inner = versionBlock(node, defines);
      if (inner !== undefined) edits.push(...collapse(document, inner, defines, depth));
      else if (node.kind === 'directive' || node.kind === 'comment') moveOut(node);
      else if (node.kind === 'section') {
        moveOut(node.open);
        visit(node.body);
        if (node.close !== undefined) moveOut(node.close);
      }
    }
  };
  visit(body);
  if (close !== undefined) edits.push(removeLine(document, close));
  return edits;
}
