import { methodsForOtherIndex } from '../../src/access';
import { defineTransform } from '../../src/engine';
import { isUnknown, reportLines } from '../common/lines';
import { methodName } from './limit-in-location';

export default defineTransform({
  id: 'directory-index-elsewhere',
  changes: ['A23'],
  title: 'DirectoryIndex names a file of another directory, where GET is limited more than other methods',
  why: 'httpd looks up the index file by GET. If it lies in another directory, 2.2 asked whether that GET is allowed, too. 2.4 asks only if other sections are met than for the directory.',
  docs: ['server/request.c: ap_process_request_internal, ap_directory_walk', 'mod_dir: DirectoryIndex'],
  advisory: true,
  onlyWhenUpgrading: true,
  run(context) {
    reportLines(context, ['DirectoryIndex'], ({ args }, place) => {
      for (const { value } of args) {
        if (!value.includes('/') || isUnknown(value)) continue;
        const [method] = methodsForOtherIndex(context.tree, value, place);
        if (method !== undefined)
          return {
            level: 'error',
            changesAccess: true,
            message: `to ${methodName(method)} for another directory than that of ${value}, 2.2 gave this file only if GET was allowed too, and 2.4 does not ask that: limit these methods as GET is limited, or write a <Files> for its name, for which 2.4 asks`,
          };
      }
      return undefined;
    });
  },
});
