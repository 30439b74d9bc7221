import { htaccessProblems } from '../../src/access';
import { defineTransform } from '../../src/engine';
import { isServerFor24, isWrittenFor24 } from '../common/written-for';

/** The last word on `.htaccess` files: whether each line that 2.4 will read is allowed where it stands. */
export default defineTransform({
  id: 'htaccess-not-allowed',
  changes: ['A17', 'M06'],
  title: 'A .htaccess that AllowOverride lets one version read, and not the other',
  why: 'Each version answers 500 to a request when a .htaccess on its way says what AllowOverride does not let it say, and what is let in is not the same: Require needs AuthConfig where Order needed Limit, and a block for one version is not held against AllowOverride by the other.',
  docs: ['core: AllowOverride, AllowOverrideList', 'server/config.c: invoke_cmd', 'server/request.c: ap_directory_walk'],
  advisory: true,
  directives: [],
  run() {},
  runOnResult(context) {
    for (const { file, at, isInResult, message } of htaccessProblems(context.tree, context.result)) {
      const from = isInResult ? context.origin(file, at) : { file, at };
      // What 2.2 would have refused in lines for 2.4 is no news.
      if (!isInResult && (isServerFor24(context) || isWrittenFor24(context, { file, chain: [], root: file }))) continue;
      context.report({ ...from, level: 'error', safety: 'manual', message, edits: [] });
    }
  },
}); // prettier-ignore
