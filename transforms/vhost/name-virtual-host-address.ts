import { hasVariable } from '../../src/config';

/** A port number; 0 is every port (`:*`); text is one that only a variable's value tells. */
export type Port = number | string;

/** One address of a NameVirtualHost or VirtualHost line. */
export interface Address {
  /** Every address (`*`, `0.0.0.0`, `[::]`) is `*`; numeric addresses are written in one way; names are in lower case. */
  readonly host: string;
  readonly port: Port;
  /** What is not known without a resolver or the environment: equal texts are equal, others may be. */
  readonly open: 'no' | 'name' | 'variable';
}

/**
 * Reads an address as both versions do (server/vhost.c: get_addresses; APR apr_parse_addr_port). Without a port it has the one of the
 * main server's ServerName so far, if that gave one (inventory V07; the same in 2.4).
 * @returns undefined where httpd refuses it
 */
export function readAddress(word: string, defaultPort: Port): Address | undefined {
  let [rest, port]: [string, Port | undefined] = [word, undefined];
  const variable = /^(.*):(\$\{[^}]*\})$/.exec(word);
  if (word === '*' || word.endsWith(':*')) {
    rest = word === '*' ? word : word.slice(0, -2);
    port = 0;
  } else if (variable !== null) {
    [, rest = '', port = ''] = variable;
  } else {
    const digits = /:([0-9]+)$/.exec(word);
    if (digits !== null) {
      rest = word.slice(0, digits.index);
      port = Number(digits[1]);
      if (port < 1 || port > 65535) return undefined;
    }
  }
  if (rest === '' || rest.endsWith(':') || /^[0-9]+$/.test(rest)) return undefined;
  const host = canonicalHost(rest);
  if (hasVariable(host)) {
    // Its value may bring a port along, the same wherever the same text stands.
    return { host, port: port ?? `${host} ${defaultPort}`, open: 'variable' };
  }
  const open = typeof port === 'string' ? 'variable' : isNumeric(host) ? 'no' : 'name';
  return { host, port: port ?? defaultPort, open };
}

/** Both are for requests to any address that has no virtual host of its own, in 2.4; for 2.2 see the tables. */
export function isWildcard(host: string): boolean {
  return host === '*' || host === '_default_';
}

function isNumeric(host: string): boolean {
  return isWildcard(host) || host.startsWith('[') || isIPv4(host);
}

function isIPv4(host: string): boolean {
  return /^(?:(?:[1-9][0-9]{0,2}|0)(?:\.(?=.)|$)){4}$/.test(host);
}

function canonicalHost(host: string): string {
  if (hasVariable(host)) return host;
  const lower = host.toLowerCase();
  if (lower.startsWith('[')) return canonicalIPv6(lower);
  return lower === '0.0.0.0' ? '*' : lower;
}

function canonicalIPv6(bracketed: string): string {
  const url = `http://${bracketed}/`;
  if (!URL.canParse(url)) return bracketed;
  const host = new URL(url).hostname;
  if (host === '[::]') return '*';
  // 2.2 and 2.4 take a mapped address for the IPv4 one (apr_sockaddr_equal).
  const mapped = /^\[::ffff:([0-9a-f]+):([0-9a-f]+)\]$/.exec(host);
  if (mapped === null) return host;
  const [high, low] = [parseInt(mapped[1]!, 16), parseInt(mapped[2]!, 16)];
  return [high >> 8, high & 255, low >> 8, low & 255].join('.');
}
