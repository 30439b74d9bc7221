import { removeLine } from '../../src/edit';
import { defineTransform } from '../../src/engine';
import { eachLine } from '../shared/lines';

export default defineTransform({
  id: 'default-type',
  seed: ['s2.3', 's7', 'R08'],
  title: 'DefaultType has no effect',
  why: '2.4 sends no Content-Type for a file of which it does not know the type. It reads DefaultType for nothing but a warning.',
  docs: ['core: DefaultType', 'server/core.c: set_default_type'],
  directives: ['DefaultType'],
  run(context) {
    eachLine(context, ['DefaultType'], (node, { file }) => {
      const [arg] = node.args;
      const none = arg?.value.toLowerCase() === 'none';
      context.report({
        file,
        at: node.from,
        level: none ? 'info' : 'warning',
        safety: none ? 'safe' : 'review',
        message: none
          ? 'DefaultType none is how 2.4 always is'
          : `2.4 sends no Content-Type where 2.2 sent ${arg?.value ?? 'the default type'}, and only warns about this line; this assumes that AddType or ForceType name the types that matter`,
        edits: [removeLine(file.document, node)],
      });
    });
  },
});
