import { defineTransform } from '../../src/engine';
import { FACTS, sinceRelease } from '../../src/httpd/facts';
import { isCarriedOver } from '../common/lines';

export default defineTransform({
  id: 'proxy-override-balancer',
  changes: ['P15'],
  title: 'ProxyErrorOverride and members of a balancer',
  why: 'With ProxyErrorOverride, 2.2 takes a member of a balancer that answers 500 or 503 for broken: it is left out for the time of retry=, and after a 503 another member is asked. Since 2.4.16 such an answer is only replaced by the own error page.',
  docs: ['mod_proxy: ProxyErrorOverride', 'modules/proxy/mod_proxy.c: proxy_handler'],
  lifeSpan: FACTS['proxy-override-keeps-member'],
  advisory: true,
  directives: [],
  onlyWhenUpgrading: true,
  run(context) {
    const hasBalancer = context.index.someDirective(['BalancerMember'], (_, place) => isCarriedOver(place));
    const failsAnyway = context.index.someDirective(['ProxyPass', 'ProxySet'], ({ args }) =>
      args.some(({ value }) => /^failonstatus=/i.test(value)),
    );
    if (!hasBalancer || failsAnyway) return;
    context.directives(['ProxyErrorOverride'], (node, place) => {
      if (!/^on$/i.test(node.args[0]?.value ?? '') || !isCarriedOver(place)) return;
      context.report({
        file: place.file,
        at: node.from,
        level: 'info',
        safety: 'manual',
        message: `${sinceRelease('proxy-override-keeps-member')} a member of a balancer that answers 500 or 503 stays in use with ProxyErrorOverride, and after a 503 no other is asked: the parameter failonstatus=500,503 of the balancer leaves it out for a while, as 2.2 did`,
        edits: [],
      });
    });
  },
});
