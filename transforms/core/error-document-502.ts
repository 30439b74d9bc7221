import { FACTS } from '../../src/httpd/facts';
import type { Directive } from '../../src/syntax';
import { advice } from '../common/advice';
import { withStatus } from '../common/seen-requests';
import { hasBackend } from '../common/servers';

export default advice({
  id: 'error-document-502',
  changes: ['P08', 'P21'],
  title: 'ErrorDocument 502 for a backend whose name does not resolve',
  why: '2.2 answers 502 where the name of a backend does not resolve. 2.4 answers 500, and ends the connection. A backend that refuses connections is a 503 in both.',
  docs: ['modules/proxy/proxy_util.c: ap_proxy_determine_address'],
  lifeSpan: FACTS['proxy-lookup-500'],
  names: ['ErrorDocument', 'ProxyRequests'],
  once: true,
  onlyIf: (index) =>
    hasBackend(index, namesHost) ||
    index.someDirective(['BalancerMember'], namesHost) ||
    index.someDirective(['ProxyRequests'], isOn),
  level: 'info',
  concerns: withStatus(502),
  messageFor(node) {
    if (node.key === 'proxyrequests')
      return isOn(node)
        ? 'a host whose name does not resolve is a 500 for a forward proxy of 2.4, and was a 502: an ErrorDocument or a monitor for 502 needs one for 500 too'
        : undefined;
    return node.args[0]?.value === '502'
      ? 'a backend whose name does not resolve is a 500 for 2.4, and not this 502: set ErrorDocument 500 too, if such an error is to have its page'
      : undefined;
  },
});

const isOn = ({ args }: Directive): boolean => /^on$/i.test(args[0]?.value ?? '');

/** Whether a URL of a line names its host. */
const namesHost = ({ args }: Directive): boolean => args.some(({ value }) => isByName(value));

/** Whether a URL names its host, other than by an address or as this machine. */
function isByName(url: string): boolean {
  const host = /^(?:https?|ajp|fcgi|scgi|ftp):\/\/(?:[^/@]*@)?([^/:[]+)/i.exec(url)?.[1];
  return host !== undefined && !/^(?:[\d.]+|localhost)$/i.test(host) && !/[$%]/.test(host);
}
