import { lineRule } from '../common/line-rule';

export default lineRule({
  id: 'auth-ldap-charset-config',
  changes: ['A14'],
  title: 'AuthLDAPCharsetConfig also converts passwords',
  why: "2.2 converts the user name from the client's character set to UTF-8 before it asks the LDAP server. 2.4 converts the password as well.",
  docs: ['mod_authnz_ldap: AuthLDAPCharsetConfig'],
  advisory: true,
  directives: ['AuthLDAPCharsetConfig'],
  onlyWhenUpgrading: true,
  findingFor: () => ({
    level: 'warning',
    message:
      'with AuthLDAPCharsetConfig, 2.4 also converts passwords to UTF-8: test with a password that is not plain ASCII',
  }),
});
