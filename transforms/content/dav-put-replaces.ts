import { advice } from '../common/advice';
import { whereOnDav } from '../common/dav';

export default advice({
  id: 'dav-put-replaces',
  changes: ['F41'],
  title: 'PUT replaces files that httpd may not write',
  why: 'mod_dav_fs of 2.2 writes a PUT into the file that is there. 2.4 writes a new file beside it and gives that the name: it needs to be allowed to write the directory, and not the file. The new file belongs to the account of httpd, with its rights, and is no longer the one that a hard link names.',
  docs: [
    'modules/dav/fs/repos.c: dav_fs_open_stream',
    'CHANGES 2.3: mod_dav_fs makes PUT create files atomically',
  ],
  names: ['Dav'],
  once: true,
  level: 'warning',
  concerns: ({ method, status }) => method === 'PUT' && status === 403,
  messageFor: whereOnDav(
    'PUT writes a new file in 2.4, and renames it: a file that httpd may not write (403 in 2.2) is replaced if httpd may write its directory, and owner, permissions and hard links are lost: let httpd write only directories in which whoever may PUT may replace every file',
  ),
});
