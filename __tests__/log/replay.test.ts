import { convert } from '../../src';
import type { LogReport } from '../../src';
import { command } from '../../testing/run/command';
import { directory } from '../../testing/write/directory';
import { services } from '../../testing/run/services';

const HEAD = `ServerRoot /etc/httpd
Listen 80
Listen 443
LoadModule authz_host_module modules/mod_authz_host.so
LoadModule auth_basic_module modules/mod_auth_basic.so
LoadModule authn_file_module modules/mod_authn_file.so
LoadModule authz_user_module modules/mod_authz_user.so
LoadModule authz_groupfile_module modules/mod_authz_groupfile.so
LoadModule setenvif_module modules/mod_setenvif.so
LoadModule rewrite_module modules/mod_rewrite.so
LoadModule alias_module modules/mod_alias.so
LoadModule dir_module modules/mod_dir.so
DocumentRoot /srv/www
DirectoryIndex index.php
<Directory />
    AllowOverride None
    Options None
    Order allow,deny
    Allow from all
</Directory>
`;

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

interface Asking {
  readonly config: string;
  readonly name?: string;
  readonly htaccess?: Readonly<Record<string, string>>;
}

function counted({ config, name = 'x.log', htaccess = {} }: Asking, ...lines: readonly string[]): LogReport {
  const counter = convert(
    { '/etc/httpd/httpd.conf': HEAD + config, ...htaccess },
    { paths: ['/etc/httpd/httpd.conf', ...(Object.keys(htaccess).length > 0 ? ['/srv/www'] : [])] },
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
  ['TRACE', line('TRACE /staff/a', 200), { same: 1 }],
  ['OPTIONS of the whole server', line('OPTIONS *', 200), { same: 1 }],
  ['another URL with the same beginning', line('GET /staffing/a', 200), { same: 1 }],
])('%s', (_, text, expected) => {
  expect(counted({ config: STAFF }, text)).toMatchObject({ requests: 1, refused: 0, same: 0, ...expected });
});

describe('what the log does not show is settled by its status, or said', () => {
  const group = `<Directory /srv/www/team>\n${AUTH}    Require group staff\n</Directory>\n`;

  test('a group: whoever was served was in it', () => {
    const log = counted({ config: group }, line('GET /team/a', 200, { user: 'alice' }), line('GET /team/a', 401, { user: 'alice' }), line('GET /team/a', 401)); // prettier-ignore
    expect(log).toMatchObject({ same: 3, unknown: 0, contradictions: [] });
  });

  test('a password that was wrong is none', () => {
    const config = `<Directory /srv/www/team>\n${AUTH}    Require user alice\n</Directory>\n`;
    expect(counted({ config }, line('GET /team/a', 401, { user: 'alice' }))).toMatchObject({ same: 1, contradictions: [] }); // prettier-ignore
    expect(counted({ config }, line('GET /team/a', 200, { user: 'mallory' })).contradictions).toMatchObject([{ kind: 'let-in' }]); // prettier-ignore
  });

  test('a name of a client: nothing contradicts that it was one that is let in', () => {
    const config = '<Directory /srv/www/near>\n    Order deny,allow\n    Deny from all\n    Allow from .example.test\n</Directory>\n'; // prettier-ignore
    expect(counted({ config }, line('GET /near/a', 200), line('GET /near/a', 403))).toMatchObject({ same: 2, contradictions: [] }); // prettier-ignore
    const named = counted({ config }, line('GET /near/a', 200, { client: 'far.other.test' }));
    expect(named.contradictions).toMatchObject([{ kind: 'let-in', requests: 1 }]);
  });

  test('a variable of a header that the log has, and of one that it has not', () => {
    const config = (header: string): string => `SetEnvIf ${header} "^Good" good\n<Directory /srv/www/good>\n    Order deny,allow\n    Deny from all\n    Allow from env=good\n</Directory>\n`; // prettier-ignore
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

describe('a request that is led elsewhere', () => {
  test('a redirect of mod_alias comes before access', () => {
    const config = `${STAFF}Redirect /staff/old http://www.test/new\n`;
    expect(counted({ config }, line('GET /staff/old/a', 302))).toMatchObject({ same: 1 });
    expect(counted({ config }, line('GET /staff/a', 302))).toMatchObject({ refused: 1 });
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
  const config = 'RewriteEngine on\nRewriteRule ^/find/(.*)$ /search.html/$1\nRewriteRule ^/q/(.*)$ /search.cgi?q=$1 [PT]\n'; // prettier-ignore
  const log = counted({ config }, line('GET /find/a%3Fb', 200), line('GET /find/a?b', 200), line('GET /q/a%20b', 200), line('GET /q/ab', 200)); // prettier-ignore
  expect(Object.fromEntries(log.concerns.map(({ rule, requests }) => [rule, requests]))).toEqual({ 'rewrite-rule-question-mark': 1, 'rewrite-rule-unsafe': 1 }); // prettier-ignore
});

test('nearly all requests from one address are told to come by a proxy', () => {
  const lines = Array.from({ length: 2000 }, (_, i) => line('GET /', 200, { client: i % 50 === 0 ? `192.0.2.${i % 200}` : '10.0.0.1' })); // prettier-ignore
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
  const { stderr } = await command(['httpd.conf', '--no-config', '--log', 'a.log', 'b.log'], { cwd }, {
    ...services,
    readLogs: (paths, sink, reading) => readLogs(paths, sink, { ...reading, isStopped: () => pieces++ > 4 }),
  });
  expect(stderr).toMatch(/Log: of the first [0-9,]+ requests of 2026-10-01/);
  expect(stderr).toContain('the reading was stopped');
}); // prettier-ignore

test('a wide log takes time in proportion to its lines', () => {
  const config = Array.from({ length: 60 }, (_, i) => `<LocationMatch "^/a${i}/.*x$">\n    Order deny,allow\n    Deny from all\n    Allow from 10.${i}\n</LocationMatch>\n`).join(''); // prettier-ignore
  const timeFor = (count: number): number => {
    const lines = Array.from({ length: count }, (_, i) => line(`GET /a${i % 60}/${i}x`, 200, { client: `10.${i % 60}.0.${i % 250}` })); // prettier-ignore
    const begin = performance.now();
    expect(counted({ config }, ...lines).requests).toBe(count);
    return performance.now() - begin;
  };
  timeFor(500);
  expect(timeFor(16_000) / timeFor(4000)).toBeLessThan(10);
});
