import { conditionIn, linesOf, type Server, serversOf } from '../../src/config';
import { insertAt } from '../../src/edit';
import { defineTransform, type TransformContext } from '../../src/engine';
import { FACTS } from '../../src/httpd/facts';

export default defineTransform({
  id: 'ssl-engine-inherited',
  changes: ['S16'],
  title: 'SSLEngine in the main server',
  why: 'In 2.2, SSLEngine of the main server does not hold for virtual hosts. Since 2.4.10 they inherit it, so that hosts for plain HTTP expect TLS. At a port for https, 2.2 uses TLS even with SSLEngine off, and 2.4.10 does not.',
  docs: [
    'mod_ssl: SSLEngine',
    'modules/ssl/ssl_engine_config.c: ssl_config_server_new, ssl_config_server_merge',
  ],
  lifeSpan: FACTS['ssl-engine-inherited'],
  onlyWhenUpgrading: true,
  run(context) {
    const servers = serversOf(context.tree);
    for (const server of servers.all) reportOff(context, server);
    // Where no server is given, what stands outside of virtual hosts in one of its parts is for those of this part.
    const above = servers.all.filter(
      ({ kind }) => kind === 'main' || (kind === 'fragment' && !context.tree.isServer),
    );
    const engines = new Map(above.map((server) => [server, linesOf(server, ['SSLEngine']).at(-1)]));
    for (const server of servers.all) {
      const { section, file, parent } = server;
      const engine = parent && engines.get(parent);
      const word = engine?.node.args[0]?.value.toLowerCase() ?? 'off';
      if (section === undefined || engine === undefined || word === 'off') continue;
      const isCertain = conditionIn(engine).on24 === true;
      if (linesOf(server, ['SSLEngine']).length > 0) continue;
      if (mayBeForTls(context, server)) continue;
      context.report({
        file,
        at: section.open.from,
        level: 'warning',
        safety: isCertain ? 'safe' : 'manual',
        message: `${engine.node.name} ${engine.node.args[0]!.value} of ${engine.place.file.name}:${engine.place.file.document.positionAt(engine.node.from).line} holds for this virtual host, too, in 2.4${isCertain ? '' : ': add SSLEngine off here if 2.4 reads that line'}`,
        edits: isCertain
          ? [insertAt(file.document, { node: section, side: 'inside' }, ['SSLEngine off'])]
          : [],
      });
    }
  },
});

/** SSLEngine off at a port for https: 2.2 did not heed it. */
function reportOff(context: TransformContext, server: Server): void {
  const engine = linesOf(server, ['SSLEngine']).at(-1);
  if (engine?.node.args[0]?.value.toLowerCase() !== 'off' || server.section === undefined) return;
  if (conditionIn(engine).on22 === false || !isForTls(context, portsOf(server))) return;
  context.report({
    file: engine.place.file,
    at: engine.node.from,
    level: 'warning',
    message:
      '2.2 used TLS here all the same, because the port is for https; since 2.4.10 it does not: delete the line if TLS is wanted',
  });
}

/** Whether a host is at a port for https, where 2.2 turns TLS on by itself (2.2 listen.c: ap_setup_listeners). */
function mayBeForTls(context: TransformContext, server: Server): boolean {
  return isForTls(context, portsOf(server));
}

/** The ports of a virtual host; undefined for an address without one. */
const portsOf = ({ section }: Server): readonly (string | undefined)[] =>
  (section?.args ?? []).map(({ value }) => /:([0-9]+|\*)$/.exec(value)?.[1]);

function isForTls({ index }: TransformContext, ports: readonly (string | undefined)[]): boolean {
  if (ports.includes('443')) return true;
  return index.someDirective(['Listen'], ({ args }) => {
    const port = /(?:^|:)([0-9]+)$/.exec(args[0]?.value ?? '')?.[1];
    return args[1]?.value.toLowerCase() === 'https' && ports.includes(port);
  });
}
