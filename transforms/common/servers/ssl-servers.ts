import { type Server, type ServerLine, type Servers, conditionIn, linesOf } from '../../../src/config';
import type { Directive } from '../../../src/syntax';

export interface SslServer {
  readonly server: Server;
  /** The line that turns SSL on in it. */
  readonly engine: ServerLine<Directive>;
}

/** The servers in which SSLEngine is, or may be, turned on, and that 2.4 reads. */
export function sslServers(servers: Servers): SslServer[] {
  return servers.all.flatMap((server): SslServer[] => {
    const engine = linesOf(server, ['SSLEngine']).findLast((line) => conditionIn(line).on24 !== false);
    return engine === undefined || engine.node.args[0]?.value.toLowerCase() === 'off'
      ? []
      : [{ server, engine }];
  });
}
