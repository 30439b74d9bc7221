import type { Transform } from '../../src/engine';
import directoryMatchEnd from './directory-match-end';
import expressionText from './expression-text';
import includePattern from './include-pattern';
import keepAlive from './keep-alive';
import keepAliveTimeout from './keep-alive-timeout';
import limitAtServerLevel from './limit-at-server-level';
import limitMethod from './limit-method';
import options from './options';
import programVariableSet from './program-variable-set';
import requestHeaderType from './request-header-type';
import requestHeaderUnderscore from './request-header-underscore';
import serverNamePattern from './server-name-pattern';
import serverTokens from './server-tokens';
import startNames from './start-names';

export const core: readonly Transform[] = [
  directoryMatchEnd,
  expressionText,
  includePattern,
  keepAlive,
  keepAliveTimeout,
  limitAtServerLevel,
  limitMethod,
  options,
  serverNamePattern,
  serverTokens,
  requestHeaderUnderscore,
  startNames,
  programVariableSet,
  requestHeaderType,
];
