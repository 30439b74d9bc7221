import {
  type ConfigFile,
  type ConfigTree,
  conditionOf,
  isConditional,
  placeCondition,
  type TemplateBeside,
} from '../../src/config';
import { defineTransform } from '../../src/engine';
import { walk } from '../../src/syntax';

export default defineTransform({
  id: 'old-lines-beside-blocks',
  changes: ['C40'],
  title: 'Old lines in files of a project that writes blocks for 2.2 elsewhere',
  why: 'A project whose files have blocks for each version mostly serves both. A conversion for 2.4 alone takes the old lines away from its servers of 2.2.',
  docs: ['core: <IfModule>', 'mod_version: <IfVersion>'],
  advisory: true,
  onlyWhenUpgrading: true,
  task: () => ({
    text: 'say whether 2.2 still reads these files: with --dual their old lines stay beside the new ones (--no-dual: the blocks for 2.2 go, too)',
    option: '--dual',
  }),
  run(context) {
    const { tree } = context;
    // A server is moved once, and what its programs bring along for both versions says nothing of it.
    if (context.dual !== undefined || tree.isServer) return;
    let found: { file: ConfigFile; at: number; name: string } | undefined;
    context.directives(['Order', 'Allow', 'Deny', 'Satisfy'], (node, { file, chain }) => {
      const { on22, on24 } = placeCondition(chain);
      if (on22 !== false && on24 !== false) found ??= { file, at: node.from, name: node.name };
    });
    if (found === undefined) return;
    const where = placeOfBlock(tree);
    if (where === undefined) return;
    const { file, at, name } = found;
    context.report({
      file,
      at,
      // A template is of a project; what IfModule asks may have come with a program that a server has.
      level: file.isTemplate === true ? 'warning' : 'info',
      message: `this ${name} stands in no block, and ${where} tells 2.2 and 2.4 apart: if servers of 2.2 still read these files, convert them with --dual, which keeps their lines beside those for 2.4`,
    });
  },
});

/** The first block for 2.2 alone in a file of the run, or in a template beside. */
function placeOfBlock(tree: ConfigTree): string | undefined {
  for (const file of tree.files) {
    const line = lineOfBlock(file, tree);
    if (line !== undefined) return `${file.name}:${line}`;
  }
  if (!tree.files.some(({ isTemplate }) => isTemplate === true)) return undefined;
  for (const template of tree.templatesBeside?.() ?? []) {
    const line = lineOfBlock(template, tree);
    if (line !== undefined) return `${template.path}:${line}`;
  }
  return undefined;
}

/** The line of a file's first block that 2.2 reads and 2.4 does not, or of a template's choice between the two. */
function lineOfBlock({ document }: TemplateBeside, { defines }: ConfigTree): number | undefined {
  for (const [node] of walk(document.body)) {
    if (node.kind !== 'section' || !isConditional(node)) continue;
    const { on22, on24 } = conditionOf(node, defines);
    const isChoice = node.open.reads !== undefined && on22 !== on24;
    if (isChoice || (on24 === false && on22 === true)) return document.positionAt(node.open.from).line;
  }
  return undefined;
}
