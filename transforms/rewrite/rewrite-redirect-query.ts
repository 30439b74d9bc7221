import { advice } from '../common/advice';
import { isUnknown } from '../common/lines';
import { allOf, withStatus } from '../common/seen-requests';
import { flagsOf, rewriteWords } from '../common/words';
import { lookupsIn } from './map-lookups';

export default advice({
  id: 'rewrite-redirect-query',
  changes: ['F37'],
  title: 'The query string of redirects by RewriteRule',
  why: '2.2 escapes the query string of the request once more when a rule without a query string of its own redirects: a%20b becomes a%2520b. 2.4 hands it on as it came.',
  docs: ['modules/mappers/mod_rewrite.c: hook_uri2file, hook_fixup', 'mod_rewrite: RewriteRule flags (NE)'],
  names: ['RewriteRule'],
  once: true,
  level: 'info',
  concerns: allOf(withStatus(301, 308), ({ query }) => query.includes('%')),
  messageFor(node) {
    const [, substitution, flagWord] = rewriteWords(node);
    const text = lookupsIn(substitution?.text ?? '-', () => undefined).text;
    if (text === '-' || text.includes('?') || isUnknown(text)) return undefined;
    const flags = flagsOf(flagWord);
    if (flags.some(({ key }) => /^(?:ne|noescape|p|proxy|f|forbidden|g|gone)$/.test(key))) return undefined;
    const redirect = flags.find(({ key }) => key === 'r' || key === 'redirect');
    const isRedirect =
      redirect === undefined ? /^(?:https?|ftp):/i.test(text) : !/^[1245]/.test(redirect.value);
    return isRedirect
      ? '2.4 redirects with the query string as it came, while 2.2 escaped its percent signs once more (a%20b became a%2520b): see that nothing undoes that'
      : undefined;
  },
});
