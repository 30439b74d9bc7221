import type { ConfigFile } from '../../src/config';
import { removeArguments } from '../../src/edit';
import { type TransformContext, defineTransform } from '../../src/engine';
import type { Directive } from '../../src/syntax';
import { isCarriedOver, isUnknown } from '../common/lines';

export default defineTransform({
  id: 'ssl-protocol-sslv2',
  changes: ['S01'],
  title: 'SSLv2 is not supported',
  stops: true,
  why: '2.4 has no SSLv2 and does not start if SSLProtocol or SSLProxyProtocol enables it; most builds of OpenSSL have no SSLv3 either. Disabling them (-SSLv2) is still allowed.',
  docs: ['mod_ssl: SSLProtocol', 'modules/ssl/ssl_engine_config.c: ssl_cmd_protocol_parse'],
  directives: ['SSLProtocol', 'SSLProxyProtocol'],
  run(context) {
    context.directives(['SSLProtocol', 'SSLProxyProtocol'], (node, place) => {
      if (isCarriedOver(place)) check(context, node, place.file);
    });
  },
});

/** `all`, `+all`, ... without the sign, in lower case. */
const protocolName = (word: string): string => word.replace(/^[+-]/, '').toLowerCase();

function check(context: TransformContext, node: Directive, file: ConfigFile): void {
  const words = node.args.map(({ value }) => value);
  const isAdded = (name: string): boolean =>
    words.some((word) => !word.startsWith('-') && protocolName(word) === name);
  const oldProtocols = ['sslv2', 'sslv3'].filter(isAdded);
  if (oldProtocols.length === 0) return;
  const removedIndexes = words.flatMap((_, i) => (isRemoved(words, i) ? [i] : []));
  const remaining = words.filter((_, i) => !removedIndexes.includes(i));
  const names = oldProtocols.map((name) => name.replace('sslv', 'SSLv')).join(' and ');
  const problem = oldProtocols.includes('sslv2')
    ? `2.4 does not start with ${names}`
    : '2.4 does not start with SSLv3 if its OpenSSL was built without it';
  const common = { file, at: node.from, level: 'error' as const };
  if (words.some(isUnknown) || !offersAny(remaining))
    return context.report({
      ...common,
      message: `${problem}${words.some(isUnknown) ? '' : ', and no other protocol is left'}: name the protocols to allow`,
    });
  context.report({
    ...common,
    safety: oldProtocols.includes('sslv3') ? 'review' : 'safe',
    message: `${problem}${oldProtocols.includes('sslv3') ? '; this assumes that nobody needs SSLv3 any more' : ''}`,
    edits: removeArguments(node, removedIndexes),
  });
}

/** Whether to remove a word: it adds SSLv2 or SSLv3, or a later word that does so replaces it. */
function isRemoved(words: readonly string[], index: number): boolean {
  const addsOld = (word: string): boolean => !word.startsWith('-') && /^sslv[23]$/.test(protocolName(word));
  const setsOld = (word: string): boolean => addsOld(word) && !word.startsWith('+');
  return addsOld(words[index]!) || words.slice(index + 1).some(setsOld);
}

/** Whether the words allow any protocol. A word without a sign replaces those before it. */
function offersAny(words: readonly string[]): boolean {
  let offered = new Set<string>();
  for (const word of words) {
    const name = protocolName(word);
    const names = name === 'all' ? ['tlsv1', 'tlsv1.1', 'tlsv1.2'] : [name];
    if (word.startsWith('-')) for (const protocol of names) offered.delete(protocol);
    else offered = new Set(word.startsWith('+') ? [...offered, ...names] : names);
  }
  return offered.size > 0;
}
