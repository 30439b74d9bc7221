import { advice } from '../common/advice';

export default advice({
  id: 'cache-age',
  changes: ['K08'],
  title: 'The age of answers from the cache',
  why: 'Where the cache itself answers 304, 2.2 sends no Age, and 2.4 does.',
  docs: ['mod_cache: CacheEnable', 'modules/cache/cache_util.c: ap_cache_check_freshness', 'RFC 7234, 5.1'],
  names: ['CacheEnable'],
  once: true,
  findingFor: ({ args: [kind] }) =>
    kind === undefined || /^(?:mem|fd)$/i.test(kind.value)
      ? undefined
      : {
          level: 'info',
          message: 'answers of status 304 from the cache have Age in 2.4, and had none in 2.2: browsers and caches in front may keep pages for a shorter time',
        },
}); // prettier-ignore
