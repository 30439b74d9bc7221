import { type Endpoint, type PlainRequest, statusesOf } from './pipeline';
import type { TestServer } from './server';

export interface HttpdRequest {
  /** id of the case that is asked */
  readonly case: string;
  readonly method?: string;
  readonly path: string;
  /** the client's address; the machine's choice when there is none */
  readonly src?: string;
  /** `name` (the password is the name) or `name:password` */
  readonly user?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Ask the main server. */
  readonly inMain?: boolean;
}

/** P got in · U 401 · F 403 · E 5xx · `?` and the status: none of these. */
export type Answer = string;

/** Connections that are open to the server at a time, from one address. */
const CONNECTIONS = 3;

/** The answers, in the order of the requests. */
export async function ask(server: TestServer, requests: readonly HttpdRequest[]): Promise<Answer[]> {
  const answers: Answer[] = Array.from({ length: requests.length });
  const ways = new Map<string, { readonly to: Endpoint; readonly indexes: number[] }>();
  for (const [index, asked] of requests.entries()) {
    const key = `${asked.src} ${asked.inMain} ${index % CONNECTIONS}`;
    let way = ways.get(key);
    if (way === undefined) ways.set(key, (way = { to: endpoint(server, asked), indexes: [] }));
    way.indexes.push(index);
  }
  await Promise.all(
    Array.from(ways.values(), async ({ to, indexes }) => {
      const statuses = await statusesOf(
        to,
        indexes.map((index) => requestOf(server, requests[index]!)),
      );
      for (const [i, index] of indexes.entries()) answers[index] = letter(statuses[i]!);
    }),
  );
  return answers;
}

function endpoint(server: TestServer, { src, inMain }: HttpdRequest): Endpoint {
  const host = src?.includes(':') ? '::1' : '127.0.0.1';
  return { host, port: inMain ? server.mainPort : server.port, localAddress: src };
}

function requestOf(server: TestServer, asked: HttpdRequest): PlainRequest {
  const host = server.hosts.get(asked.case);
  if (host === undefined)
    throw new Error(`${asked.case} is not served: ${server.refused.get(asked.case) ?? 'no such case'}`);
  return {
    method: asked.method ?? 'GET',
    path: asked.path,
    headers: { Host: host, ...authorization(asked.user), ...asked.headers },
  };
}

function authorization(user: string | undefined): Record<string, string> {
  if (user === undefined) return {};
  const credentials = user.includes(':') ? user : `${user}:${user}`;
  return { Authorization: `Basic ${Buffer.from(credentials, 'latin1').toString('base64')}` };
}

function letter(code: number): Answer {
  if (code === 401) return 'U';
  if (code === 403) return 'F';
  if (code >= 500) return 'E';
  if ((code >= 200 && code < 400) || code === 404 || code === 405) return 'P';
  return `?${code}`;
}
