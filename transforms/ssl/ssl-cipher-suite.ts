import { FACTS } from '../../src/httpd/facts';
import { lineRule } from '../common/line-rule';
import { isUnknown } from '../common/lines';

export default lineRule({
  id: 'ssl-cipher-suite',
  changes: ['S15'],
  title: 'SSLCipherSuite that names only removed ciphers',
  why: 'OpenSSL ignores ciphers that it does not have. If none is left, 2.4 does not start, and its configuration test does not notice.',
  docs: ['mod_ssl: SSLCipherSuite', 'modules/ssl/ssl_engine_init.c: ssl_init_ctx_cipher_suite'],
  lifeSpan: FACTS['openssl-1.1'],
  advisory: true,
  directives: ['SSLCipherSuite', 'SSLProxyCipherSuite'],
  findingFor(node) {
    const list = node.args[0]?.value ?? '';
    if (node.args.length !== 1 || isUnknown(list)) return undefined;
    const ciphers = list.split(/[:, ;]+/).filter((word) => /^[A-Za-z0-9]/.test(word));
    if (ciphers.length === 0 || !ciphers.every(isRemovedCipher)) return undefined;
    return {
      level: 'error',
      message: `${node.name} adds only ${ciphers.join(', ')}, which OpenSSL 1.1 and later do not have; 2.4 does not start without a cipher: use others, such as HIGH:!aNULL`,
    };
  },
});

/** True for a cipher or group that OpenSSL 1.1 lacks. A `+` selects what is in all of the groups that it joins. */
function isRemovedCipher(word: string): boolean {
  return (
    word
      .split('+')
      .some((part) => /^(?:SSLv2|EXP(?:ORT)?(?:40|56)?|LOW|MEDIUM|RC2|RC4|DES|3DES|IDEA|FZA)$/.test(part)) ||
    /^(?:EXP|RC2|RC4|DES|IDEA)[0-9]*-|-(?:RC4|DES|DES-CBC3?)-/.test(word)
  );
}
