import { type Place, type Servers, serversOf } from '../../src/config';
import type { TreeIndex } from '../../src/engine';
import { FACTS } from '../../src/httpd/facts';
import type { Directive } from '../../src/syntax';
import { lineRule } from '../common/line-rule';
import { isAtServerLevel } from '../common/lines';
import { firstKnownProgramLine, mayUseTls, offersTls13 } from '../common/servers';
import { valueOfRequire } from './ssl-require-tls13';

/** Lines that hand a variable of TLS on, or ask for it. */
const READERS = [
  'CustomLog',
  'Header',
  'LogFormat',
  'RequestHeader',
  'RewriteCond',
  'RewriteRule',
  'TransferLog',
];

/** What 2.2 says once it has looked at SSLVerifyClient, and what 2.4 says by TLS 1.3, where it does not look again. */
const [WAS, IS] = ['GENEROUS', 'FAILED:unable to verify the first certificate'];

export default lineRule({
  id: 'ssl-verify-no-ca',
  changes: ['S22'],
  title: 'SSL_CLIENT_VERIFY of a certificate that optional_no_ca lets through',
  why: 'For a certificate of an authority that the server does not know, SSL_CLIENT_VERIFY is GENEROUS where SSLVerifyClient optional_no_ca lets it through. By TLS 1.3, which 2.2 does not have, 2.4 says FAILED: and the reason, so that expressions which ask for GENEROUS or FAILED decide otherwise.',
  docs: ['mod_ssl: SSLVerifyClient', 'modules/ssl/ssl_engine_kernel.c: ssl_hook_Access_modern'],
  lifeSpan: FACTS['ssl-tlsv13'],
  advisory: true,
  onlyWhenUpgrading: true,
  names: ['SSLRequire', 'SSLVerifyClient'],
  findingFor(node, place, { index, tree }) {
    const servers = serversOf(tree);
    const change = `by TLS 1.3, which 2.2 did not offer, SSL_CLIENT_VERIFY is "FAILED:" and the reason, and no longer GENEROUS, for a certificate that optional_no_ca lets through`;
    const remedy = 'add -TLSv1.3 to SSLProtocol of the host';
    if (node.key === 'sslrequire')
      return valueOfRequire(node, { SSL_CLIENT_VERIFY: WAS }) !==
        valueOfRequire(node, { SSL_CLIENT_VERIFY: IS }) &&
        index.someDirective(['SSLVerifyClient'], (line, at) => letsThrough(line, at, servers, place))
        ? {
            level: 'error',
            changesAccess: true,
            message: `${change}, which changes who gets in here: ${remedy}, or name the certificates`,
          }
        : undefined;
    if (!letsThrough(node, place, servers, place)) return undefined;
    // Rules of a server come before 2.2 has looked.
    const isAsked = index.someDirective(
      ['RewriteCond'],
      ({ rest }, at) => !isAtServerLevel(at) && /ssl_client_verify.*(?:generous|failed)/i.test(rest),
    );
    return isAsked || isRead(index)
      ? {
          level: isAsked ? 'warning' : 'info',
          message: `${change}: ${remedy} if ${isAsked ? 'a RewriteCond' : 'a log, a backend or a program'} reads it`,
        }
      : undefined;
  },
});

/** Whether a line lets such certificates through, by TLS 1.3, to a server that a place belongs to. */
function letsThrough({ key, args }: Directive, place: Place, servers: Servers, asked: Place): boolean {
  if (key !== 'sslverifyclient' || args[0]?.value.toLowerCase() !== 'optional_no_ca') return false;
  const here = [servers.of(place), servers.of(asked)].find(({ section }) => section !== undefined);
  const all = here === undefined ? servers.all : [here];
  const isFor = [place, asked].every(
    (point) => servers.of(point).section === undefined || servers.of(point) === here,
  );
  return isFor && all.some((each) => each.whole && mayUseTls(each) && offersTls13(each));
}

const isRead = (index: TreeIndex): boolean =>
  firstKnownProgramLine(index) !== undefined ||
  index.someDirective(READERS, ({ rest }) => /ssl_client_verify/i.test(rest));
