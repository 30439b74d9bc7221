import { isModuleLacked } from '../../src/config';
import { defineTransform } from '../../src/engine';
import { eachLine, isNotInUse, reportLines } from '../common/lines';

export default defineTransform({
  id: 'dav-lock-db',
  changes: ['F09'],
  title: 'The lock database of mod_dav_fs has another format',
  why: 'On file systems with inodes, 2.4 cannot read the database that 2.2 wrote.',
  docs: ['mod_dav_fs: DavLockDB', 'upgrading'],
  advisory: true,
  onlyWhenUpgrading: true,
  run(context) {
    const { tree } = context;
    if (isModuleLacked(tree, 'dav_fs_module')) return;
    // Without a directory that can be written to, nothing was ever locked. A part of a server does not tell.
    let isUsed = !tree.isServer;
    eachLine(context, ['Dav'], ({ args }, { root }) => {
      isUsed ||= root.role !== 'unreached' && args[0]?.value.toLowerCase() !== 'off';
    });
    reportLines(context, ['DavLockDB'], ({ args }, place) => {
      if (!isUsed || isNotInUse(place, tree)) return undefined;
      return {
        level: 'warning',
        message: `2.4 cannot read the lock database of 2.2: delete ${args[0]?.value ?? 'the file'}.* before the first start`,
      };
    });
  },
});
