import { connect } from 'node:net';
import { type TestServer, serve } from '../../testing/httpd/server';

/** What a server answers to the bytes of a request. */
function answerTo(port: number, bytes: string): Promise<string> {
  return new Promise((done, failed) => {
    const chunks: Buffer[] = [];
    const socket = connect(port, '127.0.0.1', () => socket.end(bytes, 'latin1'));
    socket.on('data', (chunk) => chunks.push(chunk));
    socket.on('error', failed);
    socket.on('close', () => {
      done(Buffer.concat(chunks).toString('latin1'));
    });
  });
}

let server: TestServer;

beforeAll(async () => {
  const conf = [
    'ProxyPass /down/ http://127.0.0.1:1/',
    '<Location />\nOptions +MultiViews\nFileETag MTime Size\n</Location>',
    '<Location /status>\nSetHandler server-status\n</Location>',
    'AddLanguage en .en\n',
  ].join('\n');
  server = await serve([{ id: 'plain', conf, files: ['a.txt', 'b.html.en'] }], { compat: false });
});
afterAll(() => server.stop());

const END = 'Connection: close\r\n\r\n';

// docs/facts/every-server.md has these, with what 2.2.34 answered.
test.each<[name: string, head: string, status: number, has?: RegExp]>([
  ['a range with a blank', 'GET /a.txt HTTP/1.1\r\nHost: x\r\nRange: bytes= 0-3\r\n', 200],
  ['Request-Range', 'GET /a.txt HTTP/1.1\r\nHost: x\r\nRequest-Range: bytes=0-3\r\n', 200],
  ['ranges that overlap', 'GET /a.txt HTTP/1.1\r\nHost: x\r\nRange: bytes=0-1,1-2,0-3\r\n', 206, /Content-Range: bytes 0-3\//],
  ['many ranges', `GET /a.txt HTTP/1.1\r\nHost: x\r\nRange: bytes=${'0-0,2-2,'.repeat(99)}4-4\r\n`, 200],
  ['GET *', 'GET * HTTP/1.1\r\nHost: x\r\n', 400],
  ['a length with a sign', 'POST /a.txt HTTP/1.1\r\nHost: x\r\nContent-Length: +3\r\n', 400],
  ['a length twice', 'POST /a.txt HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\nContent-Length: 3\r\n', 400],
  ['no Host', 'GET /a.txt HTTP/1.1\r\n', 400],
  ['Max-Forwards', 'GET /down/ HTTP/1.1\r\nHost: x\r\nMax-Forwards: 0\r\n', 400],
  ['a 304', 'GET /a.txt HTTP/1.1\r\nHost: x\r\nIf-None-Match: *\r\n', 304, /Last-Modified: /],
  ['the status for programs', 'GET /status?auto HTTP/1.1\r\nHost: x\r\n', 200, /ServerVersion: /],
  ['a negotiated page', 'GET /b HTTP/1.1\r\nHost: x\r\n', 200, /ETag: (?:W\/)?"[^"]*;[^"]*\r\n/],
  ['a method that httpd does not know', 'FOO /a.txt HTTP/1.1\r\nHost: x\r\n', 501, /^HTTP\/1\.1 501 Not Implemented\r/],
  ['a long request line', `GET /${'a'.repeat(9000)} HTTP/1.1\r\nHost: x\r\n`, 414, /^HTTP\/1\.1 414 Request-URI Too Long\r/],
  ['a backend that is down', 'GET /down/ HTTP/1.1\r\nHost: x\r\n', 503, /^HTTP\/1\.1 503 Service Unavailable\r/],
  ['an error page', 'GET /none HTTP/1.1\r\nHost: x\r\n', 404, /HTML 4\.01/],
])('%s', async (_, head, status, has = /^/) => {
  const host = server.hosts.get('plain')!;
  const answer = await answerTo(server.port, head.replace('Host: x', `Host: ${host}`) + END);
  expect(Number(answer.slice(9, 12))).toBe(status);
  expect(answer).toMatch(has);
}); // prettier-ignore

test('an ETag that the client marks as weak', async () => {
  const head = `GET /a.txt HTTP/1.1\r\nHost: ${server.hosts.get('plain')!}\r\n`;
  const etag = /\r\nETag: (?:W\/)?("[^"]*")/.exec(await answerTo(server.port, head + END))?.[1];
  const answer = await answerTo(server.port, `${head}If-None-Match: W/${etag}\r\n${END}`);
  expect(answer).toMatch(/^HTTP\/1\.1 304 /);
});
