import { type ConfigTree, conditionOf, isConditional } from '../src/config';
import { type Edit, indentOf, removeLine, removeLines } from '../src/edit';
import type {
  Comment,
  Directive,
  Document,
  Node,
  Section,
  SectionClose,
  SectionOpen,
  Span,
} from '../src/syntax';

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
  if (on22 === undefined || on24 === undefined || (on22 === on24 && !compat)) return undefined;
  return { section: node, kept: on24, compat };
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
    if (node.kind === 'directive' && /^(?:order|allow|deny|satisfy)$/.test(node.key))
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
  const depth = outward + extraIndent(document, section, defines);
  const edits = [removeLine(document, open)];
  const moveOut = (line: Line): void => {
    if (depth > 0) edits.push({ start: line.start, end: line.start + depth, text: '' });
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

/** By how many blanks all lines of a section stand further in than the section itself. */
function extraIndent(document: Document, { open, body }: Section, defines: Defines): number {
  const own = indentOf(document, open);
  let common: string | undefined;
  const visit = (nodes: readonly Node[]): void => {
    for (const node of nodes) {
      if (node.kind === 'blank' || node.kind === 'raw') continue;
      if (versionBlock(node, defines)?.kept === false) continue;
      const lines = node.kind === 'section' ? [node.open, node.close] : [node];
      for (const line of lines) if (line !== undefined) common = shared(common, indentOf(document, line));
      if (node.kind === 'section') visit(node.body);
    }
  };
  visit(body);
  return common === undefined || !common.startsWith(own) ? 0 : common.length - own.length;
}

function shared(a: string | undefined, b: string): string {
  if (a === undefined) return b;
  let length = 0;
  while (length < a.length && a.charAt(length) === b.charAt(length)) length++;
  return a.slice(0, length);
}
