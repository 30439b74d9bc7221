import { type Servers, lastInForce, linesOf, serversOf } from '../../src/config';
import { type TransformContext, defineTransform } from '../../src/engine';
import { atoi, replaceValue, reportLines } from '../common/lines';

export default defineTransform({
  id: 'keep-alive-timeout',
  changes: ['C14', 'C15'],
  title: 'KeepAliveTimeout takes a unit',
  stops: true,
  why: '2.2 reads the leading digits as seconds and ignores the rest. 2.4 accepts units (ms, s, mi, h), refuses other words, and uses the value of each name-based virtual host.',
  docs: [
    'core: KeepAliveTimeout',
    'modules/http/http_core.c: set_keep_alive_timeout',
    'server/util.c: ap_timeout_parameter_parse',
  ],
  directives: ['KeepAliveTimeout'],
  onlyWhenUpgrading: true,
  run(context) {
    reportLines(context, ['KeepAliveTimeout'], (node, { file }) => {
      const [arg, ...more] = node.args;
      // 2.4 ignores what follows an "s".
      if (arg === undefined || more.length > 0 || /^[+]?[0-9]+(?:s.*)?$|\$\{/.test(arg.value))
        return undefined;
      const seconds = atoi(arg.value);
      if (seconds < 0)
        return {
          level: 'error',
          message: '2.4 refuses a negative KeepAliveTimeout: write the seconds, or use KeepAlive Off',
        };
      const hasUnit = /^[+]?[0-9]+(?:ms|mi|h)/.test(arg.value);
      return {
        level: hasUnit ? 'warning' : 'error',
        safety: 'safe',
        message: `2.2 read ${arg.value} as ${seconds} seconds; 2.4 ${hasUnit ? 'uses the unit' : 'refuses it'}`,
        edits: [replaceValue(file.document.text, arg, String(seconds))],
      };
    });
    const servers = serversOf(context.tree);
    if (servers.main?.whole === true) reportSharedAddresses(context, servers);
  },
});

/** 2.2 uses the value of the first virtual host on an address for all of them. */
function reportSharedAddresses(context: TransformContext, servers: Servers): void {
  const firstValues = new Map<string, string>();
  const fallback = lastInForce(servers.main!, ['KeepAliveTimeout'])?.node.rest ?? '';
  for (const server of servers.all) {
    if (server.section === undefined) continue;
    const ownLine = linesOf(server, ['KeepAliveTimeout']).at(-1);
    const value = ownLine?.node.rest ?? fallback;
    for (const { value: address } of server.section.args) {
      const first = firstValues.get(address);
      if (first === undefined) firstValues.set(address, value);
      else if (ownLine !== undefined && value !== first) {
        context.report({
          file: ownLine.place.file,
          at: ownLine.node.from,
          level: 'warning',
          message: `2.2 ignored this line and used ${first === '' ? 'its default, 5 seconds,' : first} for all virtual hosts on ${address}; 2.4 uses it: check the value`,
        });
        break;
      }
    }
  }
}
