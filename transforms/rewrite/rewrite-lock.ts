import { lineRule } from '../common/line-rule';
import { removeLineAndComment } from '../common/removed-line';

export default lineRule({
  id: 'rewrite-lock',
  changes: ['X04'],
  title: 'RewriteLock was removed',
  stops: true,
  why: '2.4 creates the lock for "prg:" rewrite maps itself and does not know the directive.',
  docs: ['core: Mutex (rewrite-map)', 'modules/mappers/mod_rewrite.c: pre_config'],
  directives: ['RewriteLock'],
  findingFor: (node, { file }, context) => ({
    level: 'error',
    safety: 'safe',
    message: '2.4 does not know RewriteLock: it creates the lock of rewrite maps itself',
    edits: [removeLineAndComment(context, file.document, node, /^RewriteLock\b/i)],
  }),
});
