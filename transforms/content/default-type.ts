import { removeLine } from '../../src/edit';
import { defineTransform } from '../../src/engine';
import { eachLine } from '../common/lines';
import { actionTypes } from '../common/programs';

export default defineTransform({
  id: 'default-type',
  changes: ['R08', 'M04'],
  title: 'DefaultType has no effect',
  why: '2.4 sends no Content-Type for a file of unknown type. It accepts DefaultType only to warn about it.',
  docs: ['core: DefaultType', 'server/core.c: set_default_type'],
  directives: ['DefaultType'],
  run(context) {
    const actions = actionTypes(context);
    eachLine(context, ['DefaultType'], (node, { file }) => {
      const [arg] = node.args;
      const isNone = arg?.value.toLowerCase() === 'none';
      context.report({
        file,
        at: node.from,
        level: isNone ? 'info' : 'warning',
        safety: isNone ? 'safe' : 'review',
        message: isNone
          ? 'DefaultType none is not needed: 2.4 never sends a default type'
          : `2.4 ignores DefaultType and sends no Content-Type where 2.2 sent ${arg?.value ?? 'the default type'}${actions.has(arg?.value.toLowerCase() ?? '') ? `, so that Action ${arg?.value} no longer runs for such files` : ''}; this assumes that AddType or ForceType set the types that matter`,
        edits: [removeLine(file.document, node)],
      });
    });
  },
});
