import type { Transform } from '../../src/engine';
import cookieInLogFormat from './cookie-in-log-format';
import cookieLog from './cookie-log';
import cookieTracking from './cookie-tracking';
import debugLevel from './debug-level';
import dumpioLogLevel from './dumpio-log-level';
import forwardedForInLogFormat from './forwarded-for-in-log-format';
import logFormatInHost from './log-format-in-host';
import logLevelCoreUnset from './log-level-core-unset';
import logLevelDebug from './log-level-debug';
import pipedLog from './piped-log';
import rewriteLog from './rewrite-log';
import uniqueId from './unique-id';

export const logging: readonly Transform[] = [
  cookieTracking,
  cookieLog,
  debugLevel,
  dumpioLogLevel,
  pipedLog,
  rewriteLog,
  cookieInLogFormat,
  forwardedForInLogFormat,
  logLevelCoreUnset,
  logLevelDebug,
  uniqueId,
  logFormatInHost,
];
