import { type Server, type Servers, lastInForce, linesOf, serversOf } from '../../src/config';
import { removeLine } from '../../src/edit';
import { type TransformContext, defineTransform } from '../../src/engine';
import { eachLine, reportLines } from '../common/lines';
import { effectiveLines, moduleLevelEdits } from './loglevel';

const LEVELS = ['emerg', 'alert', 'crit', 'error', 'warn', 'notice', 'info', 'debug'];
const SPEC = 'dumpio:trace7';

export default defineTransform({
  id: 'dumpio-log-level',
  changes: ['L03'],
  title: 'DumpIOLogLevel becomes LogLevel dumpio:trace7',
  stops: true,
  why: '2.4 always dumps at trace7 and does not know the directive.',
  docs: ['mod_dumpio', 'modules/debug/mod_dumpio.c'],
  directives: ['DumpIOLogLevel'],
  run(context) {
    const servers = serversOf(context.tree);
    const doneServers = new Set<Server>();
    eachLine(context, ['DumpIOLogLevel'], (_, place) => {
      const server = servers.of(place);
      if (doneServers.has(server)) return;
      doneServers.add(server);
      convert(context, servers, server);
    });
    reportLines(context, ['DumpIOInput', 'DumpIOOutput'], (node, place) => {
      const server = servers.of(place);
      if (
        doneServers.has(server) ||
        node.args[0]?.value.toLowerCase() !== 'on' ||
        levelOf(server) !== 'debug'
      )
        return undefined;
      doneServers.add(server);
      if (server.parent !== undefined && linesOf(server.parent, ['DumpIOLogLevel']).length > 0)
        return undefined;
      if (linesOf(server, ['LogLevel']).some(({ node: { rest } }) => /dumpio/i.test(rest))) return undefined;
      return {
        level: 'warning',
        message: `LogLevel debug no longer includes the dumps of mod_dumpio: add ${SPEC} to it`,
      };
    });
  },
});

function convert(context: TransformContext, servers: Servers, server: Server): void {
  const lines = linesOf(server, ['DumpIOLogLevel']);
  const effective = new Set(effectiveLines(lines));
  for (const line of lines) {
    const { node, place } = line;
    const value = node.args[0]?.value.toLowerCase() ?? '';
    if (effective.has(line) && (value.includes('${') || isDumped(server, value)))
      for (const { file, at, edits } of moduleLevelEdits(servers, server, line, SPEC))
        context.report({
          file,
          at,
          level: 'error',
          safety: 'review',
          message: `DumpIOLogLevel becomes LogLevel ${SPEC}, the only level at which 2.4 dumps; remove it if it was only for debugging`,
          edits,
          group: `dumpio-log-level ${place.file.path} ${node.start}`,
        });
    else
      context.report({
        file: place.file,
        at: node.from,
        level: 'error',
        safety: 'safe',
        message: '2.4 does not know DumpIOLogLevel: it is removed, because 2.2 dumped nothing here',
        edits: [removeLine(place.file.document, node)],
      });
  }
}

/** Whether 2.2 wrote dumps at that level: dumping is on, and LogLevel includes the level. 2.2 wrote notices at every LogLevel. */
function isDumped(server: Server, value: string): boolean {
  const ownSwitches = linesOf(server, ['DumpIOInput', 'DumpIOOutput']);
  const switches = [
    ...ownSwitches,
    ...(server.parent === undefined ? [] : linesOf(server.parent, ['DumpIOInput', 'DumpIOOutput'])),
  ];
  if (server.whole && !switches.some(({ node }) => node.args[0]?.value.toLowerCase() === 'on')) return false;
  return value === 'notice' || LEVELS.indexOf(value) <= LEVELS.indexOf(levelOf(server)) || !server.whole;
}

/** The level in force for all modules: the server's, else the main server's, else the default. */
function levelOf(server: Server): string {
  const ownLevel = lastInForce(server, ['LogLevel'])?.node.args.find((arg) => !arg.value.includes(':'));
  return ownLevel?.value.toLowerCase() ?? (server.parent === undefined ? 'warn' : levelOf(server.parent));
}
