import { replaceArgument } from '../../src/edit';
import { lineRule } from '../common/line-rule';

export default lineRule({
  id: 'auth-digest-nonce-once',
  changes: ['A25'],
  title: 'AuthDigestNonceLifetime 0',
  why: 'The manual says that each nonce then does for one request. 2.2 cannot see that, as it keeps nothing about its clients, and takes a nonce for ever. 2.4 keeps that, and lets each request log in again. A negative lifetime is one without an end.',
  docs: [
    'mod_auth_digest: AuthDigestNonceLifetime',
    'modules/aaa/mod_auth_digest.c: check_nonce, gen_nonce, APR_HAS_SHARED_MEMORY of 2.2',
  ],
  directives: ['AuthDigestNonceLifetime'],
  onlyWhenUpgrading: true,
  findingFor(node, { file }) {
    const [word] = node.args;
    if (word === undefined || node.args.length !== 1 || !/^[+-]?0+$/.test(word.value)) return undefined;
    return {
      level: 'warning',
      safety: 'safe',
      message:
        'with 0, 2.4 takes each nonce once, so that every request logs in again: it becomes -1, by which a nonce lasts as in 2.2 (a number of seconds, such as the usual 300, is safer)',
      edits: [replaceArgument(file.document, word, '-1')],
    };
  },
});
