import { FACTS, sinceRelease } from '../../src/httpd/facts';
import { advice } from '../common/advice';
import { isCarriedOver } from '../common/lines';

export default advice({
  id: 'proxy-override-balancer',
  changes: ['P15'],
  title: 'ProxyErrorOverride and members of a balancer',
  why: 'With ProxyErrorOverride, 2.2 takes a member of a balancer that answers 500 or 503 for broken: it is left out for the time of retry=, and after a 503 another member is asked. Since 2.4.16 such an answer is only replaced by the own error page.',
  docs: ['mod_proxy: ProxyErrorOverride', 'modules/proxy/mod_proxy.c: proxy_handler'],
  lifeSpan: FACTS['proxy-override-keeps-member'],
  names: ['ProxyErrorOverride'],
  onlyIf: (index) =>
    index.someDirective(['BalancerMember'], (_, place) => isCarriedOver(place)) &&
    !index.someDirective(['ProxyPass', 'ProxySet'], ({ args }) =>
      args.some(({ value }) => /^failonstatus=/i.test(value)),
    ),
  level: 'warning',
  messageFor: ({ args }) =>
    /^on$/i.test(args[0]?.value ?? '')
      ? `${sinceRelease('proxy-override-keeps-member')} a member of a balancer that answers 500 or 503 stays in use with ProxyErrorOverride, and after a 503 no other is asked: the parameter failonstatus=500,503 of the balancer leaves it out for a while, as 2.2 did`
      : undefined,
});
