import type { Transform } from '../../src/engine';
import acceptMutex from './accept-mutex';
import listenTwice from './listen-twice';
import maxClients from './max-clients';
import maxRequestsPerChild from './max-requests-per-child';
import win32DisableAcceptEx from './win32-disable-accept-ex';

export const mpm: readonly Transform[] = [
  maxClients,
  maxRequestsPerChild,
  acceptMutex,
  listenTwice,
  win32DisableAcceptEx,
];
