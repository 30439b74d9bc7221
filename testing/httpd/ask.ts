import { Agent, request } from 'node:http';
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

/** As many connections as this are open to the server at a time. */
const concurrency = 24;

/** The answers, in the order of the requests. */
export async function ask(server: TestServer, requests: readonly HttpdRequest[]): Promise<Answer[]> {
  const agents = new Map<string, Agent>();
  const answers: Answer[] = Array.from({ length: requests.length });
  const queue = requests.entries();
  const drain = async (): Promise<void> => {
    for (const [index, asked] of queue)
      answers[index] = letter(await status(server, asked, agentFor(agents, asked.src)));
  };
  try {
    await Promise.all(Array.from({ length: concurrency }, drain));
  } finally {
    for (const agent of agents.values()) agent.destroy();
  }
  return answers;
}

function agentFor(agents: Map<string, Agent>, src = ''): Agent {
  let agent = agents.get(src);
  if (agent === undefined) agents.set(src, (agent = new Agent({ keepAlive: true, maxSockets: concurrency })));
  return agent;
}

/** Asks; once more when a connection that was kept alive turns out to be closed. */
async function status(server: TestServer, asked: HttpdRequest, agent: Agent): Promise<number> {
  try {
    return await once(server, asked, agent);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ECONNRESET') throw error;
    return once(server, asked, agent);
  }
}

function once(server: TestServer, asked: HttpdRequest, agent: Agent): Promise<number> {
  const host = server.hosts.get(asked.case);
  if (host === undefined)
    throw new Error(`${asked.case} is not served: ${server.refused.get(asked.case) ?? 'no such case'}`);
  return new Promise((resolve, reject) => {
    const sent = request(
      {
        agent,
        host: asked.src?.includes(':') ? '::1' : '127.0.0.1',
        port: asked.inMain ? server.mainPort : server.port,
        localAddress: asked.src,
        method: asked.method ?? 'GET',
        path: asked.path,
        headers: { Host: host, ...authorization(asked.user), ...asked.headers },
      },
      (response) => {
        response.resume();
        response.once('error', reject);
        response.once('end', () => resolve(response.statusCode ?? 0));
      },
    );
    sent.once('error', reject);
    sent.end();
  });
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
