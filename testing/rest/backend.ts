import { type IncomingMessage, type ServerResponse, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';

/** The HTTP server behind the trees, which counts what it is asked. */
export interface RestBackend {
  readonly port: number;
  stop(): Promise<void>;
}

/** What the backend says to the last part of a path, beside its name and how often it was asked. */
const ANSWERS: Readonly<
  Record<string, (sent: IncomingMessage, response: ServerResponse, text: string) => void>
> = {
  headers: (sent, response) => {
    const named = Object.entries(sent.headers).filter(([name]) => name !== 'connection');
    response.end(
      named
        .map(([name, value]) => `${name}: ${String(value)}\n`)
        .toSorted()
        .join(''),
    );
  },
  connection: (sent, response) => {
    response.end(sent.headers.connection ?? 'none');
  },
  slow: (_, response, text) => {
    setTimeout(() => response.end(text), 3_000);
  },
  gzip: (_, response, text) => {
    response.setHeader('Content-Encoding', 'gzip');
    response.end(gzipSync(text));
  },
  'half-gzip': (_, response, text) => {
    response.setHeader('Content-Encoding', 'gzip');
    response.end(text);
  },
  html: (_, response, text) => {
    response.setHeader('Content-Type', 'text/html');
    response.end(`<html><a href="http://127.0.0.1:8099/x">${text}</a>${'long '.repeat(60)}</html>\n`);
  },
  cookie: (_, response, text) => {
    response.setHeader('Set-Cookie', ['a=1; path=/app; domain=back.example', 'b=2; path=/']);
    response.end(text);
  },
  missing: (_, response, text) => {
    response.statusCode = 404;
    response.end(text);
  },
  broken: (_, response, text) => {
    response.statusCode = 500;
    response.end(text);
  },
  fresh: (_, response, text) => {
    response.setHeader('Cache-Control', 'max-age=600');
    response.end(text);
  },
  dated: (sent, response, text) => {
    response.setHeader('Last-Modified', 'Sun, 04 Mar 2012 05:06:07 GMT');
    response.setHeader('ETag', '"one"');
    if (sent.headers['if-none-match'] === '"one"') response.statusCode = 304;
    response.end(response.statusCode === 304 ? undefined : text);
  },
  private: (_, response, text) => {
    response.setHeader('Cache-Control', 'private, max-age=600');
    response.end(text);
  },
  'no-store': (_, response, text) => {
    response.setHeader('Cache-Control', 'no-store, max-age=600');
    response.end(text);
  },
  expires: (_, response, text) => {
    response.setHeader('Expires', new Date(Date.now() + 600_000).toUTCString());
    response.end(text);
  },
  vary: (sent, response) => {
    response.setHeader('Vary', 'Accept-Language');
    response.setHeader('Cache-Control', 'max-age=600');
    response.end(`for ${sent.headers['accept-language'] ?? 'all'}`);
  },
};

/** Answers as a query says: `/reply?s=404&X-A=1`, with the status `s` and these headers. */
function reply(url: string, response: ServerResponse, count: number): void {
  const headers: Record<string, string[]> = {};
  const { searchParams } = new URL(url, 'http://backend');
  for (const [name, value] of searchParams) if (name.length > 1) (headers[name] ??= []).push(value);
  const status = Number(searchParams.get('s') ?? 200);
  response.writeHead(status, headers).end(status === 204 || status === 304 ? undefined : `reply ${count}`);
}

export async function restBackend(): Promise<RestBackend> {
  const counts = new Map<string, number>();
  const server = createServer((sent, response) => {
    const url = sent.url ?? '';
    counts.set(url, (counts.get(url) ?? 0) + 1);
    let body = '';
    sent.on('data', (chunk: Buffer) => (body += chunk.toString('latin1')));
    sent.on('end', () => {
      response.setHeader('Content-Type', 'text/plain');
      const to = /[?]to=(.*)/.exec(url)?.[1];
      if (url.includes('/reply?')) {
        reply(url, response, counts.get(url)!);
        return;
      }
      if (to !== undefined) response.writeHead(302, { Location: to });
      const text = `behind ${sent.method} ${url} ${body} ${counts.get(url)}`;
      const answer = ANSWERS[/([a-z-]+)(?:\?.*)?$/.exec(url)?.[1] ?? ''];
      if (answer === undefined || to !== undefined) response.end(text);
      else answer(sent, response, text);
    });
  });
  // However slow the machine is, httpd finds the connections open that it keeps.
  server.keepAliveTimeout = 600_000;
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const stop = (): Promise<void> =>
    new Promise((resolve) => {
      server.closeAllConnections();
      server.close(() => resolve());
    });
  return { port: (server.address() as AddressInfo).port, stop };
}
