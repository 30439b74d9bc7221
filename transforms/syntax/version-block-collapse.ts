import { type ConfigTree, conditionOf, isConditional } from '../../src/config';
import { type Edit, extraIndent, outdentLine, removeLine, removeLines } from '../../src/edit';
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
import { nameIn24 } from '../../src/httpd/modules';

/** A block that one version reads and the other does not, or that asks for mod_access_compat. */
export interface VersionBlock {
  readonly section: Section;
  /** What 2.4 makes of it: its lines stay, or it goes. */
  readonly kept: boolean;
  readonly compat: boolean;
}

type Defines = ConfigTree['defines'];

export function versionBlock(node: Node, defines: Defines): VersionBlock | undefined {
  if (node.kind !== 'section' || !isConditional(node)) return undefined;
  const { on22, on24 } = conditionOf(node, defines);
  const compat = /^!?(?:mod_access_compat\.c|access_compat_module)$/.test(node.args[0]?.value ?? '');
  if (on24 === undefined) return undefined;
  if (isRenamed(node)) return { section: node, kept: on24, compat };
  if (on22 === undefined || (on22 === on24 && !compat)) return undefined;
  return { section: node, kept: on24, compat };
}

/** Whether a conditional asks for a module of 2.2 by a name that 2.4 does not have, though it has the module. */
export function isRenamed({ key, args }: Section): boolean {
  const name = (args[0]?.value ?? '').replace(/^!/, '');
  return key === 'ifmodule' && nameIn24(name) !== name;
}

/** Version blocks that follow one another with nothing but comments and blank lines between them. */
export function clusters(body: readonly Node[], defines: Defines): VersionBlock[][] {
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
export function obstacle({ section, kept }: VersionBlock, defines: Defines): string | undefined {
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
export function collapse(
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
