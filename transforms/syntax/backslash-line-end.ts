import { defineTransform } from '../../src/engine';
import type { Finding } from '../../src/engine';
import { type LineEnd, lineEnds } from './backslash-line-end-find';
import { commentEdit, lineEdit } from './backslash-line-end-edit';

type Told = Pick<Finding, 'level' | 'safety' | 'message' | 'edits'>;

export default defineTransform({
  id: 'backslash-line-end',
  seed: ['C19', 'C20'],
  title: 'Lines that end in backslashes',
  why: '2.2 takes two backslashes at the end of a line for one, and forgets a last line that asks to be continued. 2.4 joins every line that ends in a backslash with the next, which then vanishes from the configuration.',
  docs: ['server/util.c: ap_cfg_getline'],
  directives: [],
  run(context) {
    for (const file of context.tree.files) {
      for (const found of lineEnds(file.document)) context.report({ file, at: found.at, ...told(found) });
    }

    function told(found: LineEnd): Told {
      // What follows is swallowed: harmless where it says nothing.
      const level = found.swallows ? 'error' : 'info';
      const swallowed = '2.4 joins this line with the next one, where 2.2 did not';
      switch (found.kind) {
        case 'comment':
          return {
            level,
            safety: 'safe',
            message: `${swallowed}: a blank at its end keeps them apart`,
            edits: [commentEdit(found)],
          };
        case 'directive':
        case 'section': {
          const { edit, blank } = lineEdit(found);
          return blank
            ? {
                level,
                safety: 'review',
                message: `${swallowed}: a blank at its end keeps them apart, as long as no editor takes it away`,
                edits: [edit],
              }
            : {
                level,
                safety: 'safe',
                message: `${swallowed}: the backslash goes into quotes`,
                edits: [edit],
              };
        }
        case 'raw':
          return {
            level: 'error',
            safety: 'manual',
            message: `${swallowed}: rewrite it so that no backslash ends it`,
            edits: [],
          };
        case 'forgotten':
          return {
            level: 'error',
            safety: 'safe',
            message:
              'the backslash before the end of the file made 2.2 forget this line; 2.4 would read it, and what it says would come alive',
            edits: [{ start: found.node.start, end: found.node.end, text: '' }],
          };
        case 'forgotten-close':
          return {
            level: 'error',
            safety: 'manual',
            message:
              'the backslash before the end of the file made 2.2 forget this closing line; 2.4 reads it: remove the backslash, or the line',
            edits: [],
          };
      }
    }
  },
});
