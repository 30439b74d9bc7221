import { advice } from '../common/advice';

export default advice({
  id: 'cache-age',
  changes: ['K08'],
  title: 'What the cache heeds',
  why: 'mod_cache of 2.4 follows RFC 7234 where that of 2.2 did not: in what it keeps, when it asks the backend again, and what it answers from its copy.',
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
