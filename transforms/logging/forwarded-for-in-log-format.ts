import { advice } from '../common/advice';
import { hasBackend } from '../common/servers';

/** Headers that mod_proxy adds to what it sends on (2.2 modules/proxy/mod_proxy_http.c: ap_proxy_http_request). */
const HEADER = /%[^a-zA-Z%{]*\{(X-Forwarded-(?:For|Host|Server))\}i/i;

export default advice({
  id: 'forwarded-for-in-log-format',
  changes: ['P19'],
  title: 'X-Forwarded-For in the log of a proxy',
  why: 'mod_proxy of 2.2 adds the client to X-Forwarded-For of the request itself, so that the log shows what the backend got. 2.4 adds it to a copy, and the log shows what the client sent.',
  docs: ['mod_proxy', 'modules/proxy/proxy_util.c: ap_proxy_create_hdrbrgd'],
  names: ['CustomLog', 'LogFormat', 'TransferLog'],
  once: true,
  onlyIf: (index) => hasBackend(index),
  level: 'info',
  messageFor: (node) => {
    const header = HEADER.exec(node.rest)?.[1];
    return header === undefined
      ? undefined
      : `for a request to a backend, 2.2 logged the ${header} that it sent on, and 2.4 logs the one that it got, most often "-": log %a, the client's address, beside it`;
  },
});
