import type { Directive } from '../../src/syntax';
import { advice } from '../common/advice';
import { hasBackend } from '../common/servers';

export default advice({
  id: 'proxy-name-unresolved',
  changes: ['P21'],
  title: 'Backends by name',
  why: '2.2 answers 502 where the name of a backend does not resolve. 2.4 answers 500, and ends the connection.',
  docs: ['modules/proxy/proxy_util.c: ap_proxy_determine_connection'],
  names: ['ErrorDocument'],
  once: true,
  onlyIf: (index) => hasBackend(index, namesHost) || index.someDirective(['BalancerMember'], namesHost),
  findingFor: ({ args }) =>
    args[0]?.value === '502'
      ? {
          level: 'info',
          message:
            'a backend whose name does not resolve is a 500 for 2.4, and not this 502: set ErrorDocument 500 too, if such an error is to have its page',
        }
      : undefined,
});

/** Whether a URL of a line names its host. */
const namesHost = ({ args }: Directive): boolean => args.some(({ value }) => isByName(value));

/** Whether a URL names its host, other than by an address or as this machine. */
function isByName(url: string): boolean {
  const host = /^(?:https?|ajp|fcgi|scgi|ftp):\/\/(?:[^/@]*@)?([^/:[]+)/i.exec(url)?.[1];
  return host !== undefined && !/^(?:[\d.]+|localhost)$/i.test(host) && !/[$%]/.test(host);
}
