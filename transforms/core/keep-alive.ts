import { lineRule } from '../common/line-rule';
import { replaceValue } from '../common/lines';

export default lineRule({
  id: 'keep-alive',
  changes: ['C13'],
  title: 'KeepAlive is On or Off',
  stops: true,
  why: '2.2 reads every word except "Off" and "0" as "On". 2.4 accepts only On and Off.',
  docs: ['core: KeepAlive', 'modules/http/http_core.c: set_keep_alive'],
  directives: ['KeepAlive'],
  findingFor(node, { file }) {
    const [arg, ...more] = node.args;
    if (arg === undefined || more.length > 0 || /^(?:on|off)$/i.test(arg.value)) return undefined;
    if (arg.value.includes('${'))
      return {
        level: 'info',
        message: `2.4 accepts only On and Off: check the value of ${arg.value}`,
      };
    const meaning = arg.value === '0' ? 'Off' : 'On';
    return {
      level: 'error',
      safety: 'safe',
      message: `2.2 read ${arg.value} as ${meaning}; 2.4 refuses it`,
      edits: [replaceValue(file.document.text, arg, meaning)],
    };
  },
});
