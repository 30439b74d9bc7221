import { advice } from '../common/advice';

export default advice({
  id: 'cache-age',
  changes: ['K08'],
  title: 'What the cache heeds',
  why: '2.2 sends no Age where the cache itself answers 304. After a POST, PUT or DELETE to a cached URL, 2.4 asks for the page once more, and 2.2 goes on sending the cached one. 2.4 does not keep an answer with s-maxage=0 or Pragma: no-cache, or to a client that says no-store, passes a conditional request on unless the cached page makes it a 304 (2.2 sent that page), and answers 504 to only-if-cached where there is no page. A Range of a page that it is about to keep is answered with the whole page, status 200; 2.2 sent the part, 206. Of what a program says with Vary, 2.2 keeps the last variant alone, and 2.4 each.',
  docs: [
    'mod_cache: CacheEnable',
    'modules/cache/cache_util.c: ap_cache_check_freshness',
    'modules/cache/mod_cache.c: cache_invalidate_filter',
    'RFC 7234, 4.4, 5.1 and 5.2',
  ],
  names: ['CacheEnable'],
  once: true,
  level: 'info',
  messageFor: ({ args: [kind] }) =>
    kind === undefined || /^(?:mem|fd)$/i.test(kind.value)
      ? undefined
      : '2.4 caches more strictly: its answers of status 304 have Age (browsers may keep pages for a shorter time), it keeps nothing with s-maxage=0 or Pragma: no-cache or for a client that says no-store, asks the backend about a conditional request that its copy does not make a 304 (2.2 sent the copy), only-if-cached without a copy is a 504, a Range of what it has not kept yet gets the whole page, each variant of what a program says with Vary is kept (2.2 kept the last), and after a POST, PUT or DELETE to the URL of a page it fetches that anew',
});
