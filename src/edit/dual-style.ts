import { eolOf, indentOf, indentUnit } from './builders';
import { applyEdits } from './edit';
import { type Document, type Grammar, type Node, backslashesBefore, parse, type Section } from '../syntax';

/** How a file writes blocks for one version each. */
export interface DualStyle {
  readonly for22: BlockStyle;
  readonly for24: BlockStyle;
  /** The version whose block stands first. */
  readonly first: Grammar;
  /** Whether an empty line stands between the two. */
  readonly apart: boolean;
  /** How a template chooses between the versions, where that writes the blocks. */
  readonly template?: TemplateStyle;
}

/** The lines of a template that choose a block: what stands under `open` is for the version whose block is first. */
export interface TemplateStyle {
  readonly open: string;
  readonly divide: string;
  readonly close: string;
  /** Whether these lines stand at the margin, however deep the lines around them do. */
  readonly atMargin: boolean;
  /** The blanks by which what is between them stands deeper. */
  readonly inner: string;
}

/** The lines that open and close a block for one version. */
export interface BlockStyle {
  readonly open: string;
  readonly close: string;
  /** The comment that names the version, as the file writes it, and whether it stands above the block or as its first line. */
  readonly label?: { readonly text: string; readonly isInside: boolean };
}

/** Every 2.4 has mod_authz_core, no 2.2 does; a block that asks for it is read by the one or by the other. */
export const DEFAULT_STYLE: DualStyle = {
  for24: { open: '<IfModule mod_authz_core.c>', close: '</IfModule>' },
  for22: { open: '<IfModule !mod_authz_core.c>', close: '</IfModule>' },
  first: '2.4',
  apart: false,
};

const LABEL =
  /^#+[ \t]*(?:for[ \t]+)?(?:apache|httpd)?[^a-z\d\r\n]{0,8}(?:httpd|http server|version|v)?[^a-z\d\r\n]{0,8}2\.\d(?:\.[\dx]+)?[ \t]*(?:\+|(?:and|or) (?:later|newer|above|higher|up|earlier|older|below|lower))?[ \t]*:?[ \t]*$/i;

/** Whether a comment says nothing but for which version what follows is: `# Apache 2.4`, `# httpd < 2.3`. */
export function isVersionLabel(comment: string): boolean {
  return LABEL.test(comment);
}

/** What a block for one version is to hold: whole lines of a text, of which the first is not blank, and neither is the last. */
export interface BlockBody {
  readonly text: string;
  readonly grammar: Grammar;
}

/** How the blocks of a place are laid out. */
export interface BlockLayout {
  /** The blanks before what stands there now. */
  readonly indent: string;
  /** One level of indentation. */
  readonly unit: string;
  readonly eol: string;
  /** Whether the blocks stand one level deeper: they are all that a section holds whose lines are not indented. */
  readonly isDeeper: boolean;
}

/**
 * The blocks for the two versions as text, each line with its end. What they hold is indented by one level; its lines are read as
 * before.
 */
export function writeBlocks(
  style: DualStyle,
  bodies: readonly BlockBody[],
  { indent: indentNow, unit, eol, isDeeper }: BlockLayout,
): string {
  const deeper = isDeeper && style.template === undefined ? unit : '';
  const indent = deeper + indentNow;
  const inOrder = [...bodies].sort(
    (a, b) => Number(b.grammar === style.first) - Number(a.grammar === style.first),
  );
  if (style.template !== undefined)
    return writeBranches(style.template, inOrder, style.first, { indent, eol });
  const blocks = inOrder.map(({ text, grammar }) => {
    const { open, close, label } = grammar === '2.4' ? style.for24 : style.for22;
    const comment = label === undefined ? '' : `${indent}${label.isInside ? unit : ''}${label.text}${eol}`;
    const body = withLineEnd(indentLines(text, deeper + unit, grammar, indentNow), eol);
    const head = `${indent}${open}${eol}`;
    return `${label?.isInside === true ? head + comment : comment + head}${body}${indent}${close}${eol}`;
  });
  return blocks.join(style.apart ? eol : '');
}

/** The blocks as the branches of a template, as text, each line with its end. */
function writeBranches(
  { open, divide, close, atMargin, inner }: TemplateStyle,
  bodies: readonly BlockBody[],
  first: Grammar,
  { indent, eol }: { readonly indent: string; readonly eol: string },
): string {
  const around = atMargin ? '' : indent;
  const texts = bodies.map(({ text, grammar }) =>
    withLineEnd(inner === '' ? text : indentLines(text, inner, grammar, indent), eol),
  );
  const line = (text: string): string => `${around}${text}${eol}`;
  const isLast = bodies.length === 1 && bodies[0]!.grammar !== first;
  const [upper = '', lower = ''] = isLast ? ['', ...texts] : texts;
  return `${line(open)}${upper}${lower === '' ? '' : line(divide) + lower}${line(close)}`;
}

/**
 * The layout of blocks beside a node of the document, or beside `added` where that is new.
 * @param isWhole the blocks are all that the section holds
 */
export function layoutBeside(
  document: Document,
  old: Node | undefined,
  added: Node | undefined,
  renewed: Document,
  { section, isWhole }: { readonly section: Section | undefined; readonly isWhole: boolean },
): BlockLayout {
  const oldLine = lineOf(old);
  const newLine = lineOf(added);
  const indent =
    oldLine !== undefined
      ? indentOf(document, oldLine)
      : newLine === undefined
        ? ''
        : indentOf(renewed, newLine);
  return {
    indent,
    unit: indentUnit(document, indent, section),
    eol: oldLine === undefined ? document.eol : eolOf(document, oldLine),
    isDeeper: isWhole && section !== undefined && indent === indentOf(document, section.open),
  };
}

function lineOf(
  node: Node | undefined,
): Exclude<Node, Section | { kind: 'raw' }> | Section['open'] | undefined {
  if (node === undefined || node.kind === 'raw') return undefined;
  return node.kind === 'section' ? node.open : node;
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

/**
 * Moves every line of a text in by `unit`; what continues a line stays where it is, for its blanks belong to the line. A comment
 * at the margin stays there, where the lines around it stand as deep as `indent`; its words move if they stand as deep as these.
 */
function indentLines(text: string, unit: string, grammar: Grammar, indent: string): string {
  const starts: number[] = [];
  const gather = (nodes: readonly Node[]): void => {
    for (const node of nodes) {
      if (node.kind === 'section') {
        starts.push(node.open.start);
        gather(node.body);
        if (node.close !== undefined) starts.push(node.close.start);
      } else if (node.kind === 'comment' && indent !== '' && text.charAt(node.start) === '#') {
        const sign = deepSign(text, node.start, indent);
        if (sign > 0) starts.push(node.start + sign);
      } else if (node.kind !== 'blank') starts.push(node.start);
    }
  };
  gather(parse(text, grammar).body);
  return applyEdits(
    text,
    starts.map((at) => ({ start: at, end: at, text: unit })),
  );
}

/** The length of the sign of a comment at the margin whose words stand as deep as `indent`, the sign counted or not; else 0. */
function deepSign(text: string, start: number, indent: string): number {
  let end = start + 1;
  while (text.charAt(end) === '#') end++;
  const isDeep = text.startsWith(indent, end) || text.startsWith(indent.slice(end - start), end);
  return isDeep && ' \t'.includes(text.charAt(end)) ? end - start : 0;
}
