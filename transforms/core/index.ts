import type { Transform } from '../../src/engine';
import directoryMatchEnd from './directory-match-end';
import errorDocument500 from './error-document-500';
import errorDocument502 from './error-document-502';
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
import serverNameUnderscore from './server-name-underscore';
import serverTokens from './server-tokens';
import setEnvEquals from './set-env-equals';
import startNames from './start-names';

export const core: readonly Transform[] = [
  errorDocument500,
  errorDocument502,
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
  setEnvEquals,
  serverNameUnderscore,
  startNames,
  programVariableSet,
  requestHeaderType,
];
