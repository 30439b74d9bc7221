import { type TransformContext, defineTransform } from '../../src/engine';
import { livesIn, nameOf } from '../../src/httpd/release';
import { isCarriedOver } from '../shared/lines';
import { isWrittenFor24 } from '../shared/written-for';
import { STRICT_ARGUMENTS, type StrictArgument } from './strict-argument-rows';

export default defineTransform({
  id: 'strict-argument',
  seed: [],
  title: 'Arguments that 2.4 checks more strictly, or reads in another way',
  why: 'Both versions have these directives and take most of what they are given alike. What 2.2 let pass some releases of 2.4 refuse, or take for something else, and say nothing.',
  docs: ['docs/strict-arguments.md: each with its source in both versions'],
  directives: ['AllowOverride', 'LimitXMLRequestBody', 'MaxMemFree', 'ThreadStackSize'],
  run(context) {
    for (const row of STRICT_ARGUMENTS) if (livesIn(row, context.target)) look(context, row);
  },
});

function look(context: TransformContext, row: StrictArgument): void {
  const who = row.since === undefined ? '2.4' : `since ${nameOf(row.since)} httpd`;
  context.directives(row.names, (node, place) => {
    if (!row.sign.test(node.rest) || !isCarriedOver(place)) return;
    const told = row.tell(node, place.file.document);
    if (told === undefined || (row.ofTheChange === true && isWrittenFor24(context, place))) return;
    context.report({
      file: place.file,
      at: node.from,
      level: row.level,
      safety: told.edits === undefined ? 'manual' : 'safe',
      message: `${who} ${told.message}`,
      edits: told.edits ?? [],
    });
  });
}
