import { htaccessProblems } from '../../src/access';
import { defineTransform } from '../../src/engine';
import { isServerFor24, isWrittenFor24 } from '../common/written-for';

/** Whether AllowOverride allows each line of a `.htaccess` that 2.4 will read. */
export default defineTransform({
  id: 'htaccess-not-allowed',
  changes: ['A17', 'M06'],
  title: 'A .htaccess that AllowOverride lets only one version read',
  why: 'Each version answers 500 to a request if a .htaccess on its way has a line that AllowOverride does not allow, and the two do not allow the same: Require needs AuthConfig where Order needed Limit, and a block for one version is not checked by the other.',
  docs: ['core: AllowOverride, AllowOverrideList', 'server/config.c: invoke_cmd', 'server/request.c: ap_directory_walk'],
  advisory: true,
  directives: [],
  run() {},
  runOnResult(context) {
    for (const { file, at, isInResult, message } of htaccessProblems(context.tree, context.result)) {
      const from = isInResult ? context.origin(file, at) : { file, at };
      // That 2.2 refused lines for 2.4 is nothing new.
      if (!isInResult && (isServerFor24(context) || isWrittenFor24(context, { file, chain: [], root: file }))) continue;
      context.report({ ...from, level: 'error', safety: 'manual', message, edits: [] });
    }
  },
}); // prettier-ignore
