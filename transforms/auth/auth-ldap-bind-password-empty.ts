import { lineRule } from '../common/line-rule';

export default lineRule({
  id: 'auth-ldap-bind-password-empty',
  changes: ['A13'],
  title: 'AuthLDAPBindPassword without a password',
  stops: true,
  why: 'An LDAP server treats a bind with an empty password as anonymous. 2.4 does not start with an empty password, whether it is written in the line or printed by the program after exec:.',
  docs: ['mod_authnz_ldap: AuthLDAPBindPassword'],
  advisory: true,
  directives: ['AuthLDAPBindPassword'],
  findingFor(node) {
    const value = node.args.length === 1 ? node.args[0]!.value : undefined;
    if (value === '')
      return {
        level: 'error',
        message:
          '2.4 refuses an empty AuthLDAPBindPassword: remove it together with AuthLDAPBindDN to bind anonymously',
      };
    if (value?.startsWith('exec:') !== true || value.length === 5) return undefined;
    return {
      level: 'info',
      safety: 'safe',
      message: `2.4 does not start if ${value.slice(5).split(/[ \t]/, 1)[0]} prints nothing, where 2.2 used an empty password: check that it prints the password`,
    };
  },
});
