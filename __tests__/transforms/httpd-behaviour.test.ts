import { convertText } from '../../testing/run/convert';
import { type HttpAnswer, fetchPage } from '../../testing/httpd/http';
import { type TestServer, serve } from '../../testing/httpd/server';

interface BehaviourRow {
  readonly name: string;
  /** 2.2's text, for a virtual host. */
  readonly conf: string;
  readonly htaccess?: Readonly<Record<string, string>>;
  readonly files?: readonly string[];
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** The part of the answer that counts. */
  readonly see: (answer: HttpAnswer) => unknown;
  /** What 2.2 made of its text. */
  readonly expected: unknown;
  /** What 2.4 makes of the old text: refuses it, or sees something else. */
  readonly before: 'refused' | 'different';
}

const header =
  (name: string) =>
  ({ headers }: HttpAnswer): unknown =>
    headers[name];
const body = (answer: HttpAnswer): string => answer.body;
const status = (answer: HttpAnswer): number => answer.status;

const rows: readonly BehaviourRow[] = [
  {
    name: 'the text of ErrorDocument is sent as it is written',
    conf: 'ErrorDocument 404 "From $5, 100%: C:\\temp \\"x\\""\n',
    path: '/none',
    see: body,
    expected: 'From $5, 100%: C:\\temp "x"',
    before: 'different',
  },
  {
    name: '%{ in the text of ErrorDocument is no variable',
    conf: 'ErrorDocument 404 "This is %{nothing} at all"\n',
    path: '/none',
    see: body,
    expected: 'This is %{nothing} at all',
    before: 'refused',
  },
  {
    name: 'a realm keeps its backslash',
    conf: '<Location />\nAuthType Basic\nAuthName "DOM\\users $1"\nAuthUserFile /dev/null\nRequire valid-user\n</Location>\n',
    path: '/x.txt',
    see: header('www-authenticate'),
    expected: 'Basic realm="DOM\\users $1"',
    before: 'different',
  },
  {
    name: '& in a redirect is what matched',
    conf: 'RedirectMatch ^/old/(.)$ http://a.example/?u=&\n',
    path: '/old/y',
    see: header('location'),
    expected: 'http://a.example/?u=/old/y',
    before: 'different',
  },
  {
    name: '& in the value of a variable is what matched, and a backslash is itself',
    conf: 'SetEnvIf Request_URI "x.txt$" seen=<&\\q>\nHeader set X-Seen "%{seen}e"\n',
    path: '/x.txt',
    see: header('x-seen'),
    expected: '<x.txt\\q>',
    before: 'different',
  },
  {
    name: 'what replaces a part of a header holds no formats',
    conf: 'Header set X-A abc\nHeader edit X-A b "[100% %D \\q&]"\n',
    path: '/x.txt',
    see: header('x-a'),
    expected: 'a[100% %D \\qb]c',
    before: 'refused',
  },
  {
    name: '& in Substitute is what matched',
    conf: 'AddOutputFilterByType SUBSTITUTE text/plain\n<Location />\nSubstitute s|x|[&]|q\n</Location>\n',
    path: '/x.txt',
    see: body,
    expected: '[x].t[x]t\n',
    before: 'different',
  },
  {
    name: 'an option that a word without a sign took away is gone',
    conf: '<Directory "@DOCROOT@/a">\nOptions +Indexes FollowSymLinks\n</Directory>\n',
    files: ['a/b/x.txt'],
    path: '/a/',
    see: status,
    expected: 403,
    before: 'refused',
  },
  {
    name: 'and comes back where a section further in adds one',
    conf: '<Directory "@DOCROOT@/a">\nOptions +Indexes FollowSymLinks\n</Directory>\n',
    htaccess: { 'a/b': 'Options +MultiViews\n' },
    files: ['a/b/x.txt'],
    path: '/a/b/',
    see: status,
    expected: 200,
    before: 'refused',
  },
  {
    name: 'options of a line that says All at its end',
    conf: '<Directory "@DOCROOT@/a">\nOptions MultiViews All\n</Directory>\n',
    files: ['a/x.txt'],
    path: '/a/x',
    see: status,
    expected: 200,
    before: 'refused',
  },
  {
    name: 'KeepAlive 0 closes the connection',
    conf: 'KeepAlive 0\n',
    path: '/x.txt',
    headers: { Connection: 'keep-alive' },
    see: header('connection'),
    expected: 'close',
    before: 'refused',
  },
  {
    name: 'an empty DirectoryIndex takes nothing away',
    conf: '<Directory "@DOCROOT@">\nDirectoryIndex\n</Directory>\n',
    files: ['index.html'],
    path: '/',
    see: body,
    expected: 'index.html\n',
    before: 'different',
  },
  {
    name: 'a pattern that matches nothing is no error',
    conf: 'Include "@DOCROOT@/none/*.conf"\n',
    path: '/x.txt',
    see: status,
    expected: 200,
    before: 'refused',
  },
  {
    name: 'KeepAliveTimeout with a word is 0 seconds',
    conf: 'KeepAliveTimeout forever\n',
    path: '/x.txt',
    see: status,
    expected: 200,
    before: 'refused',
  },
];

function get(
  server: TestServer,
  id: string,
  path: string,
  headers: BehaviourRow['headers'] = {},
): Promise<HttpAnswer> {
  const host = server.hosts.get(id);
  if (host === undefined) throw new Error(`${id}: ${server.refused.get(id) ?? 'not served'}`);
  return fetchPage(server.port, path, { headers: { Host: host, ...headers } });
}

/** Asks until the answer has it: a log is written after the answer is sent. */
async function until(ask: () => Promise<string> | string, part: RegExp): Promise<string> {
  for (let left = 100; ; left--) {
    const text = await ask();
    if (part.test(text) || left === 0) return text;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

describe('what a 2.2 text did, the rewrite does on 2.4', () => {
  let server: TestServer;
  const logs = {
    'rewrite-log':
      'RewriteEngine On\nRewriteRule ^/seen$ /x.txt\nRewriteLog logs/rewrite_log\nRewriteLogLevel 2\n',
    'rewrite-log-off': 'RewriteEngine On\nRewriteRule ^/unseen$ /x.txt\nRewriteLog logs/rewrite_log\n',
    // The quotes of a command are gone before the shell sees it, in both versions.
    'piped-log': 'CustomLog "|while read line; do echo got:$line >> @DOCROOT@/log.txt; done" "%U"\n',
    'cookie-log': 'CookieTracking on\nCookieLog "@DOCROOT@/log.txt"\n',
  };

  beforeAll(async () => {
    server = await serve([
      ...rows.flatMap(({ name, conf, htaccess = {}, files = [] }) =>
        [convertText(conf, '/site.conf'), conf].map((text, i) => ({
          id: i === 0 ? name : `old ${name}`,
          conf: text,
          htaccess,
          files: ['x.txt', ...files],
        })),
      ),
      ...Object.entries(logs).map(([id, conf]) => ({
        id,
        conf: convertText(conf, '/site.conf'),
        files: ['x.txt'],
      })),
    ]);
  });

  afterAll(() => server.stop());

  test.each(rows)('$name', async ({ name, path, headers, see, expected, before }) => {
    expect(see(await get(server, name, path, headers))).toEqual(expected);
    const old = `old ${name}`;
    if (before === 'refused') expect(server.refused.has(old)).toBe(true);
    else expect(see(await get(server, old, path, headers))).not.toEqual(expected);
  });

  test('RewriteLogLevel: the messages are in the error log', async () => {
    await get(server, 'rewrite-log', '/seen');
    expect(await until(() => server.log(), /\/seen/)).toMatch(/\[rewrite:trace2\].*'\/seen'/);
  });

  test('RewriteLog alone: there are none', async () => {
    await get(server, 'rewrite-log-off', '/unseen');
    await get(server, 'rewrite-log', '/seen-later');
    expect(await until(() => server.log(), /\/seen-later/)).not.toContain('/unseen');
  });

  test('a piped log runs in a shell', async () => {
    await get(server, 'piped-log', '/x.txt');
    const text = await until(async () => (await get(server, 'piped-log', '/log.txt')).body, /x\.txt/);
    expect(text).toMatch(/^got:\/x\.txt$/m);
  });

  test('CookieLog writes its format', async () => {
    await get(server, 'cookie-log', '/x.txt');
    const text = await until(async () => (await get(server, 'cookie-log', '/log.txt')).body, /x\.txt/);
    expect(text).toMatch(/^\S+ "GET \/x\.txt HTTP\/1\.1" \[/);
  });
});
