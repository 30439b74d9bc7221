import type { Transform } from '../../src/engine';
import addTypeHandler from './add-type-handler';
import davDirectoryIndex from './dav-directory-index';
import davLockDb from './dav-lock-db';
import davPutReplaces from './dav-put-replaces';
import davPutStatus from './dav-put-status';
import davReportStatus from './dav-report-status';
import defaultType from './default-type';
import defaultTypeUnset from './default-type-unset';
import directoryIndexDisabled from './directory-index-disabled';
import expiresOnErrors from './expires-on-errors';
import headerContentType from './header-content-type';
import headerName from './header-name';
import headerNotModified from './header-not-modified';
import indexOptionsFancy from './index-options-fancy';
import indexOptionsXhtml from './index-options-xhtml';
import languagePriority from './language-priority';
import programChanges from './program-changes';
import redirectIncomplete from './redirect-incomplete';
import scriptSock from './script-sock';
import suexecUserGroup from './suexec-user-group';
import userDirMerged from './user-dir-merged';

export const content: readonly Transform[] = [
  addTypeHandler,
  directoryIndexDisabled,
  indexOptionsXhtml,
  davLockDb,
  indexOptionsFancy,
  defaultType,
  scriptSock,
  suexecUserGroup,
  userDirMerged,
  defaultTypeUnset,
  headerContentType,
  headerNotModified,
  expiresOnErrors,
  redirectIncomplete,
  davDirectoryIndex,
  davPutReplaces,
  davPutStatus,
  programChanges,
  davReportStatus,
  headerName,
  languagePriority,
];
