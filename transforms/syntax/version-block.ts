import { blocksToKeep, checkBlocks, reportBlockDifferences } from '../../src/access';
import { type ConfigFile, type ConfigTree, conditionOf, isConditional } from '../../src/config';
import { type Edit, extraIndent, isVersionLabel, outdentLine, removeLine, removeLines } from '../../src/edit';
import { LoadOrder, type TransformContext, defineTransform } from '../../src/engine';
import { nameIn24 } from '../../src/httpd/modules';
import {
  appendAll,
  type Comment,
  type Directive,
  type Document,
  type Node,
  type Section,
  type SectionClose,
  type SectionOpen,
  type Span,
} from '../../src/syntax';

export default defineTransform({
  id: 'version-block',
  changes: [],
  title: 'Blocks for 2.2 and for 2.4',
  why: 'Once 2.2 is no longer used, the contents of a block for 2.4 can stand alone and a block for 2.2 can be removed. Only done with --no-dual.',
  docs: ['core: IfModule', 'mod_version: IfVersion'],
  run(context) {
    if (context.dual !== false) return;
    const order = new LoadOrder(context.tree);
    const keptBlocks: KeptBlock[] = [];
    const spans = blocksToKeep(context.tree).map(({ file, section }) => ({
      file,
      start: section?.start ?? 0,
      end: section?.end ?? Infinity,
    }));
    for (const file of context.tree.files)
      visitBody(file, file.document.body, order, context, keptBlocks, spans);
    for (const finding of reportBlockDifferences(context.tree)) {
      const { file, at } = finding;
      if (!keptBlocks.some((block) => block.file === file && block.start <= at && at < block.end))
        context.report(finding);
    }
  },
  check: checkBlocks,
});

/** A block that is left as it is, with a finding that says why. */
interface KeptBlock extends Span {
  readonly file: ConfigFile;
}

function visitBody(
  file: ConfigFile,
  body: readonly Node[],
  order: LoadOrder,
  context: TransformContext,
  keptBlocks: KeptBlock[],
  spans: readonly KeptBlock[],
): void {
  const { defines } = context.tree;
  const isKept = ({ start, end }: Section): boolean =>
    spans.some((span) => span.file === file && span.start < end && start < span.end);
  const indexes = new Map<Node, number>();
  body.forEach((node, i) => indexes.set(node, i));
  for (const cluster of clustersOf(body, defines)) {
    const reason = cluster
      .map(
        (block) =>
          obstacleTo(block, defines) ??
          (isKept(block.section) && holdsAccess(block.section) ? KEPT : undefined) ??
          order.refusal(file, block.section.start),
      )
      .find((obstacleOrRefusal) => obstacleOrRefusal !== undefined);
    if (reason !== undefined)
      keptBlocks.push({ file, start: cluster[0]!.section.start, end: cluster.at(-1)!.section.end });
    const assumesNoCompat = cluster.some(({ section, compat }) => compat || asksForCompat(section, context));
    cluster.forEach((block, i) => {
      const { open } = block.section;
      const name = open.shown;
      if (reason !== undefined) {
        if (i > 0) return;
        context.report({
          file,
          at: open.from,
          level: 'warning',
          message: `${name} is left as it is: ${reason}`,
        });
        return;
      }
      context.report({
        file,
        at: open.from,
        level: 'info',
        safety: assumesNoCompat ? 'review' : 'safe',
        message:
          (block.kept
            ? `2.4 always reads ${name}: its lines stay, and the block around them is removed`
            : `2.4 never reads ${name}: it is removed`) +
          (assumesNoCompat ? '; this assumes that mod_access_compat is not loaded' : ''),
        edits: [
          ...(block.kept ? labelAbove(file.document, body, indexes.get(block.section)!) : []),
          ...collapse(
            file.document,
            block,
            defines,
            0,
            block.kept
              ? block.section
              : removedSpan(body, indexes.get(block.section)!, {
                  first: i === 0,
                  last: i === cluster.length - 1,
                }),
          ),
        ],
        tentative: true,
        group: `version-block:${file.name}:${cluster[0]!.section.start}`,
      });
    });
  }
  body.forEach((node, i) => {
    if (node.kind !== 'section' || versionBlock(node, defines) !== undefined) return;
    if (isUndecided(node, body, i, context))
      context.report({
        file,
        at: node.open.from,
        level: 'warning',
        message: `${node.open.shown} is left as it is: the configuration does not show whether 2.4 reads it`,
      });
    visitBody(file, node.body, order, context, keptBlocks, spans);
  });
}

const KEPT = 'what 2.2 reads of access in it has no place yet in what 2.4 reads';

function holdsAccess(section: Section): boolean {
  return contains(section, ACCESS_22) || contains(section, ACCESS_24);
}

function asksForCompat(section: Section, context: TransformContext): boolean {
  return section.body.some(
    (node) =>
      node.kind === 'section' &&
      (versionBlock(node, context.tree.defines)?.compat === true || asksForCompat(node, context)),
  );
}

/**
 * What is removed together with a block: the comments and blank lines between it and the block before it in its cluster, or the
 * comments above it if they mention only 2.2, and one of the blank lines around it.
 * @param at its index in `body`
 * @param place whether it is the first block of its cluster, and the last
 */
function removedSpan(
  body: readonly Node[],
  at: number,
  place: { readonly first: boolean; readonly last: boolean },
): Span {
  let from = at;
  while (body[from - 1]?.kind === 'comment' || (!place.first && body[from - 1]?.kind === 'blank')) from--;
  const above = body.slice(from, at).map((node) => (node.kind === 'comment' ? node.logical.text : ''));
  const isForBlock = !place.first || above.some((text) => /\b2\.[02]\b/.test(text));
  if (place.first && (!isForBlock || above.some((text) => /\b2\.4\b/.test(text))))
    from = isLabel(body[at - 1]) ? at - 1 : at;
  let to = at;
  if (!place.last) while (body[to + 1]?.kind === 'blank') to++;
  const next = body[to + 1];
  const before = body[from - 1]?.kind ?? 'blank';
  return {
    start: body[from]!.start,
    end: before === 'blank' && next?.kind === 'blank' ? next.end : body[to]!.end,
  };
}

/** The edits that remove the comment above a block that says nothing but for which version the block is. */
function labelAbove(document: Document, body: readonly Node[], at: number): Edit[] {
  const above = body[at - 1];
  return isLabel(above) ? [removeLine(document, above)] : [];
}

function isLabel(node: Node | undefined): node is Comment {
  return node?.kind === 'comment' && isVersionLabel(node.logical.text.trim());
}

/** True for a block of a pair as if for one version each, and for one that depends on the release of a version. */
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
  return (
    (contains(section, ACCESS_22) && contains(next, ACCESS_24)) ||
    (contains(section, ACCESS_24) && contains(next, ACCESS_22))
  );
}

const ACCESS_22 = /^(?:order|allow|deny|satisfy)$/;
const ACCESS_24 = /^(?:require|requireall|requireany)$/;

function contains({ body }: Section, pattern: RegExp): boolean {
  return body.some(
    (node) =>
      ((node.kind === 'directive' || node.kind === 'section') && pattern.test(node.key)) ||
      (node.kind === 'section' && contains(node, pattern)),
  );
}

/** A block that one version reads and the other does not, or that asks for mod_access_compat. */
interface VersionBlock {
  readonly section: Section;
  /** Whether its lines stay, because 2.4 reads them; otherwise it is removed. */
  readonly kept: boolean;
  readonly compat: boolean;
}

type Defines = ConfigTree['defines'];

function versionBlock(node: Node, defines: Defines): VersionBlock | undefined {
  if (node.kind !== 'section' || !isConditional(node)) return undefined;
  const { on22, on24 } = conditionOf(node, defines);
  const compat = /^!?(?:mod_access_compat\.c|access_compat_module)$/.test(node.args[0]?.value ?? '');
  if (on24 === undefined) return undefined;
  // The last branch of a template's choice ends it, and goes with the others even if no version is left for it.
  if (node.open.reads !== undefined) return { section: node, kept: on24, compat };
  if (isRenamed(node)) return { section: node, kept: on24, compat };
  // What `<IfVersion <= 2.2>` holds no 2.2 reads either, since each is above 2.2.0.
  if (on22 === undefined || (on22 === on24 && !compat && (on24 || !endsBefore24(node)))) return undefined;
  return { section: node, kept: on24, compat };
}

/** Whether no version later than 2.2 reads an IfVersion block; one such as `<IfVersion >= 2.6>` is for what comes after 2.4. */
function endsBefore24({ key, args }: Section): boolean {
  const words = args.map(({ value }) => value).join(' ');
  return (
    key === 'ifversion' && /^(?:(?:<=?|==?) )?(?:[01](?:\.\d+){0,2}|2(?:\.[0-2](?:\.\d+)?)?)$/.test(words)
  );
}

/** Whether a conditional asks for a module by a name that 2.4 has changed. */
function isRenamed({ key, args }: Section): boolean {
  const name = (args[0]?.value ?? '').replace(/^!/, '');
  return key === 'ifmodule' && nameIn24(name) !== name;
}

/** Version blocks that follow one another with nothing but comments and blank lines between them. */
function clustersOf(body: readonly Node[], defines: Defines): VersionBlock[][] {
  const result: VersionBlock[][] = [];
  let cluster: VersionBlock[] | undefined;
  for (const node of body) {
    if (node.kind === 'comment' || node.kind === 'blank') continue;
    const block = versionBlock(node, defines);
    if (block === undefined) cluster = undefined;
    else if (cluster === undefined) result.push((cluster = [block]));
    else cluster.push(block);
  }
  return result;
}

/** Why a block cannot be collapsed; undefined if it can. */
function obstacleTo({ section, kept }: VersionBlock, defines: Defines): string | undefined {
  if (section.close === undefined) return 'it is not closed';
  if (!kept) return undefined;
  for (const node of section.body) {
    if (node.kind === 'stray') return 'it holds a line that httpd refuses';
    // The lines for a renamed module are for both versions and are converted in place.
    if (node.kind === 'directive' && !isRenamed(section) && /^(?:order|allow|deny|satisfy)$/.test(node.key))
      return `it is for 2.4 but holds ${node.name}, a directive of 2.2`;
    if (node.kind !== 'section') continue;
    const innerBlock = versionBlock(node, defines);
    const innerObstacle =
      innerBlock?.kept === false
        ? undefined
        : obstacleTo({ section: node, kept: true, compat: false }, defines);
    if (innerObstacle !== undefined) return innerObstacle;
  }
  return undefined;
}

type OutdentedLine = Directive | Comment | SectionOpen | SectionClose;

/**
 * The edits that leave of a block what 2.4 reads: nothing, or its lines without those that open and close it, outdented by the
 * blanks that they all have more than the block. Blocks inside it are collapsed too.
 * @param outerOutdent the blanks by which the blocks around it outdent every line
 * @param extent what is removed with a block that is removed
 */
function collapse(
  document: Document,
  { section, kept }: VersionBlock,
  defines: Defines,
  outerOutdent = 0,
  extent: Span = section,
): Edit[] {
  if (!kept) return [removeLines(document, extent)];
  const { open, close, body } = section;
  const outdent =
    outerOutdent + extraIndent(document, section, (node) => versionBlock(node, defines)?.kept === false);
  const edits = [removeLine(document, open)];
  const moveOut = (line: OutdentedLine): void => {
    if (outdent > 0) edits.push(outdentLine(line, outdent));
  };
  const visit = (nodes: readonly Node[]): void => {
    for (const [i, node] of nodes.entries()) {
      const innerBlock = versionBlock(node, defines);
      const next = nodes[i + 1];
      if (
        isLabel(node) &&
        (node === body[0] || (next !== undefined && versionBlock(next, defines) !== undefined))
      )
        edits.push(removeLine(document, node));
      else if (innerBlock !== undefined) appendAll(edits, collapse(document, innerBlock, defines, outdent));
      else if (node.kind === 'directive' || node.kind === 'comment') moveOut(node);
      else if (node.kind === 'section') {
        moveOut(node.open);
        visit(node.body);
        if (node.close !== undefined) moveOut(node.close);
      }
    }
  };
  visit(body);
  if (close !== undefined && close.end > close.start) edits.push(removeLine(document, close));
  return edits;
}
