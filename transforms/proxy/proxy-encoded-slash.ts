import { FACTS, sinceRelease } from '../../src/httpd/facts';
import { advice } from '../common/advice';
import { hasBackend } from '../common/servers';
import { flagsOf, rewriteWords } from '../common/words';
import { withEscape } from '../common/seen-requests';

/** Flags with which a rule hands on the slash as it was, or escapes it once more. */
const STRICT_FLAGS = new Set(['b', 'backrefescaping', 'ne', 'noescape']);

const HAS_SLASH = withEscape('%2F');
const HAS_PERCENT = withEscape('%25');

export default advice({
  id: 'proxy-encoded-slash',
  changes: ['P13'],
  title: 'AllowEncodedSlashes NoDecode and backends',
  why: 'With AllowEncodedSlashes NoDecode, 2.2 sends %252F to a backend for %2F. Since 2.4.57 the backend gets %2F, and a URL in which %25 stands for a percent sign is answered 400.',
  docs: ['core: AllowEncodedSlashes', 'modules/proxy/mod_proxy_http.c: proxy_http_canon'],
  lifeSpan: FACTS['proxy-encoded-slashes-kept'],
  names: ['AllowEncodedSlashes'],
  onlyIf: (index) =>
    hasBackend(index, (node) =>
      node.key === 'rewriterule'
        ? !flagsOf(rewriteWords(node)[2]).some(({ key }) => STRICT_FLAGS.has(key))
        : !node.args.some(({ value }) => /^nocanon$/i.test(value)),
    ),
  level: 'warning',
  concerns: (request) => HAS_SLASH(request) || HAS_PERCENT(request),
  messageFor: ({ args }) =>
    /^nodecode$/i.test(args[0]?.value ?? '')
      ? `${sinceRelease('proxy-encoded-slashes-kept')} backends get %2F as the client sent it, where 2.2 sent %252F, and URLs with %25 are answered 400: see that the backend expects this; where ProxyPass leads there, nocanon hands on the whole path as it came`
      : undefined,
});
