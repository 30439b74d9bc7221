import { advice } from '../common/advice';

export default advice({
  id: 'dav-lock-db',
  changes: ['F09'],
  title: 'The lock database of mod_dav_fs has another format',
  why: 'On file systems with inodes, 2.4 cannot read the database that 2.2 wrote.',
  docs: ['mod_dav_fs: DavLockDB', 'upgrading'],
  names: ['DavLockDB'],
  findingFor: ({ args }) => ({
    level: 'warning',
    message: `2.4 cannot read the lock database of 2.2: delete ${args[0]?.value ?? 'the file'}.* before the first start`,
  }),
});
