import { type Place, type Server, isConditional, serversOf } from '../../src/config';
import { insertAt } from '../../src/edit';
import { type TransformContext, defineTransform } from '../../src/engine';
import type { Directive, Section } from '../../src/syntax';
import { isCarriedOver } from '../common/lines';

const LINE = 'SetEnvIf Request_URI . proxy-scgi-pathinfo';

export default defineTransform({
  id: 'proxy-scgi',
  changes: ['P07'],
  title: 'SCGI backends get no PATH_INFO',
  why: '2.2 passes the path of the request to an SCGI backend in PATH_INFO. 2.4 does so only if the variable proxy-scgi-pathinfo is set early: with SetEnvIf, because SetEnv is too late.',
  docs: ['mod_proxy_scgi: Environment Variables', 'modules/proxy/mod_proxy_scgi.c: scgi_canon'],
  onlyWhenUpgrading: true,
  run(context) {
    const servers = serversOf(context.tree);
    const doneServers = new Set<Server>();
    const visit = (node: Directive, place: Place): void => {
      if (!/scgi:\/\//i.test(node.rest) || !isCarriedOver(place)) return;
      if (!node.args.some(({ value }) => value.slice(0, 7).toLowerCase() === 'scgi://')) return;
      const server = servers.of(place);
      if (doneServers.has(server) || setsPathInfo(server)) return;
      doneServers.add(server);
      report(context, node, place);
    };
    context.directives(['ProxyPass', 'ProxyPassMatch', 'BalancerMember', 'RewriteRule'], visit);
  },
});

/** The new line goes in front of the line with the backend, or of the sections around that: a `<Limit>` is one, too. */
function report(context: TransformContext, node: Directive, { file, chain, root }: Place): void {
  const container = chain.find(({ section }) => section.key !== 'virtualhost' && !isConditional(section));
  const anchor: Directive | Section | undefined =
    container === undefined ? node : container.file === file ? container.section : undefined;
  const inHtaccess = root.role === 'htaccess';
  context.report({
    file,
    at: node.from,
    level: 'warning',
    safety: anchor === undefined || inHtaccess ? 'manual' : 'review',
    message: `2.4 passes PATH_INFO to this SCGI backend only with "${LINE}"${anchor === undefined || inHtaccess ? ': add that to the server' : '; this assumes that mod_setenvif is loaded'}`,
    edits:
      anchor === undefined || inHtaccess
        ? []
        : [insertAt(file.document, { node: anchor, side: 'before' }, [LINE])],
  });
}

function setsPathInfo(server: Server | undefined): boolean {
  if (server === undefined) return false;
  return (
    server.lines.some(
      ({ node }) =>
        node.kind === 'directive' &&
        /^(?:setenvif|browsermatch)(?:nocase)?$/.test(node.key) &&
        node.rest.includes('proxy-scgi-pathinfo'),
    ) || setsPathInfo(server.parent)
  );
}
