import { chmodSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FactName } from '../../src/httpd/facts';
import { type Backend, httpBackend, scgiBackend } from '../../testing/httpd/backends';
import { convertFiles, convertText } from '../../testing/run/convert';
import { Authority } from '../../testing/httpd/certificates';
import { freePort } from '../../testing/httpd/config';
import { makeReadable } from '../../testing/httpd/readable';
import { fetchBody, fetchPage } from '../../testing/httpd/http';
import { heldByJudge } from '../../testing/httpd/release';
import { serveWhole } from '../../testing/httpd/whole';

const ports: Record<string, number> = {};
const backends: Record<string, Backend> = {};
let home: string;

beforeAll(async () => {
  home = mkdtempSync(join(tmpdir(), 'httpd-ca-'));
  const named = new Authority(join(home, 'ca')).issue('backend');
  const started = {
    A: await httpBackend('A'),
    B: await httpBackend('B'),
    TLS: await httpBackend('TLS', named),
    SCGI: await scgiBackend(),
  };
  Object.assign(backends, started);
  writeFileSync(join(home, 'x.txt'), 'a file');
  makeReadable(home);
  for (const [name, { port }] of Object.entries(started)) ports[name] = port;
});

afterAll(async () => {
  for (const backend of Object.values(backends)) await backend.stop();
  rmSync(home, { recursive: true, force: true });
});

/** `@A@` and the like stand for the ports of the backends, `@HOME@` for our directory. */
const filled = (text: string): string =>
  text.replaceAll('@HOME@', home).replace(/@([A-Z]+)@/g, (_, name: string) => String(ports[name]));

/** A directory that the workers of a server may write into. */
function openDirectory(path: string): string {
  makeReadable(path);
  chmodSync(path, 0o777);
  return path;
}

/** How many directories deep the files in a cache lie. */
function depthOf(path: string): number {
  const inner = readdirSync(path, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  return inner.length === 0 ? 0 : 1 + Math.max(...inner.map((entry) => depthOf(join(path, entry.name))));
}

/** Serves a virtual host and asks it, one after the other. */
async function answers(conf: string, paths: readonly string[], convert: boolean): Promise<string[]> {
  const port = await freePort();
  const text = `Listen 127.0.0.1:${port}\n<VirtualHost 127.0.0.1:${port}>\nServerName front\n${filled(conf)}</VirtualHost>\n`;
  const server = await serveWhole(() => (convert ? convertText(text) : text));
  try {
    const bodies: string[] = [];
    for (const path of paths) bodies.push(await fetchBody(port, filled(path)));
    return bodies;
  } finally {
    await server.stop();
  }
}

/**
 * What 2.2 answered, by its source (a certificate that does not pass was a 502 in early releases of 2.4); the rewrite must on
 * 2.4. `before`: what the old text gets from 2.4.
 */
const rows: { name: string; conf: string; paths: string[]; after: string[]; before: string[] }[] = [
  {
    name: 'a backend whose certificate has another name',
    conf: 'SSLProxyEngine on\nProxyPass / https://127.0.0.1:@TLS@/\n',
    paths: ['/x'],
    after: ['TLS /x'],
    before: ['500'],
  },
  {
    name: 'a backend whose CN is looked at',
    conf: 'SSLProxyEngine on\nSSLProxyCheckPeerCN on\nProxyPass / https://127.0.0.1:@TLS@/\n',
    paths: ['/x'],
    after: ['500'],
    before: ['500'],
  },
  {
    name: 'the PATH_INFO of an SCGI backend',
    conf: '<Location /app/>\n    ProxyPass scgi://127.0.0.1:@SCGI@/\n</Location>\n',
    paths: ['/app/some/path'],
    after: ['PATH_INFO /some/path'],
    before: ['PATH_INFO none'],
  },
];

describe.each(rows)('$name', ({ conf, paths, after, before }) => {
  test('after the rewrite', async () => expect(await answers(conf, paths, true)).toEqual(after));
  test('before it', async () => expect(await answers(conf, paths, false)).toEqual(before));
});

/** What a finding says about 2.4 without changing anything is seen there. */
const reported: {
  name: string;
  rule: string;
  conf: string;
  paths: string[];
  seen: string[];
  /** The fact that it hangs on, and what releases answer of which it is not true. */
  fact?: [FactName, string[]];
}[] = [
  {
    name: 'a backend whose name does not resolve is not a 502',
    rule: 'error-document-502',
    conf: 'ErrorDocument 502 /down\nProxyPass /a/ http://backend.invalid/\n',
    paths: ['/a/x'],
    seen: ['500'],
  },
  {
    name: 'ProxyPass in Location goes before the ones of the server',
    rule: 'proxy-pass-in-location',
    conf: 'ProxyPass /a/ http://127.0.0.1:@A@/\n<Location /a/>\nProxyPass http://127.0.0.1:@B@/\n</Location>\n',
    paths: ['/a/x'],
    seen: ['B /x'],
  },
  {
    name: 'the last Location that matches decides',
    rule: 'proxy-pass-in-location',
    conf: '<Location /a/b>\nProxyPass http://127.0.0.1:@A@\n</Location>\n<Location /a>\nProxyPass http://127.0.0.1:@B@\n</Location>\n',
    paths: ['/a/b/x'],
    seen: ['B /b/x'],
  },
  {
    name: 'an exception of the server does not count',
    rule: 'proxy-pass-in-location',
    conf: 'ProxyPass /a !\n<Location />\nProxyPass http://127.0.0.1:@B@/\n</Location>\n',
    paths: ['/a/x'],
    seen: ['B /a/x'],
  },
  {
    name: 'ProxyPass in Location goes before the patterns of the server',
    rule: 'proxy-pass-in-location',
    conf: 'ProxyPassMatch ^/a/(.*)$ http://127.0.0.1:@A@/$1\n<Location /a/b>\nProxyPass http://127.0.0.1:@B@/b\n</Location>\n',
    paths: ['/a/x', '/a/b/x'],
    seen: ['A /x', 'B /b/x'],
  },
  {
    name: 'a blank in a rewritten query string is a 403',
    rule: 'rewrite-rule-unsafe',
    conf: 'RewriteEngine on\nRewriteRule ^/a/(.*) http://127.0.0.1:@A@/?q=$1 [P]\n',
    paths: ['/a/x%20y', '/a/xy'],
    seen: ['403', 'A /?q=xy'],
  },
  {
    name: 'a file name made from a variable counts below the DocumentRoot only',
    rule: 'rewrite-rule-unsafe',
    conf: 'SetEnvIf Request_URI ^ FILES=@HOME@\nRewriteEngine on\nRewriteRule ^/f/(.*) %{ENV:FILES}/$1\nRewriteRule ^/g/(.*) @HOME@/$1\n',
    paths: ['/f/x.txt', '/g/x.txt'],
    seen: ['404', 'a file'],
  },
  {
    name: 'an encoded slash reaches a backend as it came',
    rule: 'proxy-encoded-slash',
    conf: 'AllowEncodedSlashes NoDecode\nProxyPass /p http://127.0.0.1:@A@\n',
    paths: ['/p/a%2Fb', '/p/100%25'],
    seen: ['A /a%2Fb', '400'],
    fact: ['proxy-encoded-slashes-kept', ['A /a%252Fb', 'A /100%25']],
  },
  {
    name: 'a request with no-proxy is not sent to a backend',
    rule: 'no-proxy-variable',
    conf: 'SetEnvIf Request_URI own no-proxy\nProxyPass / http://127.0.0.1:@A@/\n',
    paths: ['/x', '/own'],
    seen: ['A /x', '404'],
    fact: ['proxy-no-proxy', ['A /x', 'A /own']],
  },
];

test.each(reported)('$name', async ({ rule, conf, paths, seen, fact }) => {
  const found = convertFiles({ '/httpd.conf': `Listen 80\n${filled(conf)}` }).outcomes;
  expect(found.map((outcome) => outcome.rule)).toContain(rule);
  const isSeen = fact === undefined || heldByJudge(fact[0]);
  expect(await answers(conf, paths, false)).toEqual(isSeen ? seen : fact[1]);
});

test('ProxyPassReverse with a path takes in redirects to other hosts', async () => {
  const conf = filled('ProxyPass /p http://127.0.0.1:@A@\nProxyPassReverse /p /shop\n');
  const found = convertFiles({ '/httpd.conf': `Listen 80\n${conf}` }).outcomes;
  expect(found.map(({ rule }) => rule)).toContain('proxy-pass-reverse-path');
  const port = await freePort();
  const server = await serveWhole(() => `Listen 127.0.0.1:${port}\nServerName front\n${conf}`);
  try {
    const { headers } = await fetchPage(port, '/p/?to=http://other.example/shop/a');
    expect(headers.location).toBe(`http://127.0.0.1:${port}/p/a`);
  } finally {
    await server.stop();
  }
});

test('a 304 of the cache has Age', async () => {
  const root = openDirectory(mkdtempSync(join(home, 'cache-')));
  const conf = `CacheRoot ${root}\nCacheEnable disk /\nAlias /x ${home}/x.txt\nExpiresActive On\nExpiresDefault "access plus 1 hour"\n`;
  const found = convertFiles({ '/httpd.conf': `Listen 80\n${conf}` }).outcomes;
  expect(found.map(({ rule }) => rule)).toContain('cache-age');
  const port = await freePort();
  const server = await serveWhole(() => `Listen 127.0.0.1:${port}\nServerName front\n${conf}`);
  try {
    const { headers } = await fetchPage(port, '/x');
    const since = { 'If-Modified-Since': headers['last-modified']! };
    const cached = await fetchPage(port, '/x', { headers: since });
    expect(cached.status).toBe(304);
    expect(cached.headers.age).toBeDefined();
  } finally {
    await server.stop();
  }
});

describe('a forward proxy with a cache', () => {
  const conf = (root: string): string => `ProxyRequests On\nCacheRoot ${root}\nCacheEnable disk /\n`;

  async function hits(convert: boolean): Promise<{ hits: number; depth: number }> {
    const root = openDirectory(mkdtempSync(join(home, 'cache-')));
    const before = backends['A']!.asked.length;
    await answers(conf(root), ['http://127.0.0.1:@A@/cached', 'http://127.0.0.1:@A@/cached'], convert);
    return { hits: backends['A']!.asked.length - before, depth: depthOf(root) };
  }

  test('after the rewrite the second request comes from the cache, three directories deep', async () =>
    expect(await hits(true)).toEqual({ hits: 1, depth: 3 }));

  test('before it nothing is cached', async () => expect(await hits(false)).toEqual({ hits: 2, depth: 0 }));
});
