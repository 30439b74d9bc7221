import { removeLine } from '../../src/edit';
import { lineRule } from '../common/line-rule';

export default lineRule({
  id: 'ssi-access-enable',
  changes: ['R10'],
  title: 'SSIAccessEnable is gone',
  stops: true,
  why: 'It allowed pages to test with <!--#if expr="-A /uri" --> whether the client may read a page. In 2.4 the test is always available.',
  docs: ['mod_include: if', 'modules/filters/mod_include.c'],
  directives: ['SSIAccessEnable'],
  findingFor(node, { file }) {
    const on = node.args[0]?.value.toLowerCase() === 'on';
    return {
      level: 'error',
      safety: on ? 'safe' : 'review',
      message: on
        ? '2.4 does not know SSIAccessEnable: the test -A is always available'
        : '2.4 does not know SSIAccessEnable; this assumes that pages may use the test -A, which was off',
      edits: [removeLine(file.document, node)],
    };
  },
});
