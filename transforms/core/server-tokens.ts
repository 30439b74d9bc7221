import { FACTS } from '../../src/httpd/facts';
import { lineRule } from '../common/line-rule';
import { isUnknown, replaceValue } from '../common/lines';

const KNOWN = /^(?:os|min|minimal|major|minor|prod|productonly|full)$/i;

export default lineRule({
  id: 'server-tokens',
  changes: ['C16'],
  title: 'ServerTokens refuses unknown words',
  stops: true,
  why: '2.2 reads every unknown word as "Full". 2.4 does not start with one.',
  docs: ['core: ServerTokens', 'server/core.c: set_serv_tokens'],
  lifeSpan: FACTS['server-tokens-word-checked'],
  directives: ['ServerTokens'],
  findingFor(node, { file }) {
    const [arg, ...more] = node.args;
    if (arg === undefined || more.length > 0 || KNOWN.test(arg.value) || isUnknown(arg.value))
      return undefined;
    const intended = intendedWords(arg.value);
    return {
      level: 'error',
      safety: 'safe',
      message: `2.2 read ${arg.value} as Full; 2.4 refuses it${intended.length === 0 ? '' : `; write ${intended.join(' or ')} if that was meant`}`,
      edits: [replaceValue(file.document.text, arg, 'Full')],
    };
  },
});

/** The words that were probably intended. The only abbreviations that both versions accept are Min and Prod. */
function intendedWords(value: string): string[] {
  const word = value.toLowerCase();
  return ['Prod', 'Major', 'Minor', 'Minimal', 'OS'].filter(
    (known) =>
      word.length > 1 && (known.toLowerCase().startsWith(word) || word.startsWith(known.toLowerCase())),
  );
}
