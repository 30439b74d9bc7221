import { type ResultContext, defineTransform } from '../../src/engine';
import { FACTS } from '../../src/httpd/facts';
import { eachRemainingLine } from './remaining-lines';
import { isEscaped } from '../common/lines';

/** Keywords of 2.2's own modules whose names 2.4 reads as an expression. 2.4 uses dbm-group for a group of mod_authz_dbm. */
const EXPRESSION_KEYWORDS = /^(?:user|group|dbm-group|ldap-(?:user|group|dn|attribute|filter|search))$/i;

export default defineTransform({
  id: 'require-expression',
  changes: ['A07'],
  title: 'Names after Require that 2.4 reads as an expression',
  why: 'Since 2.4.8, the names after Require user, group and similar keywords are an expression. A backslash escapes the next character, so DOMAIN\\joe becomes DOMAINjoe; $1 and %{…} are replaced, and 2.4 does not start with an unknown %{…}. Where access is rewritten, the names are escaped. This rule reports the lines that stay.',
  docs: [
    'mod_authz_core: Require',
    'modules/aaa/mod_authz_user.c: user_parse_config',
    'server/util_expr_scan.l',
  ],
  lifeSpan: FACTS['require-expression'],
  advisory: true,
  isAboutAccess: true,
  run() {},
  runOnResult(context) {
    reportUnescapedNames(context);
  },
});

function reportUnescapedNames(context: ResultContext): void {
  eachRemainingLine(context, ['Require'], /[\\$%]/, (node, { file, at }) => {
    const [, keyword = '', names = ''] = /^([^ \t\v\f\r]+)[ \t\v\f\r]+(.*)$/s.exec(node.rest) ?? [];
    const text = names.replace(/\$\{[^}]*\}/g, '');
    if (!EXPRESSION_KEYWORDS.test(keyword) || isEscaped(text)) return;
    context.report({
      file,
      at,
      level: 'error',
      message: `since 2.4.8 the names after Require ${keyword} are an expression, which can let in others than in 2.2${text.includes('%{') ? ' or, with an unknown variable, keep httpd from starting' : ''}: put a backslash before each backslash, %{ and $1`,
    });
  });
}
