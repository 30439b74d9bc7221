import { rename } from '../../src/edit';
import { defineTransform } from '../../src/engine';
import { eachLine, isAtServerLevel } from '../common/lines';

export default defineTransform({
  id: 'ldap-trusted-client-cert',
  changes: ['A16'],
  title: 'LDAPTrustedClientCert at server level',
  why: '2.2 accepts LDAPTrustedClientCert only at server level and uses the certificate for every LDAP connection. 2.4 accepts it only in sections; the directive for the server level is LDAPTrustedGlobalCert.',
  docs: ['mod_ldap: LDAPTrustedClientCert', 'mod_ldap: LDAPTrustedGlobalCert'],
  directives: ['LDAPTrustedClientCert'],
  run(context) {
    eachLine(context, ['LDAPTrustedClientCert'], (node, place) => {
      // In a section, 2.2 refuses the line and 2.4 accepts it.
      if (!isAtServerLevel(place)) return;
      const report = { file: place.file, at: node.from, level: 'error' } as const;
      if (place.chain.some(({ section }) => section.key === 'virtualhost'))
        context.report({
          ...report,
          safety: 'manual',
          message:
            '2.4 refuses LDAPTrustedClientCert directly in a virtual host: put it beside each AuthLDAPURL that needs it, or use LDAPTrustedGlobalCert once in the main server',
        });
      else
        context.report({
          ...report,
          safety: 'safe',
          message:
            '2.4 refuses LDAPTrustedClientCert at server level: LDAPTrustedGlobalCert does there what 2.2 did',
          edits: [rename(node, 'LDAPTrustedGlobalCert')],
        });
    });
  },
});
