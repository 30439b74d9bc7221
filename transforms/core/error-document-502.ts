import { defineTransform } from '../../src/engine';
import { FACTS } from '../../src/httpd/facts';
import { isCarriedOver } from '../common/lines';
import { withStatus } from '../common/seen-requests';

export default defineTransform({
  id: 'error-document-502',
  changes: ['P08'],
  title: 'ErrorDocument 502 for a backend host that cannot be resolved',
  why: 'If the host name of a backend cannot be resolved, 2.2 answers 502 and 2.4 answers 500. A backend that refuses connections is a 503 in both.',
  docs: ['modules/proxy/proxy_util.c: ap_proxy_determine_address'],
  lifeSpan: FACTS['proxy-lookup-500'],
  advisory: true,
  onlyWhenUpgrading: true,
  run(context) {
    let proxies = false;
    context.directives(['ProxyPass', 'ProxyPassMatch', 'BalancerMember'], (_, place) => {
      proxies ||= isCarriedOver(place);
    });
    if (!proxies) return;
    context.directives(['ErrorDocument'], (node, { file, ...place }) => {
      if (node.args[0]?.value !== '502' || !isCarriedOver({ file, ...place })) return;
      context.report({
        file,
        at: node.from,
        level: 'info',
        message:
          'if the name of a backend cannot be resolved, 2.4 answers 500 instead of 502: consider this page for 500 too',
        concerns: withStatus(502),
      });
    });
  },
});
