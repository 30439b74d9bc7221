import { serversOf } from '../../src/config';
import { defineTransform } from '../../src/engine';
import { FACTS, holds } from '../../src/httpd/facts';
import { sslServers } from '../common/servers';

export default defineTransform({
  id: 'ssl-host-not-sni',
  changes: ['S14'],
  title: 'Several SSL virtual hosts on one address',
  why: 'A client names the host twice: in TLS (SNI) and in the Host header. If the two differ, 2.2 answers 400. 2.4 answers the request if both virtual hosts have the same SSL settings, and 421 if not. SSLStrictSNIVHostCheck, which is about clients without SNI, is unchanged.',
  docs: ['mod_ssl: SSLStrictSNIVHostCheck', 'modules/ssl/ssl_engine_kernel.c: ssl_hook_ReadReq'],
  lifeSpan: FACTS['ssl-session-sni-421'],
  advisory: true,
  onlyWhenUpgrading: true,
  run(context) {
    const addresses = new Set<string>();
    for (const { server, engine } of sslServers(serversOf(context.tree))) {
      if (!server.whole || server.section === undefined) continue;
      const address = server.section.open.rest;
      if (!addresses.has(address)) {
        addresses.add(address);
        continue;
      }
      context.report({
        file: engine.place.file,
        at: engine.node.from,
        level: 'info',
        message: `several SSL virtual hosts share this address: if the Host header differs from the name requested in TLS, 2.2 answers 400; 2.4 answers ${holds('ssl-session-sni-answered', context.target) ? 'the request if both virtual hosts have the same SSL settings, and otherwise ' : ''}421`,
      });
      return;
    }
  },
});
