import { type Server, serversOf } from '../../src/config';
import { defineTransform } from '../../src/engine';
import { FACTS } from '../../src/httpd/facts';
import { isAtServerLevel, isCarriedOver, isUnknown } from '../common/lines';
import { lastDirective } from '../common/server-directives';

export default defineTransform({
  id: 'ssl-verify-client-in-section',
  changes: ['S02'],
  title: 'SSLVerifyClient inside a section, and TLS 1.3',
  why: 'If only a part of a server requires a certificate, httpd asks for it once it knows the request. Up to TLS 1.2 this uses renegotiation; TLS 1.3, which 2.2 does not have, uses a method that browsers do not support: they get a 403.',
  docs: ['mod_ssl: SSLVerifyClient', 'modules/ssl/ssl_engine_kernel.c: ssl_hook_Access_modern'],
  lifeSpan: FACTS['ssl-tlsv13'],
  advisory: true,
  directives: [],
  onlyWhenUpgrading: true,
  run(context) {
    const servers = serversOf(context.tree);
    context.directives(['SSLVerifyClient'], (node, place) => {
      const level = node.args[0]?.value.toLowerCase() ?? '';
      if (!/^(?:require|optional|optional_no_ca)$/.test(level) || !isCarriedOver(place)) return;
      if (isAtServerLevel(place)) return;
      const server = servers.of(place);
      if (!server.whole || !offersTls13(server) || requiresForAll(server)) return;
      context.report({
        file: place.file,
        at: node.from,
        level: 'warning',
        safety: 'manual',
        message:
          'with TLS 1.3, which 2.2 did not offer, browsers get a 403 here, because they cannot send a certificate after the handshake: add -TLSv1.3 to SSLProtocol, or require the certificate in the whole virtual host',
        edits: [],
      });
    });
  },
});

/** Whether SSLProtocol allows TLS 1.3, which 2.4 does by default. */
function offersTls13(server: Server): boolean {
  let isOffered = true;
  for (const { value } of lastDirective(server, 'SSLProtocol')?.node.args ?? []) {
    if (isUnknown(value)) return false;
    const name = value.replace(/^[+-]/, '').toLowerCase();
    if (name === 'all' || name === 'tlsv1.3') isOffered = !value.startsWith('-');
    else if (!/^[+-]/.test(value)) isOffered = false;
  }
  return isOffered;
}

/** Whether the server requests a certificate of every client, and so has it before the request. */
function requiresForAll(server: Server): boolean {
  const level = lastDirective(server, 'SSLVerifyClient')?.node.args[0]?.value.toLowerCase();
  return level !== undefined && level !== 'none';
}
