import { FACTS, sinceRelease } from '../../src/httpd/facts';
import { advice } from '../common/advice';
import { isCarriedOver } from '../common/lines';
import { flagsOf, rewriteWords } from '../common/words';

const NO_PROXY = /^no-proxy(?:[=:]|$)/i;

export default advice({
  id: 'no-proxy-variable',
  changes: ['P17'],
  title: 'The variable no-proxy',
  why: 'Since 2.4.26 ProxyPass leaves a request alone if the variable no-proxy is set. 2.2 does not know it.',
  docs: ['mod_proxy: ProxyPass', 'modules/proxy/mod_proxy.c: proxy_trans'],
  lifeSpan: FACTS['proxy-no-proxy'],
  // SetEnv comes too late: the URL is mapped by then.
  names: ['BrowserMatch', 'BrowserMatchNoCase', 'RewriteRule', 'SetEnvIf', 'SetEnvIfNoCase'],
  onlyIf: (index) => index.someDirective(['ProxyPass', 'ProxyPassMatch'], (_, place) => isCarriedOver(place)),
  level: 'warning',
  messageFor(node) {
    const words =
      node.key === 'rewriterule'
        ? flagsOf(rewriteWords(node)[2]).flatMap(({ key, value }) =>
            key === 'e' || key === 'env' ? [value] : [],
          )
        : node.args.slice(1).map(({ value }) => value);
    return words.some((word) => NO_PROXY.test(word))
      ? `${sinceRelease('proxy-no-proxy')} requests with the variable no-proxy are not sent to a backend by ProxyPass, and get the files of this server: give the variable another name unless you want that`
      : undefined;
  },
});
