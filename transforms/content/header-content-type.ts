import { removeLine } from '../../src/edit';
import { lineRule } from '../common/line-rule';

/** What 2.2 does to a header that it only gets when the answer is sent. `set` has worked in 2.2, too. */
const ACTIONS = /^(?:add|append|edit\*?|merge|unset)$/i;

export default lineRule({
  id: 'header-content-type',
  changes: ['F26'],
  title: 'Header lines that change Content-Type',
  why: 'When 2.2 runs mod_headers, Content-Type is not among the headers yet: only set has an effect on it. In 2.4, edit and unset do, and the other actions where there is no type.',
  docs: ['mod_headers: Header', 'modules/metadata/mod_headers.c: do_headers_fixup'],
  names: ['Header'],
  onlyWhenUpgrading: true,
  findingFor(node, { file }) {
    const words = node.args.map(({ value }) => value);
    const [action = '', header = ''] = /^(?:always|onsuccess)$/i.test(words[0] ?? '')
      ? words.slice(1)
      : words;
    const isLater = words.at(-1)?.toLowerCase() !== 'early';
    if (!ACTIONS.test(action) || !/^content-type:?$/i.test(header) || !isLater) return undefined;
    return {
      level: 'warning',
      safety: 'safe',
      message: `Header ${action} Content-Type had no effect in 2.2 and has one in 2.4: the line is removed; keep it if what it says is wanted`,
      edits: [removeLine(file.document, node)],
    };
  },
});
