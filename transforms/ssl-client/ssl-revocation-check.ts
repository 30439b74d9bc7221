import { type ConfigFile, type Server, serversOf } from '../../src/config';
import { insertAfter } from '../../src/edit';
import { type TransformContext, defineTransform } from '../../src/engine';
import { holds } from '../../src/httpd/facts';
import { nameOf } from '../../src/httpd/release';
import type { Directive } from '../../src/syntax';
import { isCarriedOver } from '../common/lines';
import { hasDirective } from '../common/servers';
import { asWrittenFor24, isWrittenFor24 } from '../common/written-for';

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

interface RevocationLists {
  readonly servers: Set<Server>;
  readonly isFor24: boolean;
  readonly file: ConfigFile;
  lastLine: Directive;
}

/** The check goes below the lists, inside the same conditionals, because 2.4 does not start with a check and no list. */
function check(context: TransformContext, prefix: string): void {
  const name = `${prefix}CARevocationCheck`;
  const servers = serversOf(context.tree);
  const groups = new Map<unknown, RevocationLists>();
  context.directives([`${prefix}CARevocationFile`, `${prefix}CARevocationPath`], (node, place) => {
    // In a section, and in a .htaccess, both versions refuse the lists.
    if (!isCarriedOver(place) || !servers.isLine(place)) return;
    const innermostSection = place.chain.at(-1);
    const parent = innermostSection?.file === place.file ? innermostSection.section : place.file;
    const knownLists = groups.get(parent);
    if (knownLists === undefined)
      groups.set(parent, {
        servers: new Set([servers.of(place)]),
        isFor24: isWrittenFor24(context, place),
        file: place.file,
        lastLine: node,
      });
    else {
      knownLists.servers.add(servers.of(place));
      if (node.start > knownLists.lastLine.start) knownLists.lastLine = node;
    }
  });
  for (const { servers: serversOfLists, isFor24, file, lastLine } of groups.values()) {
    const serversWithout = [...serversOfLists].filter((server) => !hasDirective(server, name));
    if (serversWithout.length === 0) continue;
    const common = { file, at: lastLine.from, level: 'error', changesAccess: true } as const;
    const message = `2.4 does not check revocation lists without ${name}`;
    if (serversWithout.length < serversOfLists.size)
      context.report({
        ...common,
        message: `${message}, which only some of the virtual hosts that read this have: add it to the others`,
      });
    else if (isFor24) context.report({ ...asWrittenFor24({ ...common, message }), level: 'warning' });
    else if (!holds('ssl-no-crl-for-cert-ok', context.target))
      context.report({
        ...common,
        message: `${message}, and ${nameOf(context.target)} refuses certificates whose issuer has no list if the check is on, while 2.2 accepted them: add ${name} chain once every issuer has a list`,
      });
    else
      context.report({
        ...common,
        safety: 'safe',
        message,
        edits: [insertAfter(file.document, lastLine, [`${name} chain no_crl_for_cert_ok`])],
      });
  }
}
