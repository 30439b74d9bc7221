import { defineTransform } from '../src/engine';
import { eachLine, replaceValue } from './shared/lines';

const KNOWN = /^(?:os|min|minimal|major|minor|prod|productonly|full)$/i;

export default defineTransform({
  id: 'server-tokens',
  seed: ['C16'],
  title: 'ServerTokens refuses unknown words',
  why: '2.2 took every word that it did not know for "Full"; 2.4 refuses to start.',
  docs: ['core: ServerTokens', 'server/core.c: set_serv_tokens'],
  directives: ['ServerTokens'],
  run(context) {
    eachLine(context, ['ServerTokens'], (node, { file }) => {
      const [arg, ...more] = node.args;
      if (arg === undefined || more.length > 0 || KNOWN.test(arg.value) || arg.value.includes('${')) return;
      context.report({
        file,
        at: node.from,
        level: 'error',
        safety: 'safe',
        message: `2.2 took ${arg.value} for Full; 2.4 refuses it`,
        edits: [replaceValue(file.document.text, arg, 'Full')],
      });
    });
  },
});
