import { compileFormat, STOCK_FORMATS } from '../../src/log/formats';
import { EntryReader } from '../../src/log/entries';
import { LineCutter } from '../../src/log/lines';
import { readLogLine } from '../../src/log';
import { soon } from '../../testing/run/soon';

const formatOf = (format: string): EntryReader => new EntryReader(compileFormat(format, format)!, undefined);
const stock = (name: string): EntryReader => formatOf(new Map(STOCK_FORMATS).get(name)!);

const TIME = '[10/Oct/2000:13:55:36 -0700]';

test.each([
  ['combined', `192.0.2.7 - - ${TIME} "GET /a%20b?c=d HTTP/1.1" 200 5 "-" "x"`, { client: '192.0.2.7', user: '', method: 'GET', path: '/a b', query: '?c=d', status: 200, protocol: 'HTTP/1.1' }],
  ['combined', `2001:db8::1 - bob ${TIME} "HEAD / HTTP/1.0" 304 - "http://a.test/" "y \\"z\\""`, { client: '2001:db8::1', user: 'bob', method: 'HEAD', status: 304 }],
  ['combined', `192.0.2.7 - bob smith ${TIME} "GET / HTTP/1.0" 200 5 "-" "-"`, { user: 'bob smith' }],
  ['common', `host.test - - ${TIME} "GET http://shop.test/x HTTP/1.1" 200 5`, { client: 'host.test', path: '/x', target: '/x' }],
  ['vhost_combined', `shop.test:443 192.0.2.7 - - ${TIME} "GET / HTTP/1.1" 200 5 "-" "-"`, { server: { host: 'shop.test', port: 443 } }],
  ['combined', `192.0.2.7 - - ${TIME} "OPTIONS * HTTP/1.0" 200 - "-" "-"`, { target: '', method: 'OPTIONS', isMalformed: false }],
  ['combined', `192.0.2.7 - - ${TIME} "-" 408 - "-" "-"`, { isMalformed: true, status: 408 }],
  ['combined', `192.0.2.7 - - ${TIME} "GET /a b HTTP/1.1" 200 - "-" "-"`, { isMalformed: true, path: '/a' }],
  ['combined', `192.0.2.7 - - ${TIME} "GET /" 200 - "-" "-"`, { isMalformed: false, protocol: '', path: '/' }],
  ['combined', `192.0.2.7 - - ${TIME} "GET /\\"x HTTP/1.1" 200 - "-" "-"`, { path: '/"x' }],
] as const)('%s: %s', (name, line, expected) => {
  expect(stock(name).read(line)).toMatchObject(expected);
}); // prettier-ignore

test.each([
  ['%h %l %u %t "%r" %s %>s', '192.0.2.7 - - [10/Oct/2000:13:55:36 -0700] "GET / HTTP/1.1" 302 200', { status: 200 }],
  ['%m %U%q %>s', 'GET /a?b=c 404', { path: '/a', query: '?b=c', status: 404 }],
  ['%m %U%q %D%t %p%>s', 'GET /a 12[10/Oct/2000:13:55:36 -0700] 80404', { path: '/a', query: '', status: 404 }],
  ['%m|%U|%q|%>s', 'GET|/a|?b=c|404', { method: 'GET', path: '/a', query: '?b=c', status: 404 }],
  ['%{%Y-%m-%d %H:%M}t %r %400,501{User-Agent}i %a', '2026-01-02 03:04 GET /x HTTP/1.1 - 192.0.2.9', { path: '/x', client: '192.0.2.9' }],
  ['%v\\t%{c}a\\t%a\\t\\"%r\\"', 'a.test\t10.0.0.1\t192.0.2.9\t"GET / HTTP/1.1"', { client: '192.0.2.9', server: { name: 'a.test' } }],
  ['%% [%{Host}i] "%r"', '% [Shop.test:8080] "GET / HTTP/1.1"', { server: { host: 'shop.test', port: 8080 } }],
] as const)('the format %s', (format, line, expected) => {
  const entry = formatOf(format).read(line);
  if (expected === undefined) expect(entry?.status).not.toBe(200);
  else expect(entry).toMatchObject(expected);
}); // prettier-ignore

test('a format that does not say what was asked for is none', () => {
  expect(compileFormat('x', '%h %u %t %>s')).toBeUndefined();
  expect(compileFormat('x', '')).toBeUndefined();
  expect(compileFormat('x', '%')).toBeUndefined();
});

test('the days of a log are those of its lines, whatever their order', () => {
  const reader = stock('common');
  for (const day of [
    '28/Feb/2026',
    '02/Jan/2026',
    '31/Dec/2025',
    '99/Foo/2026',
    '00/Jan/0000',
    '31/Dec/9999',
    '31/Feb/2020',
    '-1/Jan/2020',
  ])
    reader.read(`h - - [${day}:00:00:00 +0000] "GET / HTTP/1.1" 200 1`);
  expect([reader.from, reader.to]).toEqual(['2025-12-31', '2026-02-28']);
});

test.each([1, 2, 3, 7, 1000])('lines are the same, in pieces of %i', (size) => {
  const text = `a\r\n\nbc\n${'x'.repeat(300_000)}\nd\ne`;
  const lines: (string | undefined)[] = [];
  const cutter = new LineCutter((line) => lines.push(line));
  for (let i = 0; i < text.length; i += size === 1 || size === 2 ? 64_000 * size + 1 : size) {
    const step = size === 1 || size === 2 ? 64_000 * size + 1 : size;
    cutter.add(text.slice(i, i + step));
  }
  cutter.end();
  expect(lines).toEqual(['a', '', 'bc', undefined, 'd', 'e']);
});

test('a hostile line takes no time', async () => {
  const read = (reader: EntryReader, piece: string, before = ''): Promise<unknown> =>
    soon(() => [reader.read(`${before}${piece.repeat(200_000 / piece.length)}`)]);
  for (const format of ['%m %U%q %H', '%h%l%u%m%U%q %>s'])
    for (const piece of ['a', 'a?', '%'])
      expect(await read(formatOf(format), piece, 'GET /')).toHaveLength(1);
  for (const name of ['combined', 'vhost_combined', 'common'])
    for (const piece of ['[', '"', '\\', ' ', '- ', '" "', '[]"\\"'])
      expect(await read(stock(name), piece)).toHaveLength(1);
});

test('a line of an error log is still read', () => {
  expect(
    readLogLine(
      '[Mon Jan 02 03:04:05 2026] [error] [client 192.0.2.7] client denied by server configuration: /srv/x',
    ),
  ).toMatchObject({ kind: 'error', client: '192.0.2.7' });
});
