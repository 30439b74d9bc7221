import { advice } from '../common/advice';

export default advice({
  id: 'cache-age',
  changes: ['K08'],
  title: 'How long the cache keeps answers',
  why: 'Where the cache itself answers 304, 2.2 sends no Age, and 2.4 does. After a POST, PUT or DELETE to the URL of a cached page, 2.4 asks for the page once more, and 2.2 goes on sending the cached one.',
  docs: ['mod_cache: CacheEnable', 'modules/cache/cache_util.c: ap_cache_check_freshness', 'modules/cache/mod_cache.c: cache_invalidate_filter', 'RFC 7234, 4.4 and 5.1'],
  names: ['CacheEnable'],
  once: true,
  findingFor: ({ args: [kind] }) =>
    kind === undefined || /^(?:mem|fd)$/i.test(kind.value)
      ? undefined
      : {
          level: 'info',
          message: 'answers of status 304 from the cache have Age in 2.4, and had none in 2.2: browsers and caches in front may keep pages for a shorter time; after a POST, PUT or DELETE to its URL 2.4 fetches a cached page anew',
        },
}); // prettier-ignore
