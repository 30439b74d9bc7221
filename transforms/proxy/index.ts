import type { Transform } from '../../src/engine';
import balancerManager from './balancer-manager';
import noProxyVariable from './no-proxy-variable';
import proxyConnectIdle from './proxy-connect-idle';
import proxyEncodedSlash from './proxy-encoded-slash';
import proxyIoBufferSize from './proxy-io-buffer-size';
import proxyFilterByExtension from './proxy-filter-by-extension';
import proxyMatchWorker from './proxy-match-worker';
import proxyOverrideBalancer from './proxy-override-balancer';
import proxyPassInDirectory from './proxy-pass-in-directory';
import proxyPassInLocation from './proxy-pass-in-location';
import proxyPassReversePath from './proxy-pass-reverse-path';
import proxyPing from './proxy-ping';
import proxyRetry from './proxy-retry';
import proxyScgi from './proxy-scgi';
import proxySectionRegex from './proxy-section-regex';
import proxyWorkerShared from './proxy-worker-shared';

export const proxy: readonly Transform[] = [
  proxyIoBufferSize,
  proxyPassInDirectory,
  proxyPassInLocation,
  proxyScgi,
  proxySectionRegex,
  proxyWorkerShared,
  proxyMatchWorker,
  proxyPassReversePath,
  proxyEncodedSlash,
  proxyConnectIdle,
  proxyOverrideBalancer,
  proxyRetry,
  proxyPing,
  noProxyVariable,
  balancerManager,
  proxyFilterByExtension,
];
