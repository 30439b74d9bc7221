import { serversOf } from '../../src/config';
import { insertAfter } from '../../src/edit';
import { defineTransform } from '../../src/engine';
import { isKnownIn } from '../../src/httpd/lifespan';
import { isCarriedOver } from '../common/lines';
import { hasDirective } from '../common/servers';
import { asWrittenFor24, isWrittenFor24 } from '../common/written-for';

/** SSLProxyCheckPeerCN checks as in 2.2 only if SSLProxyCheckPeerName is off. */
const CHECKS = ['SSLProxyCheckPeerExpire', 'SSLProxyCheckPeerCN', 'SSLProxyCheckPeerName'];

export default defineTransform({
  id: 'ssl-proxy-check-peer',
  changes: ['S06', 'M08'],
  title: 'SSLProxyEngine on checks the certificates of backends',
  why: 'By default, 2.4 compares the name in the certificate of a backend with the requested host and checks its dates; if a check fails, it answers 500 (502 in early releases). 2.2 checks neither unless configured to, and compares only the CN.',
  docs: ['mod_ssl: SSLProxyCheckPeerName', 'modules/ssl/ssl_engine_io.c: ssl_io_filter_handshake'],
  directives: ['SSLProxyEngine', 'SSLProxyCheckPeerExpire', 'SSLProxyCheckPeerCN'],
  run(context) {
    const servers = serversOf(context.tree);
    const checks = CHECKS.filter((name) => isKnownIn('directive', name, context.target));
    context.directives(['SSLProxyEngine'], (node, place) => {
      if (node.args[0]?.value.toLowerCase() !== 'on' || !isCarriedOver(place)) return;
      // In a section, and in a .htaccess, 2.2 refuses it; where 2.4 takes it, in a `<Proxy>`, it was written for 2.4.
      if (!servers.isLine(place)) return;
      const server = servers.of(place);
      const lines = checks.filter((name) => !hasDirective(server, name)).map((name) => `${name} off`);
      if (lines.length === 0) return;
      const { file } = place;
      const finding = {
        file,
        at: node.from,
        level: 'warning',
        safety: 'safe',
        message: `2.4 checks the certificates of backends more strictly and answers 500 (502 in early releases) if a check fails; ${lines.join(', ')} ${lines.length > 1 ? 'restore' : 'restores'} what 2.2 did`,
        edits: [insertAfter(file.document, node, lines)],
      } as const;
      // A configuration written for 2.4 keeps the checks that it has today.
      context.report(isWrittenFor24(context, place) ? asWrittenFor24(finding) : finding);
    });
  },
});
