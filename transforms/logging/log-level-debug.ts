import { linesOf } from '../../src/config';
import { advice } from '../common/advice';

export default advice({
  id: 'log-level-debug',
  changes: ['L09'],
  title: 'LogLevel info and debug log less',
  why: '2.4 moved much of what mod_ssl and mod_proxy wrote at info and debug to the levels trace1 to trace8, and gave each message a number, such as AH01964.',
  docs: ['core: LogLevel'],
  names: ['LogLevel'],
  level: 'info',
  messageFor: (node, place, servers) => {
    if (node.args.length !== 1 || !/^(?:info|debug)$/i.test(node.args[0]!.value)) return undefined;
    const uses = linesOf(servers.of(place), ['ProxyPass', 'ProxyRequests', 'SSLEngine']);
    return uses.length === 0
      ? undefined
      : `2.4 logs much of what mod_ssl and mod_proxy logged at ${node.args[0]!.value} only at trace1 to trace8: if a program reads these messages, set "LogLevel ${node.args[0]!.value} ssl:trace1"`;
  },
});
