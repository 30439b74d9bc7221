import { checkServed, htaccessProblems, isRunBy22 } from '../../src/access';
import { defineTransform } from '../../src/engine';
import { isServerFor24, isWrittenFor24 } from '../common/written-for';

/** Whether AllowOverride allows each line of a `.htaccess` that 2.4 will read. */
export default defineTransform({
  id: 'htaccess-not-allowed',
  changes: ['A17', 'M06'],
  title: 'A .htaccess that one version takes, and the other answers 500 to',
  why: 'Each version answers 500 to a request when a .htaccess on its way says what AllowOverride does not let it say, what no loaded module has, or something with arguments that it does not take. What is let in is not the same: Require needs AuthConfig where Order needed Limit, and a block for one version is not held against AllowOverride by the other. 2.4 has sections and modules that 2.2 did not have, and takes further words in <IfModule> and <IfDefine>.',
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
