import { defineTransform } from '../../src/engine';
import { reportLines } from '../common/lines';
import { removeLineAndComment } from '../common/removed-line';
import { hasAction } from '../common/servers';

export default defineTransform({
  id: 'default-type',
  changes: ['R08', 'M04'],
  title: 'DefaultType has no effect',
  why: '2.4 sends no Content-Type for a file of unknown type. It accepts DefaultType only to warn about it, except for DefaultType none, which stays.',
  docs: ['core: DefaultType', 'server/core.c: set_default_type'],
  directives: ['DefaultType'],
  run(context) {
    reportLines(context, ['DefaultType'], (node, { file, root }) => {
      const [arg] = node.args;
      // It says in both versions what 2.4 does anyway, and shows that 2.2 did so: without it, 2.2 sent text/plain.
      if (arg?.value.toLowerCase() === 'none') return undefined;
      // A placeholder may hold blanks.
      const said =
        arg === undefined ? 'the default type' : file.document.text.slice(arg.start, node.args.at(-1)!.end);
      return {
        level: 'warning',
        safety: 'review',
        message: `files of unknown type get no Content-Type, where DefaultType said ${said}${arg !== undefined && hasAction(context, arg.value, root) ? `, so that Action ${arg.value} no longer runs for such files` : ''}: right if AddType or ForceType know all types that matter`,
        edits: [removeLineAndComment(context, file.document, node, /^DefaultType\b/i)],
      };
    });
  },
});
