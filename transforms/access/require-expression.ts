import { type ResultContext, defineTransform } from '../../src/engine';
import { FACTS } from '../../src/httpd/facts';
import { eachLeft } from './left-as-given';
import { isEscaped } from '../shared/lines';

/** What 2.2's own modules answer and 2.4 reads as an expression; dbm-group is what 2.4 calls a group of mod_authz_dbm. */
const READ = /^(?:user|group|dbm-group|ldap-(?:user|group|dn|attribute|filter|search))$/i;

export default defineTransform({
  id: 'require-expression',
  seed: ['A07'],
  title: 'Names behind Require that 2.4 reads as an expression',
  why: 'Since 2.4.8 what follows Require user, group and their like is the text of an expression: a backslash takes the meaning from what follows, so that DOMAIN\\joe is somebody called DOMAINjoe; $1 and %{…} put in something else, and 2.4 does not start with a %{…} that it does not know. Where access is rewritten the names are escaped; this tells of lines that stay.',
  docs: ['mod_authz_core: Require', 'modules/aaa/mod_authz_user.c: user_parse_config', 'server/util_expr_scan.l'],
  lifeSpan: FACTS['require-expression'],
  advisory: true,
  directives: [],
  run() {},
  runOnResult(context) {
    look(context);
  },
}); // prettier-ignore

function look(context: ResultContext): void {
  eachLeft(context, ['Require'], /[\\$%]/, (node, { file, at }) => {
    const [, keyword = '', names = ''] = /^([^ \t\v\f\r]+)[ \t\v\f\r]+(.*)$/s.exec(node.rest) ?? [];
    const text = names.replace(/\$\{[^}]*\}/g, '');
    if (!READ.test(keyword) || isEscaped(text)) return;
    context.report({
      file,
      at,
      level: 'error',
      safety: 'manual',
      message: `since 2.4.8 Require ${keyword} takes an expression: put a backslash before each backslash, %{ and $1 of these names, or others than in 2.2 get in${text.includes('%{') ? ', and httpd does not start where it has no such variable' : ''}`,
      edits: [],
    });
  });
}
