import { isAddress } from '../access/policy';
import type { LogLine } from './log-line';
import { decode, encode } from './percent';

/** What a line of a log says of a request. */
export interface LoggedRequest {
  /** A URL path, or the path of a file. */
  readonly path: string;
  readonly isFile: boolean;
  /** Undefined where the line does not say. */
  readonly method: string | undefined;
  /** Address or name of the client. */
  readonly client: string | undefined;
  readonly user: string | undefined;
  /** Empty where the request had none; undefined where the line does not say. */
  readonly referer: string | undefined;
  readonly agent: string | undefined;
  /** `name:port` of the server. */
  readonly server: string | undefined;
  /** What the server said to it, for people. */
  readonly answer: string;
}

/**
 * With what messages httpd refuses a request. Their groups: `file` or `uri`, `user`. (2.2: mod_authz_host, mod_auth_basic,
 * mod_authz_*.c; 2.4: mod_authz_core, mod_access_compat, mod_auth_basic, mod_auth_digest.)
 */
const REFUSALS: readonly RegExp[] = [
  /^client denied by server configuration: (?:uri (?<uri>.*)|(?<file>\/.*))$/s,
  /^user [`']?(?<user>.*?)'?: auth(?:entication|orization) failure for "(?<uri>\/.*?)"/s,
  /^(?:Digest: )?user [`']?(?<user>.*?)'?(?: in realm .*)? not found: (?<uri>\/.*)$/s,
  /^authorization failure \(no authenticated user\): (?<uri>\/.*)$/s,
  /^Authorization of user (?<user>.*?) to access (?<uri>\/.*?) failed, reason: /s,
  /^access to (?<uri>\/.*?) failed, reason: (?:.*?user (?:id )?'(?<user>[^']*)')?/s,
];

/** The request that a line of a log is about; undefined where it is about none, or does not say which. */
export function loggedRequest(line: LogLine): LoggedRequest | undefined {
  if (line.kind === 'access') {
    const { target, status, ...rest } = line;
    const path = target.replace(/^[a-z]+:\/\/[^/?#]*/i, '').replace(/[?#].*$/s, '');
    const absolute = /^([a-z]+):\/\/([^/?#]*)/i.exec(target);
    if (!path.startsWith('/') && absolute === null) return undefined;
    return {
      ...rest,
      path: path === '' ? '/' : decode(path),
      isFile: false,
      server: line.server ?? absolute?.[2],
      answer: `the server answered ${status}`,
    };
  }
  for (const pattern of REFUSALS) {
    const { uri, file, user } = pattern.exec(line.text)?.groups ?? {};
    const path = uri ?? file;
    if (path === undefined) continue;
    return {
      path,
      isFile: file !== undefined,
      method: undefined,
      client: line.client,
      user,
      referer: line.referer,
      agent: undefined,
      server: undefined,
      answer: 'the server refused it',
    };
  }
  return undefined;
}

type LoggedKey = 'from' | 'host' | 'method' | 'user' | 'referer' | 'agent';

/** What the line says of a request in the keys of `--explain`. */
export function requestKeys({
  client,
  method,
  user,
  referer,
  agent,
}: LoggedRequest): readonly (readonly [LoggedKey, string])[] {
  const keys: [LoggedKey, string][] = [];
  if (client !== undefined) keys.push([isAddress(client) ? 'from' : 'host', client]);
  if (method !== undefined) keys.push(['method', method]);
  if (user !== undefined) keys.push(['user', user]);
  if (referer !== undefined && referer !== '') keys.push(['referer', referer]);
  if (agent !== undefined && agent !== '') keys.push(['agent', agent]);
  return keys;
}

/** The request as `--explain` takes it: `PATH?key=value`. */
export function requestText(logged: LoggedRequest): string {
  const keys = requestKeys(logged).map(([key, value]) => `${key}=${encode(value)}`);
  return `${encode(logged.path)}${keys.length === 0 ? '' : `?${keys.join('&')}`}`;
}
