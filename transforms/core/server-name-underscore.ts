import { FACTS } from '../../src/httpd/facts';
import { advice } from '../common/advice';

export default advice({
  id: 'server-name-underscore',
  changes: ['C39'],
  title: 'Names of hosts with an underscore',
  why: 'Since 2.2.32, a request for a host with an underscore in its name is answered 400, unless HttpProtocolOptions says Unsafe. Since 2.4.34, 2.4 lets such names pass.',
  docs: ['core: HttpProtocolOptions', 'CHANGES 2.4.34'],
  lifeSpan: FACTS['host-underscore'],
  names: ['ServerName', 'ServerAlias'],
  once: true,
  level: 'info',
  messageFor: ({ args }) => {
    const name = args.find(({ value }) => /^[A-Za-z0-9.*?-]*_[A-Za-z0-9._*?-]*(?::[0-9]+)?$/.test(value));
    return name === undefined
      ? undefined
      : `2.4 answers requests for ${name.value}; late releases of 2.2 answered 400, because of the underscore: check that the host is to be served`;
  },
});
