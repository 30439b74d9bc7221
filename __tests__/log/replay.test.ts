import { convert } from '../../src';
import { AccessReplay } from '../../src/access/replay';
import { type ConfigTree, loadTree, memory } from '../../src/config';
import type { LogReport } from '../../src';
import { command } from '../../testing/run/command';
import { directory } from '../../testing/write/directory';
import { services } from '../../testing/run/services';
import { serverHead } from '../../testing/logs/server-head';

const HEAD = serverHead(
  [
    'authz_host',
    'auth_basic',
    'authn_file',
    'authz_user',
    'authz_groupfile',
    'setenvif',
    'rewrite',
    'alias',
    'dir',
  ],
  'Listen 443\nDirectoryIndex index.php\n',
);

const HOSTS = 'NameVirtualHost *:80\n';

/** A section that only its release of 2.2 tells whom it lets in: strictest form. */
const strictFor = (open: string, close: string): string =>
  `${open}\n    Order deny,allow\n    Deny from all\n    <IfVersion >= 2.2.15>\n        Allow from 10.0.0.0/8\n    </IfVersion>\n${close}\n`;

const STAFF = strictFor('<Directory /srv/www/staff>', '</Directory>');
const AUTH =
  '    AuthType Basic\n    AuthName x\n    AuthUserFile /etc/httpd/users\n    AuthGroupFile /etc/httpd/groups\n';

const line = (
  request: string,
  status: number,
  { client = '10.1.2.3', user = '-', agent = '-', before = '' } = {},
): string =>
  `${before}${client} - ${user} [01/Oct/2026:13:55:36 +0200] "${request} HTTP/1.1" ${status} 5 "-" "${agent}"\n`;

function treeOf(text: string): ConfigTree {
  const load = { defines: new Map<string, string>(), env: new Map<string, string>(), cwd: '/' };
  return loadTree(memory(new Map([['/etc/httpd/httpd.conf', text]])), ['/etc/httpd/httpd.conf'], load);
}

interface Asking {
  readonly config: string;
  readonly pinDefaults?: boolean;
  readonly name?: string;
  readonly htaccess?: Readonly<Record<string, string>>;
}

function counted(asking: Asking, ...lines: readonly string[]): LogReport {
  return countedBehind(HEAD, asking, ...lines);
}

function countedBehind(
  head: string,
  { config, pinDefaults = false, name = 'x.log', htaccess = {} }: Asking,
  ...lines: readonly string[]
): LogReport {
  const counter = convert(
    { '/etc/httpd/httpd.conf': head + config, ...htaccess },
    {
      pinDefaults,
      paths: ['/etc/httpd/httpd.conf', ...(Object.keys(htaccess).length > 0 ? ['/srv/www'] : [])],
    },
  ).countLogs();
  const log = counter.open(name);
  for (const text of lines) log.add(text);
  log.end();
  return counter.report();
}

test.each([
  ['a page of another directory', line('GET /public/a', 200), { same: 1 }],
  ['a page that only the strictest form refuses', line('GET /staff/a', 200), { refused: 1 }],
  ['a page that somebody else has refused', line('GET /staff/a', 403), { same: 1 }],
  ['dots and escapes', line('GET /public/%2e%2e/st%61ff/a', 200), { refused: 1 }],
  ['a directory without its slash', line('GET /staff', 301), { refused: 1 }],
  ['a request that httpd refuses as none', line('GET /staff/a', 400), { same: 1 }],
  ['a method that a program does not know', line('GET /staff/a', 501), { refused: 1 }],
  ['TRACE', line('TRACE /staff/a', 200), { same: 1 }],
  ['OPTIONS of the whole server', line('OPTIONS *', 200), { same: 1 }],
  ['a dot behind a slash, which is the directory', line('GET /staff/.', 200), { refused: 1 }],
  ['another URL with the same beginning', line('GET /staffing/a', 200), { same: 1 }],
])('%s', (_, text, expected) => {
  expect(counted({ config: STAFF }, text)).toMatchObject({ requests: 1, refused: 0, same: 0, ...expected });
});

describe('what the log does not show is settled by its status, or said', () => {
  const group = `<Directory /srv/www/team>\n${AUTH}    Require group staff\n</Directory>\n`;

  test('a group: whoever was served was in it', () => {
    const log = counted(
      { config: group },
      line('GET /team/a', 200, { user: 'alice' }),
      line('GET /team/a', 401, { user: 'alice' }),
      line('GET /team/a', 401),
    );
    expect(log).toMatchObject({ same: 3, unknown: 0, contradictions: [] });
  });

  test('a password that was wrong is none', () => {
    const config = `<Directory /srv/www/team>\n${AUTH}    Require user alice\n</Directory>\n`;
    expect(counted({ config }, line('GET /team/a', 401, { user: 'alice' }))).toMatchObject({
      same: 1,
      contradictions: [],
    });
    expect(counted({ config }, line('GET /team/a', 200, { user: 'mallory' })).contradictions).toMatchObject([
      { kind: 'let-in' },
    ]);
  });

  test('a name of a client: nothing contradicts that it was one that is let in', () => {
    const config =
      '<Directory /srv/www/near>\n    Order deny,allow\n    Deny from all\n    Allow from .example.test\n</Directory>\n';
    expect(counted({ config }, line('GET /near/a', 200), line('GET /near/a', 403))).toMatchObject({
      same: 2,
      contradictions: [],
    });
    const named = counted({ config }, line('GET /near/a', 200, { client: 'far.other.test' }));
    expect(named.contradictions).toMatchObject([{ kind: 'let-in', requests: 1 }]);
  });

  test('a variable of a header that the log has, and of one that it has not', () => {
    const config = (header: string): string =>
      `SetEnvIf ${header} "^Good" good\n<Directory /srv/www/good>\n    Order deny,allow\n    Deny from all\n    Allow from env=good\n</Directory>\n`;
    const lines = [
      line('GET /good/a', 200, { agent: 'Good/1' }),
      line('GET /good/a', 200, { agent: 'Bad/1' }),
    ];
    expect(counted({ config: config('User-Agent') }, ...lines).contradictions).toMatchObject([
      { requests: 1 },
    ]);
    expect(counted({ config: config('X-Secret') }, ...lines).contradictions).toEqual([]);
  });

  test('401 where nothing asks for a password', () => {
    expect(counted({ config: '' }, line('GET /a', 401)).contradictions).toMatchObject([{ kind: 'refused' }]);
  });
});

describe('what is not found', () => {
  const section = (lines: string, head = HEAD.replace(/Order.*\n.*all/, 'Require all granted')): ConfigTree =>
    treeOf(`${head}SetEnvIf X-Secret yes good\n<Directory /srv/www/shut>\n${lines}</Directory>\n`);
  const verdictOf = (before: ConfigTree, after: ConfigTree, status: number): string =>
    new AccessReplay(before, after).kindOf({
      path: '/shut/a',
      method: 'GET',
      client: '10.1.2.3',
      user: '',
      status,
      headers: new Map(),
      server: undefined,
    }).verdict;

  test('was looked for after somebody was let in', () => {
    const before = section(
      `${AUTH}    Require valid-user\n    Satisfy Any\n    Order deny,allow\n    Deny from all\n    Allow from env=good\n`,
      HEAD,
    );
    const after = section('    Require env good\n');
    expect(verdictOf(before, after, 404)).toBe('same');
    expect(verdictOf(before, after, 401)).toBe('otherwise');
  });

  test('is answered before where nobody is let in: an escaped slash', () => {
    const before = section('    Order deny,allow\n    Deny from all\n', HEAD);
    expect(verdictOf(before, section('    Require all granted\n'), 404)).toBe('same');
    expect(verdictOf(before, section('    Require all granted\n'), 403)).toBe('opened');
  });
});

describe('virtual hosts', () => {
  const hosts = `NameVirtualHost *:80
<VirtualHost *:80>
    ServerName open.test
    DocumentRoot /srv/open
    CustomLog logs/open-access_log combined
</VirtualHost>
<VirtualHost *:80>
    ServerName shut.test
    ServerAlias *.shut.test
    DocumentRoot /srv/www
    CustomLog "|/usr/sbin/rotatelogs logs/shut-access_log.%Y%m%d 86400" combined
</VirtualHost>
`;
  const config = hosts + STAFF;

  test.each([
    ['the name and port of the line', 'x.log', 'shut.test:80 ', 'refused'],
    ['another name', 'x.log', 'open.test:80 ', 'same'],
    ['the log of the host', 'logs/shut-access_log.20261001.gz', '', 'refused'],
    ['the log of another', '/var/log/open-access_log-20261001', '', 'same'],
    ['nothing', 'x.log', '', 'unknown'],
  ])('%s says which answers', (_, name, before, verdict) => {
    const log = counted({ config, name }, line('GET /staff/a', 200, { before }));
    expect(log).toMatchObject({ requests: 1, [verdict]: 1 });
  });
});

test('what stands in a virtual host of which the log has no request is excused by none', () => {
  const host = (name: string): string =>
    `<VirtualHost *:80>\n    ServerName ${name}.test\n    DocumentRoot /srv/${name}\n    CustomLog logs/${name}-access_log combined\n${strictFor(`<Directory /srv/${name}/staff>`, '</Directory>')}</VirtualHost>\n`;
  const config = `NameVirtualHost *:80\n${host('one')}${host('two')}`;
  const half = counted({ config, name: 'logs/one-access_log' }, line('GET /a', 200));
  expect(half).toMatchObject({ strict: 2, harmless: 1 });
  expect(half.notShown.join()).toContain('no request is known to be to two.test');
  const inBlock = `NameVirtualHost *:80\n${host('one')}<IfModule mod_alias.c>\n${host('two')}</IfModule>\n`;
  expect(counted({ config: inBlock, name: 'logs/one-access_log' }, line('GET /a', 200))).toMatchObject({
    strict: 2,
    harmless: 1,
  });
  const included = {
    config: `NameVirtualHost *:80\n${host('one')}<VirtualHost *:80>\nServerName two.test\nInclude two.conf\n</VirtualHost>\n`,
    htaccess: {
      '/etc/httpd/two.conf': host('two').replace(/.*VirtualHost.*\n|.*ServerName.*\n/g, ''),
      '/srv/www/.htaccess': '# none\n',
    },
  };
  expect(counted({ ...included, name: 'logs/one-access_log' }, line('GET /a', 200))).toMatchObject({
    strict: 2,
    harmless: 1,
  });
  // The twin: a log of both.
  const both = counted(
    { config },
    line('GET /a', 200, { before: 'one.test:80 ' }),
    line('GET /a', 200, { before: 'two.test:80 ' }),
  );
  expect(both).toMatchObject({ strict: 2, harmless: 2 });
  expect(both.notShown.join()).not.toContain('no request is known');
  // A log of which nothing says whose it is may be that of either.
  expect(counted({ config }, line('GET /a', 200))).toMatchObject({ strict: 2, harmless: 0 });
});

describe('a .htaccess is of the servers whose requests come to it', () => {
  const host = (name: string, more = ''): string =>
    `<VirtualHost *:80>\n    ServerName ${name}.test\n    DocumentRoot /srv/www/${name}\n${more}</VirtualHost>\n`;
  const open =
    '<Directory /srv/www>\n    AllowOverride All\n    Order allow,deny\n    Allow from all\n</Directory>\n';
  const served = open + HOSTS + host('one') + host('two');
  const to = (name: string, request: string, status = 200): string =>
    line(request, status, { before: `${name}.test:80 ` });

  test('none is excused by a log without a request to one of them', () => {
    const htaccess = { '/srv/www/two/staff/.htaccess': strictFor('<Files x.html>', '</Files>') };
    expect(counted({ config: served, htaccess }, to('one', 'GET /a'))).toMatchObject({
      strict: 1,
      harmless: 0,
    });
    expect(counted({ config: served, htaccess }, to('one', 'GET /a'), to('two', 'GET /a'))).toMatchObject({
      strict: 1,
      harmless: 1,
    });
    // The twin: another host leads there, too.
    const shared = open + HOSTS + host('one', '    Alias /staff /srv/www/two/staff\n') + host('two');
    expect(counted({ config: shared, htaccess }, to('one', 'GET /a'))).toMatchObject({
      strict: 1,
      harmless: 1,
    });
  });

  test('its findings count their requests alone', () => {
    const rule = 'RewriteEngine on\nRewriteRule ^find/(.*)$ search.html/$1\n';
    const htaccess = { '/srv/www/one/.htaccess': rule, '/srv/www/two/.htaccess': rule };
    const { concerns } = counted(
      { config: served, htaccess },
      to('one', 'GET /find/a%3Fb'),
      to('one', 'GET /find/c%3Fd'),
      to('two', 'GET /find/a%3Fb'),
    );
    const counts = concerns.map(({ file, requests }) => [file.path, requests]);
    expect(Object.fromEntries(counts)).toEqual({ '/srv/www/one/.htaccess': 2, '/srv/www/two/.htaccess': 1 });
  });

  test('a finding that is told once counts the requests to all servers', () => {
    const header = '    LoadModule headers_module modules/mod_headers.so\n';
    const config =
      header.trimStart() +
      open +
      HOSTS +
      host('one', '    Header set X-A b\n') +
      host('two', '    Header set X-A c\n');
    const { concerns } = counted({ config }, to('one', 'GET /a', 304), to('two', 'GET /a', 304));
    expect(concerns).toMatchObject([{ rule: 'header-not-modified', requests: 2 }]);
  });
});

describe('a request that is led elsewhere', () => {
  test('a redirect of mod_alias comes before access', () => {
    const config = `${STAFF}Redirect /staff/old http://www.test/new\n`;
    expect(counted({ config }, line('GET /staff/old/a', 302))).toMatchObject({ same: 1 });
    expect(counted({ config }, line('GET /staff/a', 302))).toMatchObject({ refused: 1 });
  });

  test('is told to be compared at its own URL where it was refused, too', () => {
    const lines = [line('GET /~ann/a', 403), line('GET /~ann/b', 401), line('GET /~ann/c', 404)];
    const { notShown } = counted({ config: 'UserDir /srv/people\n' }, ...lines);
    expect(notShown.filter((text) => text.includes('at their own URL'))).toEqual([
      expect.stringContaining('2 requests'),
    ]);
  });

  test.each([
    ['AliasMatch', 'AliasMatch ^/old(.*)$ /srv/www$1\n', 'GET /old/staff/a'],
    ['UserDir', 'UserDir /srv/www/staff\n', 'GET /~ann/a'],
  ])('%s keeps sections to which it may lead from being excused', (_, way, request) => {
    expect(counted({ config: STAFF + way }, line(request, 200))).toMatchObject({
      strict: 1,
      harmless: 0,
      notShown: expect.arrayContaining([expect.stringContaining('AliasMatch or the like')]),
    });
    expect(counted({ config: STAFF + way }, line('GET /news/a', 200))).toMatchObject({
      strict: 1,
      harmless: 1,
    });
  });

  test('a RewriteRule of the server keeps its sections from being excused', () => {
    const config = `${STAFF}RewriteEngine on\nRewriteRule ^/go/(.*)$ /staff/$1\n`;
    expect(counted({ config }, line('GET /public/a', 200))).toMatchObject({ strict: 1, harmless: 1 });
    expect(counted({ config }, line('GET /go/a', 200))).toMatchObject({ strict: 1, harmless: 0 });
  });

  test('a rule of a directory leads on to another section', () => {
    const config = `<Directory /srv/www>\n    Options FollowSymLinks\n    RewriteEngine on\n    RewriteRule . index.php\n</Directory>\n${strictFor('<Files index.php>', '</Files>')}`;
    expect(counted({ config }, line('GET /pretty/url', 200))).toMatchObject({ harmless: 0 });
    // The twin: what is answered from elsewhere never comes to it.
    expect(counted({ config }, line('GET /pretty/url', 404))).toMatchObject({ refused: 0 });
  });

  test('an index file of a directory is asked about too', () => {
    const config = strictFor('<Files index.php>', '</Files>');
    expect(counted({ config }, line('GET /a/', 200))).toMatchObject({ harmless: 0 });
    expect(counted({ config }, line('GET /a/b.html', 200))).toMatchObject({ harmless: 1 });
  });

  test('a program with a path behind its name', () => {
    const config = strictFor('<Files app.php>', '</Files>');
    expect(counted({ config }, line('GET /app.php/a/b', 200))).toMatchObject({ harmless: 0 });
  });
});

test('rules count the requests that they are about', () => {
  const config =
    'RewriteEngine on\nRewriteRule ^/find/(.*)$ /search.html/$1\nRewriteRule ^/q/(.*)$ /search.cgi?q=$1 [PT]\n';
  const log = counted(
    { config },
    line('GET /find/a%3Fb', 200),
    line('GET /find/a?b', 200),
    line('GET /q/a%20b', 200),
    line('GET /q/ab', 200),
  );
  expect(Object.fromEntries(log.concerns.map(({ rule, requests }) => [rule, requests]))).toEqual({
    'rewrite-rule-question-mark': 1,
    'rewrite-rule-unsafe': 1,
  });
});

test('requests that a rule keeps as they were are none that anybody will notice', () => {
  const config =
    '<Directory /srv/www>\n    AllowOverride None\n    Order allow,deny\n    Allow from all\n</Directory>\n';
  const head = HEAD.replace('    Options None\n', '');
  const rulesOf = (pinDefaults: boolean): readonly string[] =>
    countedBehind(head, { config, pinDefaults }, line('GET /a/?C=M;O=A', 200)).concerns.map(
      ({ rule }) => rule,
    );
  expect(rulesOf(false)).toContain('options-unset');
  expect(rulesOf(true)).not.toContain('options-unset');
});

describe('a rule that can tell from a request counts those that it is about', () => {
  const proxy =
    'LoadModule proxy_module modules/mod_proxy.so\nLoadModule proxy_http_module modules/mod_proxy_http.so\nProxyPass /app http://127.0.0.1:8080/app\n';

  test.each([
    [
      'options-unset',
      'LoadModule autoindex_module modules/mod_autoindex.so\nAddHandler cgi-script .cgi\n',
      ['GET /pub/?C=M;O=A', 'GET /a.cgi'],
      ['GET /pub/', 'GET /a.html?C=x'],
    ],
    ['regex-default-options-unset', 'RedirectMatch ^/a(.*)$ /b$1\n', ['GET /a%0Ab'], ['GET /a%20b']],
    [
      'rewrite-redirect-query',
      'RewriteEngine on\nRewriteRule ^/r/(.*)$ /s/$1 [R=301]\n',
      ['GET /r/a?b=%20 301'],
      ['GET /r/a?b=1 301', 'GET /r/a?b=%20 200'],
    ],
    [
      'header-not-modified',
      'LoadModule headers_module modules/mod_headers.so\nHeader set X-A b\n',
      ['GET /a 304'],
      ['GET /a 200'],
    ],
    [
      'error-document-502',
      `${proxy.replace('127.0.0.1', 'app.example.org')}ErrorDocument 502 /502.html\n`,
      ['GET /app/a 502'],
      ['GET /app/a 503'],
    ],
    [
      'by-type-status',
      `LoadModule deflate_module modules/mod_deflate.so\n${proxy}AddOutputFilterByType DEFLATE text/html\n`,
      ['GET /app/a 404'],
      ['GET /app/a 200', 'GET /app/a 304'],
    ],
    [
      'expires-on-errors',
      `LoadModule expires_module modules/mod_expires.so\n${proxy}ExpiresActive On\nExpiresDefault "access plus 1 day"\n`,
      ['GET /app/a 500'],
      ['GET /app/a 302'],
    ],
    ['redirect-incomplete', 'RedirectMatch ^/wiki/ elsewhere/\n', ['GET /wiki/a 302'], ['GET /other']],
  ])('%s', (rule, lines, about, others) => {
    const config =
      rule === 'options-unset' ? lines : `${lines}<Directory /srv>\n    Options None\n</Directory>\n`;
    const all = [...about, ...others].map((text) => {
      const [, request = '', status = '200'] = /^(.*?)(?: ([0-9]{3}))?$/.exec(text)!;
      return line(request, Number(status));
    });
    const head = rule === 'options-unset' ? HEAD.replace('    Options None\n', '') : HEAD;
    const { concerns } = countedBehind(head, { config }, ...all);
    expect(concerns.filter((concern) => concern.rule === rule).map(({ requests }) => requests)).toEqual([
      about.length,
    ]);
  });
});

test('nearly all requests from one address are told to come by a proxy', () => {
  const lines = Array.from({ length: 2000 }, (_, i) =>
    line('GET /', 200, { client: i % 50 === 0 ? `192.0.2.${i % 200}` : '10.0.0.1' }),
  );
  expect(counted({ config: '' }, ...lines).notShown.join()).toContain(
    'nearly all requests come from one address',
  );
  const spread = lines.map((_, i) => line('GET /', 200, { client: `10.0.${i % 200}.1` }));
  expect(counted({ config: '' }, ...spread).notShown.join()).not.toContain('one address');
});

test('a reading that was stopped tells what it has read', async () => {
  const text = line('GET /', 200).repeat(20_000);
  const cwd = directory({ 'httpd.conf': HEAD, 'a.log': text, 'b.log': text });
  let pieces = 0;
  const { readLogs } = jest.requireActual<typeof import('../../src/log/stream')>('../../src/log/stream');
  const { stderr } = await command(
    ['httpd.conf', '--no-config', '--log', 'a.log', 'b.log'],
    { cwd },
    {
      ...services,
      readLogs: (paths, sink, reading) =>
        readLogs(paths, sink, { ...reading, isStopped: () => pieces++ > 4 }),
    },
  );
  expect(stderr).toMatch(/Log: of the first [0-9,]+ requests of 2026-10-01/);
  expect(stderr).toContain('the reading was stopped');
});

describe('clients are told apart by the ranges that lines ask for', () => {
  const lines = [
    '10.0.0.1',
    '10.255.255.255',
    '11.0.0.0',
    '9.255.255.255',
    '127.0.0.1',
    '::1',
    '2001:db8::1',
  ];
  const asked = lines.map((client) => line('GET /staff/a', 200, { client }));
  const near = strictFor('<Directory /srv/www/staff>', '</Directory>');
  const staffed = (inside: string): string =>
    `<Directory /srv/www/staff>\n    Order deny,allow\n    Deny from all\n${inside}</Directory>\n`;

  test('inside of a range, at its edges and beyond', () => {
    expect(counted({ config: near }, ...asked, ...asked)).toMatchObject({
      refused: 4,
      contradictions: [{ requests: 10 }],
    });
  });

  test('ranges of both families, and more of them than are looked for one by one', () => {
    const some = staffed('    Allow from 10.0.0.0/8 2001:db8::/32 ::1\n');
    expect(counted({ config: some }, ...asked).contradictions).toMatchObject([
      { kind: 'let-in', requests: 3 },
    ]);
    const many = Array.from(
      { length: 300 },
      (_, i) => `    Allow from 172.${16 + (i >> 8)}.0.${i % 256}/32\n`,
    );
    const all = staffed(many.join('') + '    Allow from 10.0.0.0/8\n');
    expect(counted({ config: all }, ...asked).contradictions).toMatchObject([
      { kind: 'let-in', requests: 5 },
    ]);
  });

  test('a variable that looks at the address itself', () => {
    const config = `SetEnvIf Remote_Addr "^10[.]0[.]0[.]1$" one\n${staffed('    Allow from env=one\n')}`;
    expect(counted({ config }, ...asked).contradictions).toMatchObject([{ kind: 'let-in', requests: 6 }]);
  });

  test('the names of clients, which no range has', () => {
    const named = ['a.example.test', 'b.other.test'].map((client) => line('GET /staff/a', 200, { client }));
    const config = staffed('    Allow from .example.test\n');
    expect(counted({ config }, ...named).contradictions).toMatchObject([{ kind: 'let-in', requests: 1 }]);
  });
});

describe('a block that refuses the files of a handler that is gone', () => {
  const config = 'LoadModule php5_module modules/libphp5.so\nAddHandler php5-script .php\n';
  const page = line('GET /a.html', 200);

  test('is harmless for a log that asks for none of them', () => {
    expect(counted({ config: `${config}DirectoryIndex index.html\n` }, page)).toMatchObject({
      strict: 1,
      harmless: 1,
    });
  });

  test.each([
    ['one of them', '', line('GET /x.php', 200)],
    ['a path behind one of them', '', line('GET /x.php/a', 404)],
    ['a directory whose index file is one of them', '', line('GET /', 200)],
    ['a URL that a rule may lead there', 'RewriteEngine on\nRewriteRule ^/a /x\n', page],
    ['an error page that may be one of them', 'ErrorDocument 404 /x.php\n', page],
    ['a name that httpd completes', '<Directory /srv/www/m>\n    Options MultiViews\n</Directory>\n', page],
    ['an action', 'Action text/html /x.php\n', page],
    ['an alias of one of them', 'Alias /shop /srv/shop/index.php\n', line('GET /shop', 200)],
  ])('is not for one that asks for %s', (_, more, asked) => {
    expect(counted({ config: config + more }, asked)).toMatchObject({ strict: 1, harmless: 0 });
  });

  test('the settings of PHP that a pool has not are not excused: without them it may do more', () => {
    const { findings, countLogs } = convert(
      {
        '/etc/httpd/httpd.conf': `${HEAD}${config}<Directory /srv/www/up>\n    php_admin_value open_basedir /srv/www/up\n</Directory>\n`,
      },
      { answers: [{ key: 'php', choice: 'fpm:/run/php.sock', value: true, reason: '' }] },
    );
    const counter = countLogs();
    const log = counter.open('a.log');
    log.add(line('GET /a.html', 200));
    log.end();
    expect(findings.some(({ rule, safety }) => rule === 'php-settings' && safety === 'review')).toBe(true);
    expect(counter.report().harmless).toBe(0);
  });
});
