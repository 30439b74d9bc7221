import { Agent as HttpAgent, type IncomingMessage, request as httpRequest } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import type { LookupFunction } from 'node:net';
import type { ServerAnswer } from './answers';
import type { AskedUrl } from './choice';

/** How a server is asked. */
export interface AskOptions {
  /** Name → address, for names that are not to be looked up. */
  readonly addresses: ReadonlyMap<string, string>;
  /** Take any certificate. */
  readonly insecure: boolean;
  /** Headers that somebody has given, byte strings: with them credentials, if any. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly agent: string;
  /** Milliseconds that a whole answer may take, however busily a server sends; half a minute. */
  readonly longest?: number;
}

/** Longer bodies are not read to the end. */
const MAX_BODY = 16 * 1024 * 1024;
const TIMEOUT_MS = 15_000;
const LONGEST_MS = 30_000;

/** Asks one server, over a connection that stays open. It follows no redirect and keeps no cookie. */
export class ServerAsker {
  readonly #base: URL;
  readonly #options: AskOptions;
  readonly #http = new HttpAgent({ keepAlive: true, maxSockets: 1 });
  readonly #https: HttpsAgent;

  constructor(base: URL, options: AskOptions) {
    this.#base = base;
    this.#options = options;
    this.#https = new HttpsAgent({ keepAlive: true, maxSockets: 1, rejectUnauthorized: !options.insecure });
  }

  /** @throws the system's error, or a timeout */
  ask({ method, target, host }: AskedUrl): Promise<ServerAnswer> {
    const { protocol, hostname, port } = this.#base;
    const isTls = protocol === 'https:';
    const named = host ?? hostname;
    const { addresses, agent, headers, longest = LONGEST_MS } = this.#options;
    const lookup: LookupFunction = (name, { all }, callback) => {
      const address = addresses.get(name)!;
      const family = address.includes(':') ? 6 : 4;
      if (all === true) callback(null, [{ address, family }]);
      else callback(null, address, family);
    };
    const given = new Map(headers.map(([name, value]) => [name.toLowerCase(), value]));
    return new Promise((resolve, reject) => {
      const send = isTls ? httpsRequest : httpRequest;
      const request = send({
        method,
        hostname: hostname.replace(/^\[(.*)\]$/, '$1'),
        port: port === '' ? (isTls ? 443 : 80) : Number(port),
        path: target,
        agent: isTls ? this.#https : this.#http,
        headers: {
          'user-agent': agent,
          accept: '*/*',
          'accept-encoding': 'gzip',
          ...Object.fromEntries(given),
          host: named,
        },
        timeout: TIMEOUT_MS,
        ...(addresses.has(hostname) && { lookup }),
        ...(isTls && !/^[0-9.]+$|:/.test(named) && { servername: named }),
      });
      const deadline = setTimeout(
        () => request.destroy(new Error(`no whole answer within ${longest / 1000} s`)),
        longest,
      );
      request.on('close', () => clearTimeout(deadline));
      request.on('timeout', () => request.destroy(new Error(`no answer within ${TIMEOUT_MS / 1000} s`)));
      request.on('error', reject);
      request.on('response', (response) => void readAnswer(response).then(resolve, reject));
      request.end();
    });
  }

  close(): void {
    this.#http.destroy();
    this.#https.destroy();
  }
}

function readAnswer(response: IncomingMessage): Promise<ServerAnswer> {
  return new Promise((resolve, reject) => {
    const headers = new Map<string, string>();
    const { rawHeaders, statusCode = 0 } = response;
    for (let i = 0; i + 1 < rawHeaders.length; i += 2) {
      const name = rawHeaders[i]!.toLowerCase();
      const known = headers.get(name);
      headers.set(name, known === undefined ? rawHeaders[i + 1]! : `${known}, ${rawHeaders[i + 1]}`);
    }
    let length = 0;
    response.on('data', (bytes: Buffer) => {
      length += bytes.length;
      if (length <= MAX_BODY) return;
      resolve({ status: statusCode, headers, length: undefined });
      response.destroy();
    });
    response.on('end', () => resolve({ status: statusCode, headers, length }));
    response.on('error', reject);
  });
}
