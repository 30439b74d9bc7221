import { lineRule } from '../common/line-rule';

export default lineRule({
  id: 'auth-digest-md5-sess',
  changes: ['A09'],
  title: 'AuthDigestAlgorithm MD5-sess',
  stops: true,
  why: '2.4 refuses the algorithm, which never fully worked. The password file holds the same hashes for MD5.',
  docs: ['mod_auth_digest: AuthDigestAlgorithm'],
  directives: ['AuthDigestAlgorithm'],
  findingFor(node) {
    const [word] = node.args;
    if (word === undefined || node.args.length !== 1 || word.value.toLowerCase() !== 'md5-sess')
      return undefined;
    return {
      level: 'error',
      safety: 'review',
      message:
        'AuthDigestAlgorithm MD5-sess becomes MD5, the only algorithm of 2.4; this assumes that every client supports it (the passwords stay valid)',
      edits: [{ start: word.start, end: word.end, text: 'MD5' }],
    };
  },
});
