import type { TreeIndex } from '../../src/engine';
import { advice } from '../common/advice';
import { withStatus } from '../common/seen-requests';

/** Statuses that have a name in 2.4 and had none in 2.2, as `ErrorDocument` names them. */
const NAMED_SINCE = new Set(['428', '429', '431', '451', '511']);

export default advice({
  id: 'error-document-500',
  changes: ['P24'],
  title: 'ErrorDocument 500 for statuses that 2.2 did not know',
  why: 'With ProxyErrorOverride, 2.2 sends the page of ErrorDocument 500 for a status of a backend that it does not know, such as 429. 2.4 knows 428, 429, 431, 451 and 511, and sends a page of its own, unless ErrorDocument names one. For 418, 420 and 425 it is the other way round.',
  docs: ['modules/http/http_protocol.c: status_lines, ap_index_of_response', 'mod_proxy: ProxyErrorOverride'],
  names: ['ErrorDocument'],
  once: true,
  onlyIf: overridesErrors,
  level: 'info',
  concerns: withStatus(418, 511),
  messageFor: ({ args: [status, page] }) =>
    status?.value === '500' && page?.value !== 'default'
      ? 'a backend that answers 428, 429, 431, 451 or 511 gets a page of 2.4, and not this one, and 418, 420 and 425 get this one: add ErrorDocument 429 and so on, if they are to look like this'
      : undefined,
});

function overridesErrors(index: TreeIndex): boolean {
  return (
    index.someDirective(['ProxyErrorOverride'], ({ args }) => args[0]?.value.toLowerCase() === 'on') &&
    !index.someDirective(['ErrorDocument'], ({ args }) => NAMED_SINCE.has(args[0]?.value ?? ''))
  );
}
