import { checkServed, htaccessProblems, isRunBy22 } from '../../src/access';
import { defineTransform } from '../../src/engine';
import { isServerFor24, isWrittenFor24 } from '../common/written-for';

/** Whether AllowOverride allows each line of a `.htaccess` that 2.4 will read. */
export default defineTransform({
  id: 'htaccess-not-allowed',
  changes: ['A17', 'M06'],
  title: 'A .htaccess that one version takes, and the other answers 500 to',
  why: 'A version answers 500 where a .htaccess says what AllowOverride, its modules or their arguments do not let it say. They do not let in the same: Require needs AuthConfig where Order needed Limit, and neither version holds a block for the other against AllowOverride.',
  docs: [
    'core: AllowOverride, AllowOverrideList',
    'server/config.c: invoke_cmd',
    'server/request.c: ap_directory_walk',
  ],
  advisory: true,
  isAboutAccess: true,
  checkOthers: checkServed,
  run() {},
  runOnResult(context) {
    for (const { file, at, version, message } of htaccessProblems(context.tree, context.result)) {
      const from = version === '2.4' ? context.origin(file, at) : { file, at };
      // What 2.2 would have refused in lines for 2.4 is no news, unless a 2.2 reads them.
      const isFor24 = (): boolean =>
        isServerFor24(context) || isWrittenFor24(context, { file, chain: [], root: file });
      if (version === '2.2' && !isRunBy22(context.tree) && isFor24()) continue;
      context.report({ ...from, level: 'error', safety: 'manual', message });
    }
  },
});
