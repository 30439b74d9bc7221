import { shutSections } from '../../src/access';
import { defineTransform } from '../../src/engine';

/** Tells of directories that are shut for a `.htaccess` that could not be written, or not in 2.4's words, as long as they are. */
export default defineTransform({
  id: 'shut-directory',
  changes: ['A17'],
  title: 'A directory shut by the server, and a .htaccess there that is not read',
  why: "Where a .htaccess cannot be written, or nothing in it could say it, and as it stands 2.4 would let others in than 2.2, a run shuts its directory in the server's own files. Nobody gets in until somebody says there who may, so a later run tells of it too.",
  docs: ['core: AllowOverride, AllowOverrideList', 'mod_authz_core: Require all denied'],
  advisory: true,
  isAboutAccess: true,
  run({ tree, report }) {
    for (const { file, section, unread } of shutSections(tree))
      report({
        file,
        at: section.open.start,
        level: 'warning',
        safety: 'manual',
        message: `this section lets nobody in and has ${unread.name} not read: where a run wrote it because that file could not be written, or not so that 2.4 answers as 2.2 did, nobody gets in there yet`,
        remedy: `write ${unread.name} for 2.4 or say here who may get in, and take the section out; or take the file away if nobody is to get in`,
      });
  },
});
