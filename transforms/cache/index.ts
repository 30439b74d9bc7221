import type { Transform } from '../../src/engine';
import cacheAge from './cache-age';
import cacheDirLevelsUnset from './cache-dir-levels-unset';
import cacheDisable from './cache-disable';
import cacheEnable from './cache-enable';
import cacheFileSize from './cache-file-size';
import cacheIgnore from './cache-ignore';
import memCache from './mem-cache';

export const cache: readonly Transform[] = [
  cacheDirLevelsUnset,
  cacheDisable,
  cacheEnable,
  cacheFileSize,
  cacheIgnore,
  memCache,
  cacheAge,
];
