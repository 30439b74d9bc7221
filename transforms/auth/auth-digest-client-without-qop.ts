import { FACTS, sinceRelease } from '../../src/httpd/facts';
import { advice } from '../shared/advice';

export default advice({
  id: 'auth-digest-client-without-qop',
  changes: ['A10'],
  title: 'Digest clients without a qop',
  why: 'Since 2.4.69 a Digest answer must name its qop: clients of RFC 2069, which do not, are turned away. Only very old ones and scripts are left of them.',
  docs: ['mod_auth_digest: AuthDigestQop', 'modules/aaa/mod_auth_digest.c: authenticate_digest_user'],
  lifeSpan: FACTS['auth-digest-needs-qop'],
  names: ['AuthType'],
  once: true,
  findingFor: ({ args }) =>
    args[0]?.value.toLowerCase() === 'digest'
      ? {
          level: 'info',
          message: `${sinceRelease('auth-digest-needs-qop')} Digest clients that send no qop (RFC 2069: very old ones, and some scripts) do not get in`,
        }
      : undefined,
});
