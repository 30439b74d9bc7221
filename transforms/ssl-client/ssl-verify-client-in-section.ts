import { type Place, type Server, type Servers, serversOf } from '../../src/config';
import { FACTS } from '../../src/httpd/facts';
import type { Directive } from '../../src/syntax';
import { lineRule } from '../common/line-rule';
import { isAtServerLevel } from '../common/lines';
import { lastDirective, mayUseTls, offersTls13 } from '../common/servers';
import { isMendedAtServer } from './tls12-line';

export default lineRule({
  id: 'ssl-verify-client-in-section',
  changes: ['S02'],
  title: 'SSLVerifyClient inside a section, and TLS 1.3',
  why: 'If only a part of a server requires a certificate, httpd asks for it once it knows the request. Up to TLS 1.2 this uses renegotiation; TLS 1.3, which 2.2 does not have, uses a method that browsers do not support: they get a 403. So they do where the server asks for less than the section requires.',
  docs: ['mod_ssl: SSLVerifyClient', 'modules/ssl/ssl_engine_kernel.c: ssl_hook_Access_modern'],
  lifeSpan: FACTS['ssl-tlsv13'],
  advisory: true,
  names: ['SSLVerifyClient'],
  onlyWhenUpgrading: true,
  findingFor(node, place, context) {
    const servers = serversOf(context.tree);
    const refusing = serversAskingLater(node, place, servers);
    const [server] = refusing;
    if (server === undefined || isMendedAtServer(context, place, refusing)) return undefined;
    const host = server.section;
    const where =
      host === undefined || servers.of(place) === server
        ? ''
        : ` in <VirtualHost> at ${server.file.name}:${server.file.document.positionAt(host.open.from).line}`;
    return {
      level: 'error',
      changesAccess: true,
      message: `with TLS 1.3, which 2.2 did not offer, 2.4 answers 403 here to every browser${where}, because browsers send no certificate after the handshake: add -TLSv1.3 to SSLProtocol of the host, or write SSLVerifyClient ${levelOf(node)} for the whole host`,
    };
  },
});

const levelOf = ({ args }: Directive): string => args[0]?.value.toLowerCase() ?? '';

/** The servers with TLS 1.3 where a line asks for more than the client has been asked before the request. */
export function serversAskingLater(node: Directive, place: Place, servers: Servers): readonly Server[] {
  const level = levelOf(node);
  if (!/^(?:require|optional|optional_no_ca)$/.test(level) || isAtServerLevel(place)) return [];
  // What stands in no virtual host is for each of them.
  const here = servers.of(place);
  const all = here.section === undefined ? servers.all : [here];
  return all.filter((each) => each.whole && mayUseTls(each) && offersTls13(each) && !hasAsked(each, level));
}

/** Whether the server has asked every client for as much before the request (ssl_engine_kernel.c: ssl_hook_Access_modern). */
function hasAsked(server: Server, level: string): boolean {
  const asked = lastDirective(server, 'SSLVerifyClient')?.node.args[0]?.value.toLowerCase() ?? 'none';
  return asked === 'require' || (asked !== 'none' && level !== 'require');
}
