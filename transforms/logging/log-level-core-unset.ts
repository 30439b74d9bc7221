import { insertionPointFor, linesOf, type Server, serversOf } from '../../src/config';
import { type Edit, insertAt } from '../../src/edit';
import { defineTransform, type TransformContext } from '../../src/engine';
import type { Directive } from '../../src/syntax';
import { lineStart } from '../common/lines';
import { isServerFor24 } from '../common/written-for';
import { effectiveLines } from './loglevel';

/** The levels of 2.2 at which a missing file was logged, and at which 2.4 does not log it (server/core.c: AH00128 at info). */
const QUIET = /^(?:error|warn|notice)$/i;

export default defineTransform({
  id: 'log-level-core-unset',
  changes: ['L10'],
  title: 'The error log no longer names files that are not there',
  why: 'For a request that finds no file, 2.2 writes "File does not exist" at level error, and 2.4 at level info, which LogLevel warn leaves out. Programs that watch the error log (fail2ban, logwatch, OSSEC) see no 404 any more. --pin-defaults brings the lines back with core:info.',
  docs: ['core: LogLevel', 'server/core.c: default_handler', 'modules/http/http_request.c'],
  run(context) {
    const { main, all } = serversOf(context.tree);
    if (main?.whole !== true || isServerFor24(context)) return;
    const quiet = all.flatMap((server) => quietLines(server));
    const hasLogLevel = linesOf(main, ['LogLevel']).length > 0;
    if (hasLogLevel && quiet.length === 0) return;
    if (context.pinDefaults === true) pin(context, main, quiet, hasLogLevel);
    else report(context, main);
  },
});

type QuietLine = ReturnType<typeof effectiveLines>[number];

/** The LogLevel lines in force of a server that leave out what 2.4 says about a missing file. */
function quietLines(server: Server): readonly QuietLine[] {
  if (server.kind !== 'main' && server.kind !== 'vhost') return [];
  return effectiveLines(linesOf(server, ['LogLevel'])).filter(
    ({ node }) => node.args.length === 1 && QUIET.test(node.args[0]!.value),
  );
}

function report(context: TransformContext, main: Server): void {
  const { file, node } = insertionPointFor(serversOf(context.tree), main, [['LogLevel', 'ErrorLog']]);
  context.report({
    file,
    at: lineStart(node),
    level: 'info',
    message:
      '2.4 logs "File does not exist" at level info, 2.2 at error: if a program (fail2ban, logwatch) counts these lines, add core:info to LogLevel (--pin-defaults does so), and look at its patterns, since lines of 2.4 begin differently',
    isAboutMissing: true,
  });
}

function pin(
  context: TransformContext,
  main: Server,
  quiet: readonly QuietLine[],
  hasLogLevel: boolean,
): void {
  const message = '2.4 logs "File does not exist" at level info, 2.2 at error: core:info keeps the line';
  const common = { level: 'info', safety: 'safe', message } as const;
  for (const { node, place } of quiet)
    context.report({ file: place.file, at: node.from, edits: [appendCore(node)], ...common });
  if (hasLogLevel) return;
  const point = insertionPointFor(serversOf(context.tree), main, [
    ['ErrorLog', 'DocumentRoot', 'ServerRoot'],
  ]);
  const edits = [insertAt(point.file.document, point, ['LogLevel warn core:info'])];
  context.report({ file: point.file, at: lineStart(point.node), edits, isAboutMissing: true, ...common });
}

function appendCore({ args }: Directive): Edit {
  const { end } = args.at(-1)!;
  return { start: end, end, text: ' core:info' };
}
