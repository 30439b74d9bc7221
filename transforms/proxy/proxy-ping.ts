import { advice } from '../common/advice';

export default advice({
  id: 'proxy-ping',
  changes: ['P20'],
  title: 'ping= of a backend over HTTP',
  why: '2.2 reads ping= for AJP alone. 2.4 asks a backend over HTTP with Expect: 100-Continue before it sends the body of a request, and hands the answer of a backend that refuses that (417) to the client.',
  docs: ['mod_proxy: ProxyPass, ping', 'modules/proxy/mod_proxy.h: PROXY_DO_100_CONTINUE'],
  names: ['ProxyPass', 'ProxyPassMatch', 'ProxySet', 'BalancerMember'],
  level: 'warning',
  messageFor: ({ args, key }, { chain }) => {
    if (!args.some(({ value }) => /^ping=\d/i.test(value))) return undefined;
    const section = chain.at(-1)?.section;
    const words = key === 'proxyset' && section !== undefined ? [...args, ...section.args] : args;
    return words.some(({ value }) => /^https?:/i.test(value))
      ? '2.2 had no use for ping= over HTTP; 2.4 sends Expect: 100-Continue before a body, and a backend that does not know that answers 417 or waits: take ping= away unless the backend does'
      : undefined;
  },
});
