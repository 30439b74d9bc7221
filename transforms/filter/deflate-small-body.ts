import { advice } from '../common/advice';
import { FILTER_DIRECTIVES } from '../common/words';

export default advice({
  id: 'deflate-small-body',
  changes: ['F08'],
  title: 'Bodies that would grow are not compressed',
  why: '2.4 does not compress a body if the overhead is larger than the body, and leaves alone what has none: the answer of a backend to HEAD.',
  docs: ['mod_deflate', 'upgrading'],
  names: FILTER_DIRECTIVES,
  once: true,
  // FilterProvider names the filter that is declared first, and the one that does the work second.
  level: 'info',
  messageFor: ({ key, args }) =>
    /(?:^|;)DEFLATE(?:;|$)/i.test(args[key === 'filterprovider' ? 1 : 0]?.value ?? '')
      ? '2.4 does not compress a body that would become larger, and sends it, answers of status 304 and those of backends to HEAD without Vary: Accept-Encoding: add Header merge Vary Accept-Encoding if a cache must not mix them up'
      : undefined,
});
