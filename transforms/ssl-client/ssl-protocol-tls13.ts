import { serversOf } from '../../src/config';
import { defineTransform } from '../../src/engine';
import { FACTS } from '../../src/httpd/facts';
import { eachLine } from '../common/lines';
import { serversRequiringTls12 } from './ssl-require-tls13';
import { serversAskingLater } from './ssl-verify-client-in-section';
import { type Tls12Line, tls12LineFor } from './tls12-line';

/** How many places a message names. */
const MAX_NAMED = 3;

export default defineTransform({
  id: 'ssl-protocol-tls13',
  changes: ['S02'],
  title: 'TLS 1.3, which lines of 2.2 have no client get through',
  why: '2.2 never spoke TLS 1.3. Where a section asks for a client certificate, 2.4 answers 403 to every browser that does, and an SSLRequire that lists protocols or ciphers refuses them all. Without TLS 1.3, which -TLSv1.3 leaves out, the same browsers get in as on 2.2.',
  docs: ['mod_ssl: SSLProtocol, SSLVerifyClient', 'modules/ssl/ssl_engine_kernel.c: ssl_hook_Access_modern'],
  lifeSpan: FACTS['ssl-tlsv13'],
  onlyWhenUpgrading: true,
  run(context) {
    const servers = serversOf(context.tree);
    const found = new Map<object, { readonly line: Tls12Line; readonly places: string[] }>();
    const refuse = (refusing: Parameters<typeof tls12LineFor>[1], name: string): void => {
      const line = tls12LineFor(context, refusing);
      if (line === undefined) return;
      const known = found.get(line.server) ?? { line, places: [] };
      found.set(line.server, known);
      known.places.push(name);
    };
    eachLine(context, ['SSLVerifyClient', 'SSLRequire'], (node, place) => {
      // What a server offers is not for a `.htaccess` to say.
      if (place.root.role === 'htaccess') return;
      const refusing =
        node.key === 'sslrequire'
          ? serversRequiringTls12(node, place, servers)
          : serversAskingLater(node, place, servers);
      const { name, document } = place.file;
      refuse(refusing, `${node.name} at ${name}:${document.positionAt(node.from).line}`);
    });
    for (const { line, places } of found.values()) {
      const more = places.length - MAX_NAMED;
      const named = `${places.slice(0, MAX_NAMED).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
      context.report({
        file: line.file,
        at: line.at,
        level: 'error',
        changesAccess: true,
        safety: 'review',
        message: `with TLS 1.3, which 2.2 did not offer, 2.4 refuses every browser what is behind ${named}: -TLSv1.3 leaves it out here, as on 2.2, which is right unless clients need TLS 1.3 (2.4 knows the word if it is built with OpenSSL 1.1.1 or newer)`,
        edits: [line.edit],
      });
    }
  },
});
