import { removeArguments } from '../../src/edit';
import { type TransformContext, defineTransform } from '../../src/engine';
import type { Directive } from '../../src/syntax';
import { isCarriedOver, isUnknown } from '../shared/lines';

export default defineTransform({
  id: 'ssl-protocol-sslv2',
  changes: ['S01'],
  title: 'SSLv2 is not supported',
  why: '2.4 has no SSLv2 and does not start if SSLProtocol or SSLProxyProtocol enables it; most builds of OpenSSL have no SSLv3 either. Disabling them (-SSLv2) is still allowed.',
  docs: ['mod_ssl: SSLProtocol', 'modules/ssl/ssl_engine_config.c: ssl_cmd_protocol_parse'],
  directives: ['SSLProtocol', 'SSLProxyProtocol'],
  run(context) {
    context.directives(['SSLProtocol', 'SSLProxyProtocol'], (node, place) => {
      if (isCarriedOver(place)) check(context, node, place.file);
    });
  },
});

type File = Parameters<TransformContext['report']>[0]['file'];

/** `all`, `+all`, ... without the sign, in lower case. */
const nameOf = (word: string): string => word.replace(/^[+-]/, '').toLowerCase();

function check(context: TransformContext, node: Directive, file: File): void {
  const words = node.args.map(({ value }) => value);
  const adds = (name: string): boolean =>
    words.some((word) => !word.startsWith('-') && nameOf(word) === name);
  const old = ['sslv2', 'sslv3'].filter(adds);
  if (old.length === 0) return;
  const gone = words.flatMap((_, i) => (isGone(words, i) ? [i] : []));
  const left = words.filter((_, i) => !gone.includes(i));
  const names = old.map((name) => name.replace('sslv', 'SSLv')).join(' and ');
  const without = old.includes('sslv2') ? '2.4 does not start with' : '2.4 does not start, where its OpenSSL has been built without SSLv3, with'; // prettier-ignore
  const common = { file, at: node.from, level: 'error' as const };
  if (words.some(isUnknown) || !isAny(left))
    return context.report({
      ...common,
      safety: 'manual',
      message: `${without} ${names}${words.some(isUnknown) ? '' : ', and no other protocol is left here'}: say which protocols to offer`,
      edits: [],
    });
  context.report({
    ...common,
    safety: old.includes('sslv3') ? 'review' : 'safe',
    message: `${without} ${names}${old.includes('sslv3') ? '; this assumes that nobody needs SSLv3 any more' : ''}`,
    edits: removeArguments(node, gone),
  });
}

/** A word that adds SSLv2 or SSLv3, and where it would have put an end to what stands before it, that too. */
function isGone(words: readonly string[], index: number): boolean {
  const isOld = (word: string): boolean => !word.startsWith('-') && /^sslv[23]$/.test(nameOf(word));
  const starts = (word: string): boolean => isOld(word) && !word.startsWith('+');
  return isOld(words[index]!) || words.slice(index + 1).some(starts);
}

/** Whether the words leave any protocol: a word without sign starts anew. */
function isAny(words: readonly string[]): boolean {
  let offered = new Set<string>();
  for (const word of words) {
    const name = nameOf(word);
    const names = name === 'all' ? ['tlsv1', 'tlsv1.1', 'tlsv1.2'] : [name];
    if (word.startsWith('-')) for (const one of names) offered.delete(one);
    else offered = new Set(word.startsWith('+') ? [...offered, ...names] : names);
  }
  return offered.size > 0;
}
