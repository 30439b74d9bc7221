import { defineTransform } from '../../src/engine';
import { eachLine } from '../shared/lines';

export default defineTransform({
  id: 'auth-ldap-charset-config',
  seed: ['A14'],
  title: 'AuthLDAPCharsetConfig converts passwords, too',
  why: '2.2 converted the user name from the character set of the client to UTF-8 before it asked the LDAP server. 2.4 converts the password as well.',
  docs: ['mod_authnz_ldap: AuthLDAPCharsetConfig'],
  advisory: true,
  directives: ['AuthLDAPCharsetConfig'],
  onlyWhenUpgrading: true,
  run(context) {
    eachLine(context, ['AuthLDAPCharsetConfig'], (node, { file }) =>
      context.report({
        file,
        at: node.from,
        level: 'warning',
        safety: 'manual',
        message:
          'with AuthLDAPCharsetConfig 2.4 converts passwords to UTF-8, too: try a user whose password is not plain ASCII',
        edits: [],
      }),
    );
  },
});
