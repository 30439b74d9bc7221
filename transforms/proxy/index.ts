import type { Transform } from '../../src/engine';
import proxyIoBufferSize from './proxy-io-buffer-size';
import proxyPassInDirectory from './proxy-pass-in-directory';
import proxyPassInLocation from './proxy-pass-in-location';
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
];
