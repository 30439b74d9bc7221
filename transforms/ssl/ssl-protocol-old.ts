import { holds } from '../../src/httpd/facts';
import { lineRule } from '../common/line-rule';
import { isUnknown } from '../common/lines';

export default lineRule({
  id: 'ssl-protocol-old',
  changes: ['S02'],
  title: 'SSLProtocol with nothing newer than TLS 1.1',
  why: 'OpenSSL 3 allows TLS 1.0 and 1.1 only at security level 0, and browsers no longer support them: such a server starts, but nobody can connect to it.',
  docs: ['mod_ssl: SSLProtocol', 'OpenSSL: SSL_CTX_set_security_level'],
  advisory: true,
  names: ['SSLProtocol'],
  findingFor(node, _place, context) {
    const words = node.args.map(({ value }) => value);
    if (words.some(isUnknown) || !offersOnlyOld(words)) return undefined;
    return {
      level: 'warning',
      message: `SSLProtocol allows nothing newer than TLS 1.1, which OpenSSL 3 and browsers refuse: add +TLSv1.2${holds('ssl-tlsv13', context.target) ? ' (and +TLSv1.3)' : ''}`,
    };
  },
});

/** Whether the words allow a protocol, but none from TLS 1.2 on. A word without a sign replaces those before it. */
function offersOnlyOld(words: readonly string[]): boolean {
  let offersOld = false;
  let offersCurrent = false;
  for (const word of words) {
    const name = word.replace(/^[+-]/, '').toLowerCase();
    const namesCurrent = /^(?:all|tlsv1\.[23])$/.test(name);
    const namesOld = /^(?:all|sslv[23]|tlsv1(?:\.1)?)$/.test(name);
    if (word.startsWith('-')) {
      // Removing one old or one current protocol may leave another.
      if (name === 'all') offersOld = offersCurrent = false;
    } else {
      offersOld = (word.startsWith('+') && offersOld) || namesOld;
      offersCurrent = (word.startsWith('+') && offersCurrent) || namesCurrent;
    }
  }
  return offersOld && !offersCurrent;
}
