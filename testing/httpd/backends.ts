import {
  type Server as HttpServer,
  type IncomingMessage,
  type ServerResponse,
  createServer,
} from 'node:http';
import { createServer as createSecure } from 'node:https';
import { type AddressInfo, type Server, createServer as createTcp } from 'node:net';
import type { ClientIdentity } from './certificates';

/** A backend on loopback. */
export interface Backend {
  readonly port: number;
  /** The requests that came, each as `GET /path`. */
  readonly asked: readonly string[];
  stop(): Promise<void>;
}

/** Answers every request with its name and the path, and lets caches keep that; a query string `to=URL` gets a redirect to it. */
export function httpBackend(name: string, identity?: ClientIdentity): Promise<Backend> {
  const asked: string[] = [];
  const answer = (sent: IncomingMessage, response: ServerResponse): void => {
    asked.push(`${sent.method} ${sent.url}`);
    response.setHeader('Cache-Control', 'max-age=600');
    response.setHeader('Content-Type', 'text/plain');
    const to = /[?]to=(.*)/.exec(sent.url ?? '')?.[1];
    if (to !== undefined) response.writeHead(302, { Location: to });
    response.end(`${name} ${sent.url}`);
  };
  return started(
    identity === undefined ? createServer(answer) : createSecure({ ...identity }, answer),
    asked,
  );
}

/** Answers every request with the PATH_INFO that it is told. */
export function scgiBackend(): Promise<Backend> {
  const asked: string[] = [];
  const server = createTcp((socket) => {
    let received = '';
    socket.setEncoding('latin1');
    socket.on('error', () => socket.destroy());
    socket.on('data', (part: string) => {
      received += part;
      const colon = received.indexOf(':');
      const length = Number(received.slice(0, colon));
      if (colon < 0 || received.length < colon + 1 + length) return;
      const words = received.slice(colon + 1, colon + 1 + length).split('\0');
      const at = words.findIndex((word, i) => i % 2 === 0 && word === 'PATH_INFO');
      const info = at < 0 ? 'none' : (words[at + 1] ?? '');
      asked.push(info);
      socket.end(`Status: 200 OK\r\nContent-Type: text/plain\r\n\r\nPATH_INFO ${info}`);
    });
  });
  return started(server, asked);
}

async function started(server: Server, asked: string[]): Promise<Backend> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const stop = (): Promise<void> =>
    new Promise((resolve) => {
      if ('closeAllConnections' in server) (server as HttpServer).closeAllConnections();
      server.close(() => resolve());
    });
  return { port, asked, stop };
}
