import { defineTransform } from '../../src/engine';
import { FACTS, sinceRelease } from '../../src/httpd/facts';
import { isCarriedOver } from '../common/lines';
import { flagsOf, rewriteWords } from '../common/rewrite-words';

/** What sets variables before a URL is mapped. SetEnv comes too late for that. */
const NAMES = ['BrowserMatch', 'BrowserMatchNoCase', 'RewriteRule', 'SetEnvIf', 'SetEnvIfNoCase'];

const NO_PROXY = /^no-proxy(?:[=:]|$)/i;

export default defineTransform({
  id: 'no-proxy-variable',
  changes: ['P17'],
  title: 'The variable no-proxy',
  why: 'Since 2.4.26 ProxyPass leaves a request alone if the variable no-proxy is set. 2.2 does not know it.',
  docs: ['mod_proxy: ProxyPass', 'modules/proxy/mod_proxy.c: proxy_trans'],
  lifeSpan: FACTS['proxy-no-proxy'],
  advisory: true,
  directives: [],
  onlyWhenUpgrading: true,
  run(context) {
    if (!context.index.someDirective(['ProxyPass', 'ProxyPassMatch'], (_, place) => isCarriedOver(place)))
      return;
    context.directives(NAMES, (node, place) => {
      const words =
        node.key === 'rewriterule'
          ? flagsOf(rewriteWords(node)[2]).flatMap(({ key, value }) =>
              key === 'e' || key === 'env' ? [value] : [],
            )
          : node.args.slice(1).map(({ value }) => value);
      if (!isCarriedOver(place) || !words.some((word) => NO_PROXY.test(word))) return;
      context.report({
        file: place.file,
        at: node.from,
        level: 'warning',
        safety: 'manual',
        message: `${sinceRelease('proxy-no-proxy')} requests with the variable no-proxy are not sent to a backend by ProxyPass, and get the files of this server: give the variable another name unless you want that`,
        edits: [],
      });
    });
  },
});
