import { FACTS, sinceRelease } from '../../src/httpd/facts';
import { advice } from '../common/advice';

export default advice({
  id: 'auth-digest-client-without-qop',
  changes: ['A10'],
  title: 'Digest clients without a qop',
  why: 'Since 2.4.69, Digest clients must send a qop. Clients that follow RFC 2069 send none and are refused; only very old clients and some scripts still do that.',
  docs: ['mod_auth_digest: AuthDigestQop', 'modules/aaa/mod_auth_digest.c: authenticate_digest_user'],
  lifeSpan: FACTS['auth-digest-needs-qop'],
  names: ['AuthType'],
  once: true,
  level: 'info',
  messageFor: ({ args }) =>
    args[0]?.value.toLowerCase() === 'digest'
      ? `${sinceRelease('auth-digest-needs-qop')} httpd refuses Digest clients that send no qop (very old clients and some scripts, after RFC 2069): update them`
      : undefined,
});
