import { FACTS } from '../../src/httpd/facts';
import { lineRule } from '../common/line-rule';

export default lineRule({
  id: 'ssl-days-left',
  changes: ['S20'],
  title: 'SSL_CLIENT_V_REMAIN is a day less',
  why: '2.2 counted a day too many until a certificate ends. Newer releases of 2.4 (2.4.63 does not, 2.4.71 does) count full days, so that on its last day a certificate has 0 days left, where 2.2 said 1.',
  docs: ['mod_ssl: Environment Variables', 'modules/ssl/ssl_engine_vars.c: ssl_var_lookup_ssl_cert_remain'],
  lifeSpan: FACTS['ssl-days-left'],
  advisory: true,
  onlyWhenUpgrading: true,
  names: [
    'CustomLog',
    'Header',
    'LogFormat',
    'RequestHeader',
    'RewriteCond',
    'RewriteRule',
    'SSLRequire',
    'TransferLog',
  ],
  findingFor(node) {
    const variable = /ssl_(?:client|server)_v_remain/i.exec(node.rest)?.[0].toUpperCase();
    if (variable === undefined) return undefined;
    const less = `${variable} is a day less in newer releases of 2.4 (2.4.71, not yet 2.4.63)`;
    const remedy = 'compare it with a number that is one lower';
    switch (node.key) {
      case 'sslrequire':
        return {
          level: 'error',
          changesAccess: true,
          message: `${less}, which changes who gets in: ${remedy}`,
        };
      case 'rewritecond':
        return { level: 'warning', message: `${less}: ${remedy}` };
      default:
        return { level: 'info', message: less };
    }
  },
});
