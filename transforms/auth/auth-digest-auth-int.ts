import { defineTransform } from '../../src/engine';
import { eachLine } from '../shared/lines';
import { withoutArgument } from './auth-lines';

export default defineTransform({
  id: 'auth-digest-auth-int',
  changes: ['A10'],
  title: 'AuthDigestQop auth-int',
  why: '2.2 accepts auth-int with a warning, because the integrity check works only for responses without a body. 2.4 refuses it.',
  docs: ['mod_auth_digest: AuthDigestQop'],
  directives: ['AuthDigestQop'],
  run(context) {
    eachLine(context, ['AuthDigestQop'], (node, { file }) => {
      const isInt = ({ value }: { value: string }): boolean => value.toLowerCase() === 'auth-int';
      const ints = node.args.filter(isInt);
      if (ints.length === 0) return;
      const [first] = ints;
      const alone = ints.length === node.args.length;
      // The first of nothing but auth-int becomes auth; all others go.
      const edits = node.args.flatMap((word, i) => {
        if (!isInt(word)) return [];
        if (alone && word === first) return [{ start: word.start, end: word.end, text: 'auth' }];
        return [withoutArgument(node, i)];
      });
      context.report({
        file,
        at: node.from,
        level: 'error',
        safety: 'review',
        message: `2.4 refuses auth-int: AuthDigestQop ${alone ? 'becomes auth' : 'goes without it'}, assuming that no client insists on it`,
        edits,
      });
    });
  },
});
