import { FACTS, sinceRelease } from '../../src/httpd/facts';
import { advice } from '../common/advice';

export default advice({
  id: 'request-header-type',
  changes: ['F46'],
  title: 'RequestHeader set Content-Type',
  why: 'In 2.2, the line also sets the type of what is sent, for files and for what sends no type of its own. Since 2.4.64 it is about the request alone.',
  docs: ['mod_headers: RequestHeader', 'CHANGES 2.4.64', 'modules/metadata/mod_headers.c: do_headers_fixup'],
  lifeSpan: FACTS['request-header-type'],
  names: ['RequestHeader'],
  level: 'warning',
  messageFor: ({ args }) => {
    const [action = '', header = '', value = '', ...more] = args.map((arg) => arg.value);
    if (action.toLowerCase() !== 'set' || !/^content-type:?$/i.test(header)) return undefined;
    if (more.some((word) => word.toLowerCase() === 'early')) return undefined;
    return `2.2 also sent files as ${value} because of this line; ${sinceRelease('request-header-type')} it is about the request alone: add Header set Content-Type or ForceType if the type of what is sent is meant`;
  },
});
