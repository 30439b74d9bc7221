import { removeLine } from '../../src/edit';
import { defineTransform } from '../../src/engine';
import { eachLine } from '../shared/lines';

export default defineTransform({
  id: 'rewrite-lock',
  seed: ['s2.3', 'X04'],
  title: 'RewriteLock goes',
  why: '2.4 makes the lock for "prg:" rewrite maps by itself, and does not know the directive.',
  docs: ['core: Mutex (rewrite-map)', 'modules/mappers/mod_rewrite.c: pre_config'],
  directives: ['RewriteLock'],
  run(context) {
    eachLine(context, ['RewriteLock'], (node, { file }) =>
      context.report({
        file,
        at: node.from,
        level: 'error',
        safety: 'safe',
        message: '2.4 does not know RewriteLock: it makes the lock of rewrite maps by itself',
        edits: [removeLine(file.document, node)],
      }),
    );
  },
});
