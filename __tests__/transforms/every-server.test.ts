import { connect } from 'node:net';
import { type TestServer, serve } from '../../testing/httpd/server';

/** The status that a server answers to the bytes of a request. */
function statusFor(port: number, bytes: string): Promise<number> {
  return new Promise((done, failed) => {
    const chunks: Buffer[] = [];
    const socket = connect(port, '127.0.0.1', () => socket.end(bytes, 'latin1'));
    socket.on('data', (chunk) => chunks.push(chunk));
    socket.on('error', failed);
    socket.on('close', () => {
      done(Number(Buffer.concat(chunks).toString('latin1').slice(9, 12)));
    });
  });
}

let server: TestServer;

beforeAll(async () => {
  server = await serve([{ id: 'plain', conf: '', files: ['a.txt'] }], { compat: false });
});
afterAll(() => server.stop());

const END = 'Connection: close\r\n\r\n';

// docs/facts/every-server.md has these, with what 2.2.34 answered.
test.each([
  ['a range with a blank', 'GET /a.txt HTTP/1.1\r\nHost: x\r\nRange: bytes= 0-3\r\n', 200],
  ['Request-Range', 'GET /a.txt HTTP/1.1\r\nHost: x\r\nRequest-Range: bytes=0-3\r\n', 200],
  ['GET *', 'GET * HTTP/1.1\r\nHost: x\r\n', 400],
  ['a length with a sign', 'POST /a.txt HTTP/1.1\r\nHost: x\r\nContent-Length: +3\r\n', 400],
  ['a length twice', 'POST /a.txt HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\nContent-Length: 3\r\n', 400],
  ['no Host', 'GET /a.txt HTTP/1.1\r\n', 400],
])('%s', async (_, head, status) => {
  const host = server.hosts.get('plain')!;
  const asked = head.replace('Host: x', `Host: ${host}`);
  expect(await statusFor(server.port, asked + END)).toBe(status);
});
