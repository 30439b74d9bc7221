/**
 * The parts of a URL with a host: what is before the port, the port with its colon, and the path. Hosts that begin with a dot or
 * an asterisk are patterns in 2.4, and no host in 2.2.
 */
const URL_PARTS = /^([a-z][a-z0-9+.-]*:\/\/(?:\[[^\]/]*\]|(?![.*])[^:/?#@[\]]+))(:[0-9]*)?([/?#].*)?$/i;

const DEFAULT_PORTS: Readonly<Record<string, string>> = {
  __proto__: null!,
  ftp: '21',
  http: '80',
  https: '443',
};

/** A URL without a port, with an empty one, which covers every port in 2.4; undefined for others. */
export function withEveryPort(url: string): string | undefined {
  const [, host, port, path = '/'] = URL_PARTS.exec(url) ?? [];
  return host === undefined || port !== undefined ? undefined : `${host}:${path}`;
}

/** Whether a URL has another port than the usual one of its scheme. */
export function hasOtherPort(url: string): boolean {
  const [, host = '', port = ''] = URL_PARTS.exec(url) ?? [];
  const scheme = host.slice(0, host.indexOf(':')).toLowerCase();
  return /\d/.test(port) && port.slice(1) !== DEFAULT_PORTS[scheme];
}
