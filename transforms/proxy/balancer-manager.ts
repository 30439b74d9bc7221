import { advice } from '../common/advice';

export default advice({
  id: 'balancer-manager',
  changes: ['P18'],
  title: 'The page of balancer-manager',
  why: 'The page for balancers looks different in 2.4, and what it sends when something is changed has other names: lf is w_lf, and dw=Disable is w_status_D=1. A change also needs the nonce of the page and a Referer of the same host.',
  docs: ['modules/proxy/mod_proxy_balancer.c: balancer_process_balancer_worker, balancer_handler'],
  names: ['SetHandler', 'AddHandler'],
  once: true,
  level: 'info',
  messageFor: ({ args }) =>
    /^balancer-manager$/i.test(args[0]?.value ?? '')
      ? 'the page of balancer-manager has other markup and other parameters in 2.4 (w_lf for lf, w_status_D=1 for dw=Disable), and takes changes only with its nonce and a Referer of this host: adapt scripts that use it'
      : undefined,
});
