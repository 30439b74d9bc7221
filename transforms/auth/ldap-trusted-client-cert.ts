import { rename } from '../../src/edit';
import { defineTransform } from '../../src/engine';
import { eachLine } from '../shared/lines';
import { sectionAround } from './auth-lines';

export default defineTransform({
  id: 'ldap-trusted-client-cert',
  changes: ['A16'],
  title: 'LDAPTrustedClientCert at server level',
  why: '2.2 accepts LDAPTrustedClientCert only at server level and uses the certificate for every LDAP connection. 2.4 accepts it only in sections; the directive for the server level is LDAPTrustedGlobalCert.',
  docs: ['mod_ldap: LDAPTrustedClientCert', 'mod_ldap: LDAPTrustedGlobalCert'],
  directives: ['LDAPTrustedClientCert'],
  run(context) {
    eachLine(context, ['LDAPTrustedClientCert'], (node, place) => {
      // In a section 2.2 refuses it, and 2.4 does not.
      if (sectionAround(place) !== undefined || place.root.role === 'htaccess') return;
      const report = { file: place.file, at: node.from, level: 'error' } as const;
      if (place.chain.some(({ section }) => section.key === 'virtualhost'))
        context.report({
          ...report,
          safety: 'manual',
          message:
            '2.4 refuses LDAPTrustedClientCert in a virtual host or outside sections: put it beside each AuthLDAPURL that needs it, or use LDAPTrustedGlobalCert once in the main server',
          edits: [],
        });
      else
        context.report({
          ...report,
          safety: 'safe',
          message:
            'LDAPTrustedClientCert at server level becomes LDAPTrustedGlobalCert, which is what 2.2 did with it',
          edits: [rename(node, 'LDAPTrustedGlobalCert')],
        });
    });
  },
});
