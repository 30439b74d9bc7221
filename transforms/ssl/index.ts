import type { Transform } from '../../src/engine';
import sslCaInSection from './ssl-ca-in-section';
import sslCipherSuite from './ssl-cipher-suite';
import sslCompressionOn from './ssl-compression-on';
import sslDnFormat from './ssl-dn-format';
import sslEngineInherited from './ssl-engine-inherited';
import sslHostNotSni from './ssl-host-not-sni';
import sslMutex from './ssl-mutex';
import sslPassPhraseDialog from './ssl-pass-phrase-dialog';
import sslProtocolOld from './ssl-protocol-old';
import sslProtocolSslv2 from './ssl-protocol-sslv2';
import sslProtocolUnset from './ssl-protocol-unset';
import sslProxyCheckPeer from './ssl-proxy-check-peer';
import sslRandomSeedEgd from './ssl-random-seed-egd';
import sslRequire from './ssl-require';
import sslRequireUrl from './ssl-require-url';
import sslRevocationCheck from './ssl-revocation-check';
import sslSessionCache from './ssl-session-cache';
import sslUserName from './ssl-user-name';
import sslVerifyClientInSection from './ssl-verify-client-in-section';

export const ssl: readonly Transform[] = [
  sslCaInSection,
  sslCipherSuite,
  sslCompressionOn,
  sslDnFormat,
  sslHostNotSni,
  sslProtocolOld,
  sslProtocolSslv2,
  sslProtocolUnset,
  sslProxyCheckPeer,
  sslRandomSeedEgd,
  sslRequire,
  sslRequireUrl,
  sslRevocationCheck,
  sslSessionCache,
  sslVerifyClientInSection,
  sslMutex,
  sslEngineInherited,
  sslPassPhraseDialog,
  sslUserName,
];
