import { lineRule } from '../common/line-rule';
import { headerOf, readTokens22 } from '../common/words';

export default lineRule({
  id: 'ssl-require-vary',
  changes: ['S19'],
  title: 'SSLRequire on a header, and Vary',
  why: 'SSLRequire is an expression of httpd in 2.4. A header of the request that it reads, other than Host, is added to Vary, so that caches keep answers apart for each of its values.',
  docs: ['mod_ssl: SSLRequire', 'server/util_expr_eval.c: req_header_var_fn, add_vary'],
  advisory: true,
  onlyWhenUpgrading: true,
  names: ['SSLRequire'],
  findingFor(node) {
    const headers = (readTokens22(node.rest) ?? []).flatMap(({ kind, text }) =>
      kind === 'variable' ? (headerOf(text) ?? []) : [],
    );
    const names = [...new Set(headers.filter((header) => header !== 'Host'))];
    return names.length === 0
      ? undefined
      : {
          level: 'info',
          message: `2.4 sends Vary: ${names.join(', ')} with what this expression lets through, which 2.2 did not: caches keep less`,
        };
  },
});
