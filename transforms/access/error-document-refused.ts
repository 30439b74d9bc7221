import { isErrorPageRefused } from '../../src/access';
import { hostAround } from '../../src/config';
import { lineRule } from '../common/line-rule';
import { isUnknown } from '../common/lines';

export default lineRule({
  id: 'error-document-refused',
  changes: ['A22'],
  title: 'ErrorDocument with a page that is itself refused',
  why: 'If a client is refused, and may not see the page of the ErrorDocument either, 2.2 sends its own message where a <Location> applies to the page. 2.4 may send the page if the same sections apply to it as to the request.',
  docs: ['server/request.c: ap_location_walk, ap_process_request_internal', 'core: ErrorDocument'],
  advisory: true,
  names: ['ErrorDocument'],
  onlyWhenUpgrading: true,
  findingFor(node, { chain }, context) {
    const [status, page] = node.args.map(({ value }) => value);
    if ((status !== '401' && status !== '403') || page?.startsWith('/') !== true || isUnknown(page))
      return undefined;
    const url = page.replace(/\?.*/s, '');
    if (!isErrorPageRefused(context.tree, { url, status, vhost: hostAround(chain) })) return undefined;
    return {
      level: 'warning',
      changesAccess: true,
      message: `${url} is refused to some clients, too: 2.2 sent them its own message instead, and 2.4 may send them the page; take care that everybody may read it, or name another page`,
    };
  },
});
