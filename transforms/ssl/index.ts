import type { Transform } from '../../src/engine';
import sslCipherSuite from './ssl-cipher-suite';
import sslCompressionOn from './ssl-compression-on';
import sslEngineInherited from './ssl-engine-inherited';
import sslHostNotSni from './ssl-host-not-sni';
import sslMutex from './ssl-mutex';
import sslPassPhraseDialog from './ssl-pass-phrase-dialog';
import sslProtocolOld from './ssl-protocol-old';
import sslProtocolSslv2 from './ssl-protocol-sslv2';
import sslProtocolUnset from './ssl-protocol-unset';
import sslProxyCheckPeer from './ssl-proxy-check-peer';
import sslRandomSeedEgd from './ssl-random-seed-egd';
import sslSessionCache from './ssl-session-cache';

export const ssl: readonly Transform[] = [
  sslCipherSuite,
  sslCompressionOn,
  sslHostNotSni,
  sslProtocolOld,
  sslProtocolSslv2,
  sslProtocolUnset,
  sslProxyCheckPeer,
  sslRandomSeedEgd,
  sslSessionCache,
  sslMutex,
  sslEngineInherited,
  sslPassPhraseDialog,
];
