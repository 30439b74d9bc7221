import { removeArguments } from '../../src/edit';
import { holds, sinceRelease } from '../../src/httpd/facts';
import { lineRule } from '../common/line-rule';

export default lineRule({
  id: 'auth-digest-auth-int',
  changes: ['A10'],
  title: 'AuthDigestQop auth-int and none',
  stops: true,
  why: '2.2 accepts auth-int, and warns that its integrity check only works for responses without a body. 2.4 refuses auth-int. Since 2.4.69 it also refuses none, which served clients of RFC 2069.',
  docs: ['mod_auth_digest: AuthDigestQop'],
  directives: ['AuthDigestQop'],
  findingFor(node, _, { target }) {
    const needsQop = holds('auth-digest-one-qop', target);
    const isNone = ({ value }: { value: string }): boolean => needsQop && value.toLowerCase() === 'none';
    const isRefused = (word: { value: string }): boolean =>
      word.value.toLowerCase() === 'auth-int' || isNone(word);
    const refused = node.args.filter(isRefused);
    if (refused.length === 0) return undefined;
    const isOnlyRefused = refused.length === node.args.length;
    // If all words are refused, the first becomes auth. All others are removed.
    const [kept] = isOnlyRefused ? refused : [];
    const gone = node.args.flatMap((word, i) => (isRefused(word) && word !== kept ? [i] : []));
    const edits = [
      ...(kept === undefined ? [] : [{ start: kept.start, end: kept.end, text: 'auth' }]),
      ...removeArguments(node, gone),
    ];
    const outcome = isOnlyRefused ? 'becomes auth' : 'is removed';
    const message = refused.some(isNone)
      ? `${sinceRelease('auth-digest-one-qop')} AuthDigestQop accepts only auth: ${isOnlyRefused ? 'the argument becomes auth' : 'the other words are removed'}; this assumes that every client sends a qop (none was for clients of RFC 2069, which 2.4 no longer serves)`
      : `2.4 refuses auth-int: the word ${outcome}; this assumes that no client insists on it`;
    return { level: 'error', safety: 'review', message, edits };
  },
});
