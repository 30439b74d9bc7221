import type { Transform } from '../../src/engine';
import accessVariableChanges from './access-variable-changes';
import commentedExample from './commented-example';
import directoryIndexElsewhere from './directory-index-elsewhere';
import errorDocumentRefused from './error-document-refused';
import hostListComment from './host-list-comment';
import orderAllowDeny from './order-allow-deny';
import accessLineRefused from './access-line-refused';
import htaccessNotAllowed from './htaccess-not-allowed';
import limitInLocation from './limit-in-location';
import requireExpression from './require-expression';
import setEnvIfUrl from './set-env-if-url';
import shutDirectory from './shut-directory';
import accessByVersion from './access-by-version';

export const access: readonly Transform[] = [
  orderAllowDeny,
  requireExpression,
  hostListComment,
  htaccessNotAllowed,
  shutDirectory,
  accessLineRefused,
  errorDocumentRefused,
  limitInLocation,
  directoryIndexElsewhere,
  setEnvIfUrl,
  accessVariableChanges,
  commentedExample,
  accessByVersion,
];
