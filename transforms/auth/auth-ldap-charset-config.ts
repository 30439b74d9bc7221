import { defineTransform } from '../../src/engine';
import { eachLine } from '../common/lines';

export default defineTransform({
  id: 'auth-ldap-charset-config',
  changes: ['A14'],
  title: 'AuthLDAPCharsetConfig also converts passwords',
  why: "2.2 converts the user name from the client's character set to UTF-8 before it asks the LDAP server. 2.4 converts the password as well.",
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
          'with AuthLDAPCharsetConfig, 2.4 also converts passwords to UTF-8: test with a password that is not plain ASCII',
      }),
    );
  },
});
