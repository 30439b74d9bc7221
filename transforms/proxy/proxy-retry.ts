import { FACTS, sinceRelease } from '../../src/httpd/facts';
import { advice } from '../common/advice';

export default advice({
  id: 'proxy-retry',
  changes: ['P16'],
  title: 'retry= of a backend outside of a balancer',
  why: '2.2 answers 503 without asking for a minute, or for the time of retry=, after it could not reach a backend. Since 2.4.23 a backend outside of a balancer is asked again with the next request.',
  docs: ['mod_proxy: ProxyPass', 'modules/proxy/proxy_util.c: ap_proxy_define_worker, ap_proxy_retry_worker'],
  lifeSpan: FACTS['proxy-retry-ignored'],
  names: ['ProxyPass', 'ProxyPassMatch'],
  level: 'info',
  messageFor: ({ args }) =>
    args.some(({ value }) => /^retry=0*[1-9]/i.test(value)) &&
    args.every(({ value }) => !/^balancer:/i.test(value))
      ? `${sinceRelease('proxy-retry-ignored')} retry= has an effect in a balancer only: a backend that could not be reached is asked again at once, which can wait for connectiontimeout= each time`
      : undefined,
});
