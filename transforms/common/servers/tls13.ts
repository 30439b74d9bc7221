import { type Server, linesOf } from '../../../src/config';
import { isUnknown } from '../lines';
import { lastDirective } from './server-directives';

/** Whether a server may answer over TLS. A virtual host never takes SSLEngine from the main server. */
export function mayUseTls(server: Server): boolean {
  const word = linesOf(server, ['SSLEngine']).at(-1)?.node.args[0]?.value.toLowerCase();
  if (word !== undefined || server.section === undefined) return (word ?? 'off') !== 'off';
  // At port 443, or where Listen says so, it is on without a line.
  return !server.section.args.every(({ value }) => value.endsWith(':80'));
}

/** Whether SSLProtocol allows TLS 1.3, which 2.4 does by default. */
export function offersTls13(server: Server): boolean {
  const line = lastDirective(server, 'SSLProtocol');
  let isOffered = line === undefined;
  for (const { value } of line?.node.args ?? []) {
    if (isUnknown(value)) return false;
    const name = value.replace(/^[+-]/, '').toLowerCase();
    if (name === 'all' || name === 'tlsv1.3') isOffered = !value.startsWith('-');
    else if (!/^[+-]/.test(value)) isOffered = false;
  }
  return isOffered;
}
