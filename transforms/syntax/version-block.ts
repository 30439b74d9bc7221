import { tellSides } from '../../src/access';
import { type ConfigFile, conditionOf } from '../../src/config';
import { LoadOrder, type TransformContext, defineTransform } from '../../src/engine';
import type { Node, Section, Span } from '../../src/syntax';
import { clusters, collapse, obstacle, versionBlock } from './version-block-collapse';

export default defineTransform({
  id: 'version-block',
  seed: [],
  title: 'Blocks for 2.2 and for 2.4',
  why: 'Once no 2.2 is left, what is in a block for 2.4 can stand without it, and what is for 2.2 can go. Done with --no-dual only.',
  docs: ['core: IfModule', 'mod_version: IfVersion'],
  directives: [],
  run(context) {
    if (context.dual !== false) return;
    const order = new LoadOrder(context.tree);
    const left: Left[] = [];
    for (const file of context.tree.files) visit(file, file.document.body, order, context, left);
    for (const finding of tellSides(context.tree)) {
      const { file, at } = finding;
      if (!left.some((one) => one.file === file && one.start <= at && at < one.end)) context.report(finding);
    }
  },
});

/** Blocks that stay, with a finding of their own. */
interface Left extends Span {
  readonly file: ConfigFile;
}

function visit(
  file: ConfigFile,
  body: readonly Node[],
  order: LoadOrder,
  context: TransformContext,
  left: Left[],
): void {
  const { defines } = context.tree;
  const places = new Map<Node, number>();
  body.forEach((node, i) => places.set(node, i));
  for (const cluster of clusters(body, defines)) {
    const reason = cluster
      .map((block) => obstacle(block, defines) ?? order.refusal(file, block.section.start, []))
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
        edits: collapse(file.document, block, defines, 0, block.kept ? block.section : extent(body, places.get(block.section)!, i > 0)),
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
    visit(file, node.body, order, context, left);
  });
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
function extent(body: readonly Node[], at: number, follows: boolean): Span {
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
