import { FACTS, sinceRelease } from '../../src/httpd/facts';
import { advice } from '../common/advice';

export default advice({
  id: 'proxy-connect-idle',
  changes: ['P14'],
  title: 'Connections through CONNECT that are silent',
  why: '2.2 keeps a connection through CONNECT for as long as both sides do. Since 2.4.47 it ends when nothing was sent for the time that Timeout or ProxyTimeout sets.',
  docs: [
    'modules/proxy/mod_proxy_connect.c: proxy_connect_handler',
    'modules/proxy/proxy_util.c: ap_proxy_tunnel_run',
  ],
  lifeSpan: FACTS['proxy-tunnel-timeout'],
  names: ['AllowCONNECT', 'ProxyRequests'],
  once: true,
  level: 'info',
  concerns: ({ method }) => method === 'CONNECT',
  messageFor: ({ key, args }) =>
    key === 'allowconnect' || /^on$/i.test(args[0]?.value ?? '')
      ? `${sinceRelease('proxy-tunnel-timeout')} a connection through CONNECT ends if it is silent for as long as Timeout or ProxyTimeout sets; 2.2 had no limit: set ProxyTimeout if connections are to stay open`
      : undefined,
});
