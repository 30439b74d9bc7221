import { type ConfigFile, type ConfigTree, conditionOf, isConditional } from '../config';
import { type BlockStyle, DEFAULT_STYLE, type DualStyle, isVersionLabel } from '../edit';
import type { Grammar, Node, Section } from '../syntax';
import { TemplateHabits } from './template-habits';

/** A block of a file that one version alone reads. */
interface Block {
  readonly section: Section;
  readonly grammar: Grammar;
  /** What the guard of the block asks: `mod_authz_core.c`, `authz_core_module`, or `ifversion`. */
  readonly guard: string;
  readonly label?: NonNullable<BlockStyle['label']>;
  /** The nearest block above it for the other version, with nothing but comments and empty lines between. */
  readonly above?: Block;
  readonly isApart: boolean;
}

/**
 * How the files of a tree write blocks for one version each: as the file itself does, else as most of the others do. A template
 * that asks for the version itself, or beside which another does, goes on like that.
 * `<IfVersion>` is taken over only where it is certain that both servers have mod_version when they read it.
 */
export class DualHabits {
  readonly #blocks = new Map<ConfigFile, readonly Block[]>();
  readonly #templates: TemplateHabits;
  #loadsVersion = false;
  readonly #common: Block[] = [];

  constructor(tree: ConfigTree) {
    this.#templates = new TemplateHabits(tree);
    for (const file of tree.files) {
      const blocks: Block[] = [];
      // Beside a server, what a `.htaccess` says is for itself alone.
      const isApart = tree.isServer && file.role === 'htaccess';
      this.#gather(file.document.body, true, tree.defines, blocks, isApart);
      this.#blocks.set(file, blocks);
      if (!isApart) this.#common.push(...blocks);
    }
  }

  /** How to write blocks in a file. */
  styleOf(file: ConfigFile): DualStyle {
    const template = file.isTemplate === true ? this.#templates.styleOf(file) : undefined;
    if (template !== undefined) return template;
    const blocks = this.#blocks.get(file) ?? [];
    if (blocks.length > 0) return styleOf(blocks, !this.#loadsVersion || !loadsVersion(file.document.body));
    return styleOf(this.#common, !this.#loadsVersion);
  }

  #gather(
    body: readonly Node[],
    isSure: boolean,
    defines: ConfigTree['defines'],
    blocks: Block[],
    isApart: boolean,
  ): void {
    let above: Block | undefined;
    body.forEach((node, i) => {
      if (node.kind === 'directive') {
        above = undefined;
        if (isVersionLoad(node) && !isApart) this.#loadsVersion = true;
      }
      if (node.kind !== 'section') return;
      const block = blockOf(node, body, i, above, defines);
      above = block;
      if (block !== undefined && (isSure || block.guard !== 'ifversion')) blocks.push(block);
      this.#gather(node.body, isSure && !isConditional(node), defines, blocks, isApart);
    });
  }
}

function isVersionLoad(node: Node): boolean {
  return node.kind === 'directive' && node.key === 'loadmodule' && node.args[0]?.value === 'version_module';
}

function loadsVersion(body: readonly Node[]): boolean {
  return body.some((node) => isVersionLoad(node) || (node.kind === 'section' && loadsVersion(node.body)));
}

function blockOf(
  section: Section,
  body: readonly Node[],
  at: number,
  above: Block | undefined,
  defines: ConfigTree['defines'],
): Block | undefined {
  if (!isConditional(section) || section.close === undefined) return undefined;
  const { on22, on24 } = conditionOf(section, defines);
  if (on22 === undefined || on24 === undefined || on22 === on24) return undefined;
  const guard = guardOf(section);
  if (guard === undefined) return undefined;
  const grammar: Grammar = on24 ? '2.4' : '2.2';
  const label = labelAt(body[at - 1], false) ?? labelAt(section.body[0], true);
  const partner = above !== undefined && above.grammar !== grammar ? above : undefined;
  const between = partner === undefined ? [] : body.slice(body.indexOf(partner.section) + 1, at);
  const isApart = between.some(({ kind }) => kind === 'blank');
  return {
    section,
    grammar,
    guard,
    isApart,
    ...(label === undefined ? {} : { label }),
    ...(partner === undefined ? {} : { above: partner }),
  };
}

/** What a guard asks, of the kinds that can be written again elsewhere; undefined for all others. */
function guardOf({ key, args, open }: Section): string | undefined {
  if (key === 'ifmodule') return /^!?(mod_authz_core\.c|authz_core_module)$/.exec(args[0]?.value ?? '')?.[1];
  return key === 'ifversion' && /^[<>]=? *2\.\d+(?:\.\d+)?$/.test(open.rest) ? key : undefined;
}

function labelAt(node: Node | undefined, isInside: boolean): Block['label'] {
  if (node?.kind !== 'comment' || node.joined) return undefined;
  const text = node.logical.text.trim();
  return isVersionLabel(text) ? { text, isInside } : undefined;
}

/** @param mayAskVersion whether `<IfVersion>` may be written where these blocks do not stand */
function styleOf(all: readonly Block[], mayAskVersion: boolean): DualStyle {
  const blocks = mayAskVersion ? all : all.filter(({ guard }) => guard !== 'ifversion');
  const guard = mostFrequent(blocks.map((block) => block.guard));
  if (guard === undefined) return DEFAULT_STYLE;
  const of = (grammar: Grammar): BlockStyle => {
    const labels = blocks.filter((block) => block.grammar === grammar);
    const label = labels.find((block) => block.label !== undefined)?.label;
    const guarded = labels.filter((block) => block.guard === guard);
    const open = mostFrequent(guarded.map(({ section }) => `<${section.open.name} ${section.open.rest}>`));
    const name =
      guarded[0]?.section.open.name ?? blocks.find((block) => block.guard === guard)!.section.open.name;
    return {
      open: open ?? oppositeOf(blocks.find((block) => block.guard === guard)!.section),
      close: `</${name}>`,
      ...(label === undefined ? {} : { label }),
    };
  };
  const [for22, for24] = [of('2.2'), of('2.4')];
  const isLabelled = for22.label !== undefined && for24.label !== undefined;
  const lower = blocks.find(({ above }) => above !== undefined);
  return {
    for22: isLabelled ? for22 : withoutLabel(for22),
    for24: isLabelled ? for24 : withoutLabel(for24),
    first: lower?.grammar === '2.4' ? '2.2' : '2.4',
    apart: lower?.isApart === true,
  };
}

function withoutLabel({ open, close }: BlockStyle): BlockStyle {
  return { open, close };
}

/** The line that opens a block for the other version: a module is negated, a comparison turned round. */
function oppositeOf({ key, open: { name, rest } }: Section): string {
  if (key === 'ifmodule') return `<${name} ${rest.startsWith('!') ? rest.slice(1) : `!${rest}`}>`;
  const opposite: Readonly<Record<string, string>> = { '<': '>=', '<=': '>', '>': '<=', '>=': '<' };
  return `<${name} ${rest.replace(/^[<>]=?/, (operator) => opposite[operator] ?? operator)}>`;
}

function mostFrequent(values: readonly string[]): string | undefined {
  const counts = new Map<string, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return [...counts].sort((a, b) => b[1] - a[1])[0]?.[0];
}
