import { serversOf } from '../../src/config';
import { defineTransform } from '../../src/engine';
import { FACTS } from '../../src/httpd/facts';
import { hasDirective, sslServers } from '../common/servers';

export default defineTransform({
  id: 'ssl-protocol-unset',
  changes: ['S02'],
  title: 'SSLProtocol is not set',
  why: 'Without SSLProtocol, 2.2 offers every protocol of its OpenSSL, including SSLv3; 2.4 leaves SSLv3 out, and the OpenSSL of today TLS 1.0 and 1.1.',
  docs: ['mod_ssl: SSLProtocol', 'modules/ssl/ssl_private.h: SSL_PROTOCOL_DEFAULT'],
  lifeSpan: FACTS['ssl-no-sslv3-default'],
  advisory: true,
  onlyWhenUpgrading: true,
  run(context) {
    const serverWithoutProtocol = sslServers(serversOf(context.tree)).find(
      ({ server }) => server.whole && !hasDirective(server, 'SSLProtocol'),
    );
    if (serverWithoutProtocol === undefined) return;
    context.report({
      file: serverWithoutProtocol.engine.place.file,
      at: serverWithoutProtocol.engine.node.from,
      level: 'info',
      message:
        'without SSLProtocol, 2.2 also offered SSLv3, TLS 1.0 and 1.1: 2.4 leaves SSLv3 out, and OpenSSL 3 refuses the others below security level 0',
    });
  },
});
