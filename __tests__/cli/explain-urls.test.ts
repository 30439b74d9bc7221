import { readLogLine } from '../../src/log';
import { memory } from '../../src/config';
import { command } from '../../testing/run/command';

/** Two sites by name on port 80, one over TLS on 443, one on an address of its own. */
const SERVER = `ServerRoot /etc/httpd
Listen 80
Listen 443
DocumentRoot /srv/main
NameVirtualHost *:80
<Directory />
    AllowOverride None
    Order deny,allow
    Deny from all
</Directory>
<VirtualHost *:80>
    ServerName first.test
    DocumentRoot /srv/first
</VirtualHost>
<VirtualHost *:80>
    ServerName shop.test
    ServerAlias *.shop.test
    DocumentRoot /srv/shop
</VirtualHost>
<VirtualHost *:443>
    ServerName shop.test
    DocumentRoot /srv/secure
</VirtualHost>
<VirtualHost 192.0.2.80:80>
    ServerName lone.test
    DocumentRoot /srv/lone
</VirtualHost>
<Directory /srv/first>
    Order allow,deny
    Allow from all
</Directory>
<Directory /srv/shop>
    Order deny,allow
    Deny from all
    Allow from 10.0.0.0/8
</Directory>
<Directory /srv/secure>
    AuthType Basic
    AuthName s
    AuthUserFile /etc/users
    Require user alice
    Order allow,deny
    Allow from all
</Directory>
`;

const SHOP = '<VirtualHost *:80> (ServerName shop.test) at etc/httpd/conf/httpd.conf:15';

interface ExplainDocument {
  readonly url?: string;
  readonly file: string;
  readonly server: string | null;
  readonly request: { readonly text: string; readonly address: string; readonly assumed: readonly string[] };
  readonly httpd22: { readonly answer: string; readonly decidedBy: readonly object[] };
  readonly httpd24: { readonly answer: string; readonly decidedBy: readonly object[] };
  readonly unknown: readonly string[];
}

async function explained(
  request: string,
  server = SERVER,
): Promise<ExplainDocument & { readonly status: number }> {
  const source = memory(new Map([['/etc/httpd/conf/httpd.conf', server]]));
  const argv = ['--format', 'json', '--explain', request, '/etc/httpd/conf/httpd.conf'];
  const { stdout, stderr, status } = await command(argv, {}, { source });
  expect(stderr).toBe('');
  const { explanations } = JSON.parse(stdout) as { explanations: ExplainDocument[] };
  return { ...explanations[0]!, status };
}

describe('a URL is answered by the virtual host that httpd selects', () => {
  test.each<[string, file: string, answers: string]>([
    ['http://shop.test/a', '/srv/shop/a', 'forbidden'],
    ['http://SHOP.test:80/a from=10.1.2.3', '/srv/shop/a', 'admitted'],
    ['http://www.shop.test', '/srv/shop/', 'forbidden'],
    ['http://other.test/a', '/srv/first/a', 'admitted'],
    ['https://shop.test/a?from=x user=alice', '/srv/secure/a', 'admitted'],
    ['https://alice@shop.test/a', '/srv/secure/a', 'admitted'],
    ['https://other.test/a', '/srv/secure/a', 'unauthorized'],
    ['http://192.0.2.80/a', '/srv/lone/a', 'forbidden'],
    ['http://shop.test:8080/a', '/srv/main/a', 'forbidden'],
  ])('%s', async (url, file, answer) => {
    const { httpd22, httpd24, unknown, status, ...found } = await explained(url);
    expect([found.file, httpd22.answer, httpd24.answer]).toEqual([file, answer, answer]);
    expect([unknown, status]).toEqual([[], 0]);
  });

  test('what is taken to be so is said', async () => {
    const { request } = await explained('http://other.test/a?x=1');
    expect(request.assumed).toEqual([
      'from 192.0.2.1, as no from= is given',
      "the query x=1 is the URL's own (from=, user= and the other keys stand behind a blank)",
      'the request comes to no address of <VirtualHost 192.0.2.80:80> (ServerName lone.test) at etc/httpd/conf/httpd.conf:24',
      'no virtual host for port 80 has that name: the first answers, <VirtualHost *:80> (ServerName first.test) at etc/httpd/conf/httpd.conf:11',
    ]);
  });

  test('2.2 takes the first virtual host where no NameVirtualHost is for the address: that is not known', async () => {
    const { unknown, status } = await explained(
      'http://shop.test/a',
      SERVER.replace(/^NameVirtualHost.*\n/m, ''),
    );
    expect(unknown).toEqual([
      expect.stringMatching(/^whether 2\.2 selects <VirtualHost \*:80> .*:14 too: no NameVirtualHost/),
    ]);
    expect(status).toBe(1);
  });

  test('a virtual host by name and port', async () => {
    expect((await explained('/a?vhost=shop.test:443')).file).toBe('/srv/secure/a');
  });
});

describe('a line of a log', () => {
  test.each<[string, string, file: string, server: string | null]>([
    [
      'a common log with %v:%p',
      'www.shop.test:80 10.1.2.3 - - [22/Nov/2026:10:00:00 +0000] "GET /a%20b?c=d HTTP/1.1" 403 199',
      '/srv/shop/a b',
      SHOP,
    ],
    [
      'a combined log: its referer names the site',
      '10.1.2.3 - - [22/Nov/2026:10:00:00 +0000] "GET /a HTTP/1.1" 403 199 "http://shop.test/" "Agent \\"x\\""',
      '/srv/shop/a',
      SHOP,
    ],
    [
      'a referer of another site says nothing',
      '10.1.2.3 - - [22/Nov/2026:10:00:00 +0000] "GET /a HTTP/1.1" 403 199 "http://elsewhere.test/" "-"',
      '/srv/main/a',
      null,
    ],
    [
      'a URL as the target',
      '10.1.2.3 - - [22/Nov/2026:10:00:00 +0000] "GET http://shop.test/a HTTP/1.1" 403 199',
      '/srv/shop/a',
      SHOP,
    ],
    [
      'an error log of 2.4',
      '[Sun Nov 22 10:00:00.123456 2026] [authz_core:error] [pid 5:tid 6] [client 10.1.2.3:50123] AH01630: client denied by server configuration: /srv/shop/x, referer: http://shop.test/',
      '/srv/shop/x',
      SHOP,
    ],
    [
      'an error log of 2.2',
      '[Sun Nov 22 10:00:00 2026] [error] [client 10.1.2.3] client denied by server configuration: /srv/shop/x',
      '/srv/shop/x',
      SHOP,
    ],
    [
      'a user',
      '[Sun Nov 22 10:00:00 2026] [error] [client 10.1.2.3] user bob: authentication failure for "/a": Password Mismatch',
      '/srv/main/a',
      null,
    ],
  ])('%s', async (_, line, file, server) => {
    const found = await explained(line);
    expect([found.file, found.server, found.request.address]).toEqual([file, server, '10.1.2.3']);
  });

  test('what it says, and the same request in other words', async () => {
    const source = memory(new Map([['/etc/httpd/conf/httpd.conf', SERVER]]));
    const line = '10.1.2.3 - bob [22/Nov/2026:10:00:00 +0000] "POST /a%26b HTTP/1.1" 401 199';
    const { stdout } = await command(['--explain', line, '/etc/httpd/conf/httpd.conf'], {}, { source });
    expect(stdout).toContain('\n  log    the server answered 401\n');
    expect(stdout).toContain("\n  ask    '/a%26b?from=10.1.2.3&method=POST&user=bob' asks the same; ");
    expect(stdout).toContain('\n  assume the password of bob is right\n');
  });

  test('that is about no request is explained as a message', async () => {
    const source = memory(new Map([['/etc/httpd/conf/httpd.conf', SERVER]]));
    const message =
      "AH00526: Syntax error on line 8 of /etc/httpd/conf/httpd.conf: Invalid command 'Order', perhaps misspelled";
    const { stdout, status } = await command(
      ['--explain', message, '/etc/httpd/conf/httpd.conf'],
      {},
      { source },
    );
    expect(stdout).toContain('  where:  etc/httpd/conf/httpd.conf:8\n');
    expect(stdout).toContain('>    8 |     Order deny,allow\n');
    expect(status).toBe(1);
  });

  test('that says nothing known', async () => {
    const source = memory(new Map([['/h.conf', SERVER]]));
    const { stderr, status } = await command(
      ['--explain', '[Sun Nov 22 10:00:00 2026] [notice] all is well', '/h.conf'],
      {},
      { source },
    );
    expect(stderr).toContain(
      'is no request, and no message that an upgrade from 2.2 is known to bring about',
    );
    expect(status).toBe(2);
  });

  test.each<[string, string | undefined]>([
    ['[Sun Nov 22 10:00:00 2026] [error] [client 2001:db8::1] x', '2001:db8::1'],
    ['[Sun Nov 22 10:00:00.1 2026] [core:error] [pid 1] [client 2001:db8::1:5000] x', '2001:db8::1'],
    ['[Sun Nov 22 10:00:00.1 2026] [core:notice] [pid 1] AH00094: x', undefined],
  ])('%s: the client', (line, client) => {
    expect(readLogLine(line)).toMatchObject({ kind: 'error', client });
  });
});

describe('what SetEnvIf makes of a request whose headers are known', () => {
  const server = `Listen 80
DocumentRoot /d
SetEnvIfNoCase Referer "^http://SHOP[.]test/" local
BrowserMatch ^Harvester bad
SetEnvIf X-Key secret keyed
<Directory /d>
    AllowOverride None
    Order deny,allow
    Deny from all
    Allow from env=local env=keyed
    SetEnvIf User-Agent Old !local
</Directory>
`;
  test.each([
    ['/a?referer=http://shop.test/x', 'admitted'],
    ['/a?referer=http://elsewhere.test/', 'forbidden'],
    ['/a?referer=http://shop.test/x&agent=Old', 'forbidden'],
    ['/a?env=local&agent=Old', 'admitted'],
    [
      '10.1.2.3 - - [22/Nov/2026:10:00:00 +0000] "GET /a HTTP/1.1" 200 1 "http://shop.test/" "New"',
      'admitted',
    ],
    ['10.1.2.3 - - [22/Nov/2026:10:00:00 +0000] "GET /a HTTP/1.1" 403 1 "-" "-"', 'forbidden'],
    [
      '[Sun Nov 22 10:00:00 2026] [error] [client 10.1.2.3] client denied by server configuration: /d/a, referer: http://shop.test/',
      'admitted',
    ],
  ])('%s: %s', async (request, answer) => {
    const { httpd22, httpd24, request: asked } = await explained(request, server);
    expect([httpd22.answer, httpd24.answer]).toEqual([answer, answer]);
    expect(asked.assumed).toContain(
      'keyed is not set by SetEnvIf X-Key at etc/httpd/conf/httpd.conf:5 (env=keyed if it is)',
    );
  });
});

test('the lines that decide are marked, and the sections beside them', async () => {
  const { httpd22, httpd24 } = await explained('http://shop.test/a');
  const file = 'etc/httpd/conf/httpd.conf';
  expect(httpd22.decidedBy).toEqual([{ file, lines: [33, 34, 35] }]);
  expect(httpd24.decidedBy).toEqual([{ file, lines: [expect.any(Number)] }]);
  const source = memory(new Map([['/etc/httpd/conf/httpd.conf', SERVER]]));
  const { stdout } = await command(
    ['--explain', 'http://shop.test/a', '/etc/httpd/conf/httpd.conf'],
    {},
    { source },
  );
  expect(stdout).toContain(`
  decided by etc/httpd/conf/httpd.conf:
        30      Allow from all
        31  </Directory>
    |   32  <Directory /srv/shop>
    >   33      Order deny,allow
    >   34      Deny from all
    >   35      Allow from 10.0.0.0/8
    |   36  </Directory>
`);
});

test.each([
  ['https://a/ ssl=off', 'the URL says whether ssl is on: it is on'],
  ['https:///x', 'the URL names no host'],
  ['http://a/ form=1', "unknown key 'form', did you mean 'from'?"],
])('%s: %s', async (request, message) => {
  const { stderr, status } = await command(
    ['--explain', request, '/h.conf'],
    {},
    { source: memory(new Map([['/h.conf', '']])) },
  );
  expect([stderr, status]).toEqual([
    `httpd-codemod: --explain '${request}': ${message} (see httpd-codemod --help)\n`,
    2,
  ]);
});
