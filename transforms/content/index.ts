import type { Transform } from '../../src/engine';
import addTypeHandler from './add-type-handler';
import davDirectoryIndex from './dav-directory-index';
import davLockDb from './dav-lock-db';
import davPutReplaces from './dav-put-replaces';
import defaultType from './default-type';
import defaultTypeUnset from './default-type-unset';
import directoryIndexDisabled from './directory-index-disabled';
import headerContentType from './header-content-type';
import headerName from './header-name';
import indexOptionsFancy from './index-options-fancy';
import programChanges from './program-changes';
import redirectIncomplete from './redirect-incomplete';
import scriptSock from './script-sock';
import suexecUserGroup from './suexec-user-group';
import userDirMerged from './user-dir-merged';

export const content: readonly Transform[] = [
  addTypeHandler,
  directoryIndexDisabled,
  davLockDb,
  indexOptionsFancy,
  defaultType,
  scriptSock,
  suexecUserGroup,
  userDirMerged,
  defaultTypeUnset,
  headerContentType,
  redirectIncomplete,
  davDirectoryIndex,
  davPutReplaces,
  programChanges,
  headerName,
];
