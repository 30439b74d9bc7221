import { type Server, serversOf } from '../../src/config';
import { insertAfter } from '../../src/edit';
import { type TransformContext, defineTransform } from '../../src/engine';
import { holds } from '../../src/httpd/facts';
import { nameOf } from '../../src/httpd/release';
import type { Directive } from '../../src/syntax';
import { isCarriedOver } from '../shared/lines';
import { hasDirective } from '../shared/server-directives';
import { asWrittenFor24, isWrittenFor24 } from '../shared/written-for';

export default defineTransform({
  id: 'ssl-revocation-check',
  changes: ['S04', 'S05'],
  title: 'Revocation lists are checked only when asked for',
  why: '2.2 checks certificates against every revocation list it is given. 2.4 does so only with SSLCARevocationCheck; without it, revoked certificates are accepted. no_crl_for_cert_ok accepts, as 2.2 does, a certificate whose issuer has no list; it needs 2.4.21 or later.',
  docs: ['mod_ssl: SSLCARevocationCheck', 'modules/ssl/ssl_engine_init.c: ssl_init_ctx_crl'],
  directives: [
    'SSLCARevocationFile',
    'SSLCARevocationPath',
    'SSLProxyCARevocationFile',
    'SSLProxyCARevocationPath',
  ],
  run(context) {
    for (const prefix of ['SSL', 'SSLProxy']) check(context, prefix);
  },
});

interface Group {
  readonly servers: Set<Server>;
  readonly for24: boolean;
  readonly file: Parameters<TransformContext['report']>[0]['file'];
  last: Directive;
}

/** The check goes below the lists: if those are read on a condition, it must be, because 2.4 does not start with a check and no list. */
function check(context: TransformContext, prefix: string): void {
  const name = `${prefix}CARevocationCheck`;
  const servers = serversOf(context.tree);
  const groups = new Map<unknown, Group>();
  context.directives([`${prefix}CARevocationFile`, `${prefix}CARevocationPath`], (node, place) => {
    if (!isCarriedOver(place)) return;
    const body = place.chain.at(-1);
    const parent = body?.file === place.file ? body.section : place.file;
    const known = groups.get(parent);
    if (known === undefined)
      groups.set(parent, {
        servers: new Set([servers.of(place)]),
        for24: isWrittenFor24(context, place),
        file: place.file,
        last: node,
      });
    else {
      known.servers.add(servers.of(place));
      if (node.start > known.last.start) known.last = node;
    }
  });
  for (const { servers: readers, for24, file, last } of groups.values()) {
    const without = [...readers].filter((server) => !hasDirective(server, name));
    if (without.length === 0) continue;
    const common = { file, at: last.from, level: 'error' as const };
    const message = `2.4 does not check revocation lists without ${name}`;
    if (without.length < readers.size)
      context.report({
        ...common,
        safety: 'manual',
        message: `${message}, and only some of the virtual hosts that read this have it`,
        edits: [],
      });
    else if (for24) context.report({ ...asWrittenFor24({ ...common, message }), level: 'warning' });
    else if (!holds('ssl-no-crl-for-cert-ok', context.target))
      context.report({
        ...common,
        safety: 'manual',
        message: `${message}, and ${nameOf(context.target)} has no form of it that is content, as 2.2 was, where there is no list of an issuer: say ${name} chain once there is a list for each`,
        edits: [],
      });
    else
      context.report({
        ...common,
        safety: 'safe',
        message,
        edits: [insertAfter(file.document, last, [`${name} chain no_crl_for_cert_ok`])],
      });
  }
}
