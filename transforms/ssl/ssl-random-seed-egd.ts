import { FACTS } from '../../src/httpd/facts';
import { lineRule } from '../common/line-rule';

export default lineRule({
  id: 'ssl-random-seed-egd',
  changes: ['S10'],
  title: 'SSLRandomSeed egd: needs an old OpenSSL',
  stops: true,
  why: 'OpenSSL 1.1 and later are built without the entropy gathering daemon, and 2.4 then does not start with egd:.',
  docs: ['mod_ssl: SSLRandomSeed', 'modules/ssl/ssl_engine_config.c: ssl_cmd_SSLRandomSeed'],
  lifeSpan: FACTS['ssl-egd-refused'],
  advisory: true,
  directives: ['SSLRandomSeed'],
  findingFor(node) {
    if (!/^egd:./.test(node.args[1]?.value ?? '')) return undefined;
    return {
      level: 'error',
      message:
        '2.4 does not start with egd: unless its OpenSSL was built for it, which is rare: use builtin or file:/dev/urandom',
    };
  },
});
