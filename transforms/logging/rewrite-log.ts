import { type Server, type ServerLine, type Servers, linesOf, serversOf } from '../../src/config';
import { removeLine } from '../../src/edit';
import { type TransformContext, defineTransform } from '../../src/engine';
import type { Directive } from '../../src/syntax';
import { eachLine, atoi } from '../common/lines';
import { effectiveLines, moduleLevelEdits } from './loglevel';

export default defineTransform({
  id: 'rewrite-log',
  changes: ['L02'],
  title: 'RewriteLog and RewriteLogLevel become LogLevel rewrite:traceN',
  stops: true,
  why: '2.4 writes the log of mod_rewrite to the error log, at the levels trace1 to trace8, and does not know the old directives.',
  docs: ['mod_rewrite: Logging', 'core: LogLevel', 'modules/mappers/mod_rewrite.c: do_rewritelog'],
  directives: ['RewriteLog', 'RewriteLogLevel'],
  run(context) {
    const servers = serversOf(context.tree);
    const doneServers = new Set<Server>();
    eachLine(context, ['RewriteLog', 'RewriteLogLevel'], (node, place) => {
      const server = servers.of(place);
      if (!server.has(node))
        context.report({
          file: place.file,
          at: node.from,
          level: 'error',
          message: `2.4 does not know ${node.name}: use LogLevel with rewrite:trace1 to rewrite:trace8`,
        });
      else if (!doneServers.has(server)) {
        doneServers.add(server);
        convert(context, servers, server);
      }
    });
  },
});

function convert(context: TransformContext, servers: Servers, server: Server): void {
  const lines = linesOf(server, ['RewriteLog', 'RewriteLogLevel']);
  const levels = lines.filter(({ node }) => node.key === 'rewriteloglevel');
  const hasLogFile = writesLog(server);
  const activeLevels = new Set(effectiveLines(levels).filter(({ node }) => hasLogFile && levelOf(node) > 0));
  const hasVariable = [...activeLevels].some(({ node }) => node.rest.includes('${'));
  const [first] = lines;
  const group = `rewrite-log ${first!.place.file.path} ${first!.node.start}`;
  for (const line of lines) {
    const { node, place } = line;
    const common = { file: place.file, at: node.from, level: 'error' as const };
    if (hasVariable)
      context.report({
        message: `2.4 does not know ${node.name}: use LogLevel with rewrite:trace1 to rewrite:trace8`,
        ...common,
      });
    else if (activeLevels.has(line)) convertLevel(context, servers, server, line, group);
    else if (activeLevels.size > 0)
      context.report({
        safety: 'review',
        message:
          node.key === 'rewritelog'
            ? `2.4 does not know RewriteLog: its messages go to the error log instead of ${node.args[0]?.value ?? 'a separate file'}`
            : '2.4 does not know RewriteLogLevel: this one is removed, because a later one overrides it',
        edits: [removeLine(place.file.document, node)],
        group,
        ...common,
      });
    else
      context.report({
        safety: 'safe',
        message: `2.4 does not know ${node.key === 'rewritelog' ? 'RewriteLog' : 'RewriteLogLevel'}: it is removed, because 2.2 logged nothing here without both a file and a level above 0`,
        edits: [removeLine(place.file.document, node)],
        ...common,
      });
  }
}

function convertLevel(
  context: TransformContext,
  servers: Servers,
  server: Server,
  line: ServerLine<Directive>,
  group: string,
): void {
  const spec = `rewrite:trace${Math.min(levelOf(line.node), 8)}`;
  const forVirtualHosts = servers.all.some(({ parent }) => parent === server);
  for (const { file, at, edits } of moduleLevelEdits(servers, server, line, spec))
    context.report({
      file,
      at,
      level: 'error',
      safety: 'review',
      message: `RewriteLogLevel becomes LogLevel ${spec}, which writes to the error log${forVirtualHosts ? ', also for virtual hosts, which did not inherit RewriteLogLevel in 2.2' : ''}; remove it if it was only for debugging`,
      edits,
      group,
    });
}

function levelOf(node: Directive): number {
  const value = node.args[0]?.value ?? '';
  return value.includes('${') ? 1 : atoi(value);
}

/** Whether 2.2 had a file to write to; true if the run does not see the whole server, since another file may name one. */
function writesLog(server: Server): boolean {
  const ownLogs = linesOf(server, ['RewriteLog']);
  if (ownLogs.length > 0)
    return ownLogs.some(({ node }) => !/^(?:|\/dev\/null)$/.test(node.args[0]?.value ?? ''));
  const inherits = linesOf(server, ['RewriteOptions']).some(({ node }) =>
    node.args.some((arg) => arg.value.toLowerCase() === 'inherit'),
  );
  return !server.whole || (inherits && server.parent !== undefined && writesLog(server.parent));
}
