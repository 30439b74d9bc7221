import { hostAround } from '../../src/config';
import { rename } from '../../src/edit';
import { lineRule } from '../common/line-rule';
import { isAtServerLevel } from '../common/lines';

export default lineRule({
  id: 'ldap-trusted-client-cert',
  changes: ['A16'],
  title: 'LDAPTrustedClientCert at server level',
  stops: true,
  why: '2.2 accepts LDAPTrustedClientCert only at server level and uses the certificate for every LDAP connection. 2.4 accepts it only in sections; the directive for the server level is LDAPTrustedGlobalCert.',
  docs: ['mod_ldap: LDAPTrustedClientCert', 'mod_ldap: LDAPTrustedGlobalCert'],
  directives: ['LDAPTrustedClientCert'],
  findingFor(node, place) {
    // In a section, 2.2 refuses the line and 2.4 accepts it.
    if (!isAtServerLevel(place)) return undefined;
    if (hostAround(place.chain) !== undefined)
      return {
        level: 'error',
        message:
          '2.4 refuses LDAPTrustedClientCert directly in a virtual host: put it beside each AuthLDAPURL that needs it, or use LDAPTrustedGlobalCert once in the main server',
      };
    return {
      level: 'error',
      safety: 'safe',
      message:
        '2.4 refuses LDAPTrustedClientCert at server level: LDAPTrustedGlobalCert does there what 2.2 did',
      edits: [rename(node, 'LDAPTrustedGlobalCert')],
    };
  },
});
