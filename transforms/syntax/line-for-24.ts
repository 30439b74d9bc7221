import { isRunBy22 } from '../../src/access';
import type { ConfigFile, Place } from '../../src/config';
import { defineTransform } from '../../src/engine';
import { addTo } from '../../src/maps';
import type { Directive, Section } from '../../src/syntax';
import { visitLinesFor24 } from '../common/written-for';

export default defineTransform({
  id: 'line-for-24',
  changes: ['C40'],
  title: 'Lines that 2.2 refuses, in files that it reads',
  why: 'With --dual, both versions read the files. 2.2 does not start with a directive that it does not know, and answers 500 if one is in a .htaccess. It takes the word after Require for users: without AuthType it answers 500, else it asks for a password that lets nobody in. Beside a server that loads modules of 2.2, a .htaccess with such lines may come from a run that was given less, and what it said to 2.2 is lost.',
  docs: ['server/config.c: ap_walk_config', 'mod_authz_core: Require'],
  advisory: true,
  task: () => ({
    text: 'put lines that 2.2 refuses into blocks for 2.4 (<IfModule mod_authz_core.c>), with what 2.2 is to read beside them',
  }),
  run(context) {
    const isDual = context.dual === true;
    if (!isDual && !isRunBy22(context.tree)) return;
    const lines = new Map<ConfigFile, (Directive | Section)[]>();
    visitLinesFor24(context.index, (node, place) => {
      if ((isDual || place.root.role === 'htaccess') && !isToldElsewhere(place))
        addTo(lines, place.file, node);
    });
    for (const [file, nodes] of lines) {
      const inOrder = [...nodes].sort((a, b) => startOf(a) - startOf(b));
      const more = nodes.length === 1 ? '' : ` and ${nodes.length - 1} more below`;
      context.report({
        file,
        at: startOf(inOrder[0]!),
        level: 'warning',
        message: `${whatHappens(inOrder[0]!, file)}: ${isDual ? `put it${more} into <IfModule mod_authz_core.c>, and what 2.2 is to read beside it` : WRITTEN_ALREADY}`,
        ...(!isDual && {
          task: {
            text: 'take back the run that wrote these files for 2.4 (httpd-codemod undo), and give them together with the server; else see that they say who may get in',
          },
        }),
      });
    }
  },
});

const WRITTEN_ALREADY =
  'the file is written for 2.4 beside a server of 2.2, and what it said to 2.2 is not known here; if an earlier run wrote it, take that back with httpd-codemod undo, and give it together with the server';

/** Lines in a section that 2.2 refuses are told with it; what a define decides may be for 2.4 alone. */
function isToldElsewhere({ chain }: Place): boolean {
  return chain.some(
    ({ section: { key } }) => key === 'ifdefine' || /^(?:if|else|elseif|require\w+)$/.test(key),
  );
}

function startOf(node: Directive | Section): number {
  return (node.kind === 'section' ? node.open : node).from;
}

function whatHappens(node: Directive | Section, { role }: ConfigFile): string {
  if (node.kind === 'directive' && node.key === 'require')
    return `2.2 looks for users in ${node.name} ${node.args[0]!.value}, and answers 500, or asks for a password that lets nobody in`;
  const name = node.kind === 'section' ? `<${node.name}>` : node.name;
  return role === 'htaccess'
    ? `2.2 does not know ${name}, and answers 500 to all requests for this directory`
    : `2.2 does not know ${name}, and does not start with it`;
}
