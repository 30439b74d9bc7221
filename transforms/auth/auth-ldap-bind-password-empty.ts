import { defineTransform } from '../../src/engine';
import { eachLine } from '../common/lines';

export default defineTransform({
  id: 'auth-ldap-bind-password-empty',
  changes: ['A13'],
  title: 'AuthLDAPBindPassword without a password',
  why: 'An LDAP server treats a bind with an empty password as anonymous. 2.4 does not start with an empty password, whether it is written in the line or printed by the program after exec:.',
  docs: ['mod_authnz_ldap: AuthLDAPBindPassword'],
  advisory: true,
  directives: ['AuthLDAPBindPassword'],
  run(context) {
    eachLine(context, ['AuthLDAPBindPassword'], (node, { file }) => {
      const value = node.args.length === 1 ? node.args[0]!.value : undefined;
      const report = { file, at: node.from, safety: 'manual', edits: [] } as const;
      if (value === '')
        context.report({
          ...report,
          level: 'error',
          message:
            '2.4 refuses an empty AuthLDAPBindPassword: remove it together with AuthLDAPBindDN to bind anonymously',
        });
      else if (value?.startsWith('exec:') && value.length > 5)
        context.report({
          ...report,
          level: 'info',
          safety: 'safe',
          message: `2.4 does not start if ${value.slice(5).split(/[ \t]/, 1)[0]} prints nothing, where 2.2 used an empty password: check that it prints the password`,
        });
    });
  },
});
