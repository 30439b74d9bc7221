import { advice } from '../common/advice';
import { withStatus } from '../common/seen-requests';

/** The headers that 2.2 sends with status 304 as well (modules/http/http_filters.c: ap_http_header_filter). */
const SENT_BY_22 =
  /^(?:cache-control|connection|content-location|date|etag|expires|keep-alive|proxy-authenticate|server|set-cookie2?|vary|warning|www-authenticate):?$/i;

export default advice({
  id: 'header-not-modified',
  changes: ['F26'],
  title: 'Header lines and answers with status 304',
  why: '2.2 sends only some headers with a 304, and none of others that Header sets. 2.4 sends them all, so that caches take over new values.',
  docs: ['mod_headers: Header', 'modules/http/http_filters.c: ap_http_header_filter'],
  names: ['Header'],
  once: true,
  level: 'info',
  concerns: withStatus(304),
  messageFor: ({ args }) => {
    const words = args.map(({ value }) => value);
    const [action = '', header = ''] = /^(?:always|onsuccess)$/i.test(words[0] ?? '')
      ? words.slice(1)
      : words;
    return /^(?:add|append|merge|set)$/i.test(action) && header !== '' && !SENT_BY_22.test(header)
      ? `2.4 sends ${header.replace(/:$/, '')} and other headers of Header lines with answers of status 304 too, which 2.2 left out: check this if clients or caches depend on it`
      : undefined;
  },
});
