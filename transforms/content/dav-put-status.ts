import { advice } from '../common/advice';
import { whereOnDav } from '../common/dav';

export default advice({
  id: 'dav-put-status',
  changes: ['F33'],
  title: 'PUT into a directory that does not exist',
  why: 'mod_dav_fs answers 403 to such a PUT in 2.2, and 409 in 2.4, as the standard asks.',
  docs: ['modules/dav/main/mod_dav.c: dav_method_put', 'modules/dav/fs/repos.c: MAP_IO2HTTP'],
  names: ['Dav'],
  once: true,
  level: 'info',
  concerns: ({ method, status }) => method === 'PUT' && status === 403,
  messageFor: whereOnDav(
    'a PUT into a directory that does not exist is answered 409 in 2.4, no longer 403: check programs that depend on it',
  ),
});
