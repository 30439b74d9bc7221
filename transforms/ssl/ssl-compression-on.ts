import { replaceArgument } from '../../src/edit';
import { FACTS } from '../../src/httpd/facts';
import { lineRule } from '../common/line-rule';

export default lineRule({
  id: 'ssl-compression-on',
  changes: ['S11'],
  title: 'SSLCompression on prevents the start',
  stops: true,
  why: 'OpenSSL is usually built without compression, because it can reveal encrypted data (CRIME). 2.4 then does not start with SSLCompression on.',
  docs: ['mod_ssl: SSLCompression', 'modules/ssl/ssl_engine_config.c: ssl_cmd_SSLCompression'],
  lifeSpan: FACTS['ssl-compression-refused'],
  directives: ['SSLCompression'],
  findingFor(node, place) {
    const [argument] = node.args;
    if (argument?.value.toLowerCase() !== 'on') return undefined;
    return {
      level: 'error',
      safety: 'review',
      message:
        '2.4 does not start with SSLCompression on if its OpenSSL has no compression; this assumes that it has none, as on most systems',
      edits: [replaceArgument(place.file.document, argument, 'off')],
    };
  },
});
