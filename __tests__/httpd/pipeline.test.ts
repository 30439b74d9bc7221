import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { statusesOf } from '../../testing/httpd/pipeline';

let server: Server;
let connections = 0;

beforeAll(async () => {
  server = createServer((request, response) => {
    const [, status, how] = (request.url ?? '').split('/');
    response.statusCode = Number(status);
    if (how === 'close') response.setHeader('Connection', 'close');
    if (how === 'cut') return void request.socket.destroy();
    if (how === 'chunks') {
      // What stands in a body is no answer.
      response.write('HTTP/1.1 500 in a body\r\n\r\n');
      setImmediate(() => response.end('0\r\n\r\n'));
    } else if (how === 'none') response.end();
    else response.end('HTTP/1.1 500 in a body\r\n\r\n');
    return undefined;
  });
  server.on('connection', () => connections++);
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
});

afterAll(() => void server.close());

const ask = (...paths: string[]): Promise<number[]> =>
  statusesOf(
    { host: '127.0.0.1', port: (server.address() as AddressInfo).port },
    paths.map((path) => {
      const [method = '', url = ''] = path.split(' ');
      return { method, path: url, headers: { Host: 'a' } };
    }),
  );

test('each answer belongs to its request, however its end is marked', async () => {
  const asked = [
    ['GET /200/chunks', 200],
    ['HEAD /403/x', 403],
    ['POST /404/x', 404],
    ['GET /204/none', 204],
    ['OPTIONS /401/chunks', 401],
    ['GET /304/none', 304],
    ['GET /206/x', 206],
    ['GET /200/x', 200],
  ] as const;
  expect(await ask(...asked.map(([request]) => request))).toEqual(asked.map(([, status]) => status));
});

test('where the server closes the connection, the others are asked over another', async () => {
  connections = 0;
  expect(await ask('GET /200/x', 'GET /403/close', 'GET /404/x', 'GET /401/chunks')).toEqual([
    200, 403, 404, 401,
  ]);
  expect(connections).toBe(2);
});

test('no answer is an error', async () => {
  await expect(ask('GET /200/x', 'GET /200/cut')).rejects.toThrow('no answer from port');
  await expect(
    statusesOf({ host: '127.0.0.1', port: 1 }, [{ method: 'GET', path: '/', headers: {} }]),
  ).rejects.toThrow('ECONNREFUSED');
});
