import type { Transform } from '../../src/engine';
import sslCaInSection from './ssl-ca-in-section';
import sslDaysLeft from './ssl-days-left';
import sslDnFormat from './ssl-dn-format';
import sslProtocolTls13 from './ssl-protocol-tls13';
import sslRequire from './ssl-require';
import sslRequireTls13 from './ssl-require-tls13';
import sslRequireUrl from './ssl-require-url';
import sslRequireVary from './ssl-require-vary';
import sslRequireVersion from './ssl-require-version';
import sslRevocationCheck from './ssl-revocation-check';
import sslUserName from './ssl-user-name';
import sslVerifyClientInSection from './ssl-verify-client-in-section';
import sslVerifyNoCa from './ssl-verify-no-ca';

/** What TLS says of a client, and what is asked of it. */
export const sslClient: readonly Transform[] = [
  sslCaInSection,
  sslDnFormat,
  sslProtocolTls13,
  sslRequire,
  sslRequireTls13,
  sslRequireUrl,
  sslRequireVersion,
  sslRevocationCheck,
  sslUserName,
  sslVerifyClientInSection,
  sslVerifyNoCa,
  sslRequireVary,
  sslDaysLeft,
];
