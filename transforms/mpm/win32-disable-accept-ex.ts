import { linesOf, serversOf } from '../../src/config';
import { replaceLine } from '../../src/edit';
import { defineTransform } from '../../src/engine';
import { reportLines } from '../common/lines';

export default defineTransform({
  id: 'win32-disable-accept-ex',
  changes: ['R11'],
  title: 'Win32DisableAcceptEx becomes AcceptFilter none',
  stops: true,
  why: '2.4 does not know the directive; AcceptFilter does the same for each protocol.',
  docs: ['core: AcceptFilter'],
  directives: ['Win32DisableAcceptEx'],
  run(context) {
    const servers = serversOf(context.tree);
    const doneServers = new Set<unknown>();
    reportLines(context, ['Win32DisableAcceptEx'], (node, place) => {
      const { file } = place;
      const server = servers.of(place);
      // Each protocol gets one line, however often the old directive is repeated.
      const lines = linesOf(server, ['AcceptFilter']);
      const protocols = new Set(lines.map(({ node: filter }) => filter.args[0]?.value.toLowerCase()));
      const missing = doneServers.has(server)
        ? []
        : ['http', 'https'].filter((protocol) => !protocols.has(protocol));
      doneServers.add(server);
      return {
        level: 'error',
        safety: 'safe',
        message: 'Win32DisableAcceptEx becomes AcceptFilter none',
        edits: [
          replaceLine(
            file.document,
            node,
            missing.map((protocol) => `AcceptFilter ${protocol} none`),
          ),
        ],
      };
    });
  },
});
