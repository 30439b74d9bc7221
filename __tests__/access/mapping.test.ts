import { collect } from '../../src/access/collect';
import { type UrlMapping, directoriesReached, urlsMatching } from '../../src/access/mapping';
import { PathList } from '../../src/access/primitives';
import { loadTree, memory } from '../../src/config';
import type { Section } from '../../src/syntax';
import { convertFiles, textAfter } from '../../testing/run/convert';

const LISTED = new PathList([
  '/',
  '/home',
  '/home/bob/www',
  '/home/bob/public_html',
  '/srv',
  '/srv/a',
  '/srv/a/x',
  '/srv/b',
  '/srv/hosts/h1/docs',
  '/srv/hosts/h1/logs',
  '/srv/app/private',
]);

/** The listed directories whose sections can be the last for a request below a URL, to the first virtual host if there is one. */
function reached(text: string, url = ''): readonly string[] {
  const { mapping, vhost } = mappingOf(text);
  return directoriesReached(LISTED, mapping.targetsFrom(vhost, { kind: 'path', path: url })).toSorted();
}

function mappingOf(text: string): { mapping: UrlMapping; vhost: Section | undefined } {
  const named = LISTED.all.map((path) => `<Directory ${path}>\nAllowOverride None\n</Directory>\n`).join('');
  const source = memory(new Map([['/httpd.conf', `Listen 80\n${text}\n${named}`]]));
  const tree = loadTree(source, ['/httpd.conf'], { cwd: '/', defines: new Map(), env: new Map() });
  const { mapping } = collect(tree);
  const vhost = mapping.hostsExcept(new Set()).find((host) => host !== undefined);
  return { mapping, vhost };
}

test.each([
  ['DocumentRoot /srv/a', '', ['/srv/a', '/srv/a/x']],
  ['DocumentRoot /srv/a', '/x', ['/srv/a/x']],
  ['DocumentRoot /srv/a', '/y', ['/srv/a']],
  ['DocumentRoot /srv/a\nAlias /b /srv/b', '/y', ['/srv/a']],
  ['DocumentRoot /srv/a\nAlias /b /srv/b', '/b/c', ['/srv/a', '/srv/b']],
  // Of a pattern only the beginnings are known.
  [
    'DocumentRoot /srv/a\nAliasMatch ^/(h|i)/(.*) /srv/hosts/$1/docs',
    '/i',
    ['/srv', '/srv/a', '/srv/hosts/h1/docs', '/srv/hosts/h1/logs'],
  ],
  ['DocumentRoot /srv/a\nAliasMatch ^/(h|i)/(.*) /srv/hosts/$1/docs', '/j', ['/srv/a']],
  ['DocumentRoot /srv/a\nAliasMatch ^/h/(.*) /srv/hosts/$1/docs', '/y', ['/srv/a']],
  [
    'DocumentRoot /srv/a\nAliasMatch ^/h/(.*) /srv/hosts/$1/docs',
    '/h/1',
    ['/srv', '/srv/a', '/srv/hosts/h1/docs', '/srv/hosts/h1/logs'],
  ],
  ['DocumentRoot /srv/a\nUserDir /home/*/www', '/server-status', ['/srv/a']],
  ['DocumentRoot /srv/a\nUserDir /home/*/www', '/~bob', ['/home', '/home/bob/www', '/srv/a']],
  ['DocumentRoot /srv/a\nUserDir /home/*/www\nUserDir disabled', '/~bob', ['/srv/a']],
  [
    'DocumentRoot /srv/a\nUserDir /home/*/www\nUserDir disabled\nUserDir enabled bob',
    '/~bob',
    ['/home', '/home/bob/www', '/srv/a'],
  ],
  // Only UserDir itself is disabled.
  [
    'DocumentRoot /srv/a\nUserDir disabled\nAliasMatch ^/~([a-z]+)(/.*)?$ /home/bob/www/$2',
    '/~bob',
    ['/home/bob/www', '/srv/a'],
  ],
  ['DocumentRoot /srv/a\nUserDir disabled root', '/~bob', ['/srv/a']],
  // A home may be anywhere but in what is served otherwise.
  [
    'DocumentRoot /srv/a\nUserDir public_html',
    '/~bob',
    LISTED.all.filter((path) => path !== '/srv/a/x').toSorted(),
  ],
  [
    'DocumentRoot /srv/a\nVirtualDocumentRoot /srv/hosts/%0/docs',
    '',
    ['/srv', '/srv/a', '/srv/a/x', '/srv/hosts/h1/docs'],
  ],
  // What follows in the URL follows in each of its directories.
  [
    'DocumentRoot /srv/a\nVirtualDocumentRoot /srv/hosts/%0',
    '/docs',
    ['/srv', '/srv/a', '/srv/hosts/h1/docs'],
  ],
  ['DocumentRoot /srv/a\nRewriteRule ^/p/(.*) /srv/app/private/$1', '/y', ['/srv/a']],
  ['DocumentRoot /srv/a\nRewriteRule ^/p/(.*) /srv/app/private/$1', '/p', ['/srv/a', '/srv/app/private']],
  // A rule sees what the rule before it has made.
  [
    'DocumentRoot /srv/a\nRewriteRule ^/q/(.*) /p/$1\nRewriteRule ^/p/(.*) /srv/app/private/$1',
    '/q',
    ['/srv/a', '/srv/app/private'],
  ],
  ['DocumentRoot /srv/a\nRewriteRule ^/y(.*) /x$1', '/y', ['/srv/a', '/srv/a/x']],
  ['DocumentRoot /srv/a\nAlias /b /srv/b\nRewriteRule ^/y/(.*) /b/$1 [PT]', '/y', ['/srv/a', '/srv/b']],
  // A query is no part of the file's name.
  ['DocumentRoot /srv/a\nRewriteRule ^/y$ /x?id=1', '/y', ['/srv/a', '/srv/a/x']],
  // A ServerPath is taken off.
  ['DocumentRoot /srv/a\nServerPath /y', '/y/x', ['/srv/a', '/srv/a/x']],
  ['DocumentRoot /srv/a\nServerPath /y/', '/y/b', ['/srv/a']],
  // What is not followed may lead anywhere.
  [
    'DocumentRoot /srv/a\nRewriteRule ^/p/(.*) /srv/b/$1 [L]\nRewriteRule ^/y/(.*) /p/$1 [N]',
    '/y',
    LISTED.all.toSorted(),
  ],
  [
    'DocumentRoot /srv/a\nRewriteRule ^/y(.*) p$1\nRewriteRule ^/?p(.*) /srv/b$1',
    '/y',
    LISTED.all.toSorted(),
  ],
  ['DocumentRoot /srv/a\nRewriteRule ^/y/(.*) /q\\/$1', '/y', LISTED.all.toSorted()],
  ['DocumentRoot /srv/a\nAliasMatch ^/y(.*) /srv/a/..$1', '/y', LISTED.all.toSorted()],
  [
    'DocumentRoot /srv/a\nAliasMatch ^/y(.*) /srv/app/private/$1',
    '/y',
    ['/srv', '/srv/a', '/srv/app/private'],
  ],
  // A piece of what the client asks for may begin with two dots.
  ...[
    'AliasMatch ^/y/a(.*)b(.*) /srv/b/$1$2',
    'RewriteRule ^/y(.*) /srv/b/$1',
    'RewriteRule ^/y/([^/]*)-(.*) /srv/b/$1/$2',
    'RewriteCond %{QUERY_STRING} p=(.*)\nRewriteRule ^/y /srv/b/%1',
    'RewriteCond %{HTTP_HOST} .\nRewriteCond %{HTTP:X-Name} (.*)\nRewriteRule ^/y /srv/b/%1',
    'RewriteRule ^/y /srv/b/%{HTTP:X-Name}/f',
    'RewriteMap un int:unescape\nRewriteRule ^/y/(.*) /srv/b/${un:$1}',
  ].map((line): [string, string, string[]] => [`DocumentRoot /srv/a\n${line}`, '/y', LISTED.all.toSorted()]),
  // Whole parts of a path do not, nor what has no dots, nor a host.
  ...[
    'AliasMatch ^/y(/.*)?$ /srv/b/f$1',
    'AliasMatch ^/y(?:/(?:de|en))?(/.*)?$ /srv/b/$1',
    'AliasMatch ^/y([^/]*)/(.*) /srv/b/a$1',
    'RewriteRule ^/y/([^/]+)/(.*)$ /srv/b/$1/$2',
    'RewriteRule ^/y([a-z0-9_-]+)(/[^.]*) /srv/b/$1$2',
    'RewriteCond %{HTTP_HOST} ^(.*)\\.example\nRewriteRule ^/y(/.*) /srv/b/%1$1',
    'RewriteCond %{REQUEST_URI} ^/y/(.*)\nRewriteRule . /srv/b/%1',
    'RewriteCond %{QUERY_STRING} p=([0-9]+)\nRewriteRule ^/y /srv/b/%1?p=%2',
    'RewriteMap low int:tolower\nRewriteRule ^/y/(.*) /srv/b/${low:%{HTTP_HOST}}/$1',
  ].map((line): [string, string, string[]] => [`DocumentRoot /srv/a\n${line}`, '/y', ['/srv/a', '/srv/b']]),
  // A URL of the server itself is looked up as its path.
  ['DocumentRoot /srv/a\nRewriteRule ^/y/(.*) http://h.example/x/$1', '/y', ['/srv/a', '/srv/a/x']],
  [
    'DocumentRoot /srv/a\nRewriteRule ^/y$ /opt/x/f [L]\n<DirectoryMatch "^/opt/x">\nRequire user a\n</DirectoryMatch>',
    '/y',
    ['/', '/srv/a'],
  ],
  ['DocumentRoot /srv/a\nRewriteRule ^/y(.*) - [F]', '/y', ['/srv/a']],
  ['DocumentRoot /srv/a\nRewriteRule ^/y(.*) /x$1 [R=301]', '/y', ['/srv/a']],
  // What is redirected is never a file, as long as no rule makes a path of its URL.
  [
    'DocumentRoot /srv/a\nRewriteRule ^(.*) https://h.example/ [R]\nRewriteRule ^(.*) https://i.example$1 [R]',
    '/y',
    ['/srv/a'],
  ],
  [
    'DocumentRoot /srv/a\nRewriteRule ^(.*) https://h.example/ [R]\nRewriteRule ^(.*) http://i.example$1',
    '/y',
    LISTED.all.toSorted(),
  ],
  ['DocumentRoot /srv/a\nRewriteRule ^/y(.*) $1', '/y', LISTED.all.toSorted()],
  // No DocumentRoot is httpd's own, which is nobody's.
  [
    '<VirtualHost *:80>\nServerName a\nAlias /b /srv/b\n</VirtualHost>\nDocumentRoot /srv/a',
    '/b',
    ['/srv/a', '/srv/b'],
  ],
  ['DocumentRoot ${NOWHERE}', '', LISTED.all.toSorted()],
])('%s: requests below "%s" come to %j', (text, url, directories) => {
  expect(reached(text, url)).toEqual(directories);
});

test.each([
  ['Listen 80\n<VirtualHost *:80>\n</VirtualHost>', false],
  ['Listen 80\nListen 443\n<VirtualHost *:80>\n</VirtualHost>', true],
  [
    'Listen 80\nListen 443\n<VirtualHost *:80>\n</VirtualHost>\n<VirtualHost _default_:443>\n</VirtualHost>',
    false,
  ],
  ['Listen 80\n<VirtualHost *>\n</VirtualHost>', false],
  ['Listen 80\n<VirtualHost 10.0.0.1:80>\n</VirtualHost>', true],
  ['Listen 10.0.0.1:80\n<VirtualHost 10.0.0.1:80>\n</VirtualHost>', false],
  ['Listen 80\n<IfDefine X>\n<VirtualHost *:80>\n</VirtualHost>\n</IfDefine>', true],
  ['Listen 80', true],
])('%j: the main server answers requests: %s', (text, expected) => {
  const source = memory(new Map([['/httpd.conf', `${text}\nDocumentRoot /srv/a\n`]]));
  const tree = loadTree(source, ['/httpd.conf'], { cwd: '/', defines: new Map(), env: new Map() });
  expect(collect(tree).mapping.reachesMain).toBe(expected);
});

test.each([
  ['DocumentRoot /srv\nAlias /x /srv/a', '/srv/a/f', ['/x/f', '/a/f']],
  ['DocumentRoot /srv\nAlias /x /srv/a\nAlias /y /srv/a', '/srv/a/f', ['/x/f', '/y/f', '/a/f']],
  // A URL that leads elsewhere is none of the file.
  ['DocumentRoot /srv\nAlias /a /srv/b', '/srv/b/f', ['/a/f', '/b/f']],
  ['DocumentRoot /srv\nAlias /a /srv/b\nAlias /x /srv/a', '/srv/a/f', ['/x/f']],
  ['DocumentRoot /srv/a\nAlias /x /srv/b', '/srv/c/f', []],
  ['VirtualDocumentRoot /srv/%0/docs\nAlias /x /srv/h/docs/y', '/srv/h/docs/y/f', ['/y/f', '/x/f']],
])('%j: the URLs of %s are %j', (text, filename, urls) => {
  const source = memory(new Map([['/httpd.conf', `Listen 80\n${text}\n`]]));
  const tree = loadTree(source, ['/httpd.conf'], { cwd: '/', defines: new Map(), env: new Map() });
  expect(collect(tree).mapping.urlsOf(undefined, filename)).toEqual(urls);
});

test.each([
  ['^/(x|y)(/|$)', ['/srv/a', '/srv/a/x']],
  ['^/x$', ['/srv/a/x']],
  ['^/x/', ['/srv/a/x']],
  ['^/(?i)x', ['/srv/a', '/srv/a/x']],
  ['(?i)^/X/f', ['/srv/a', '/srv/a/x']],
  ['^/y', ['/srv/a']],
  ['^/b/c', ['/srv/a', '/srv/b']],
  ['^/(b|y)', ['/srv/a', '/srv/b']],
  ['^/~', ['/home', '/home/bob/www', '/srv/a']],
  ['x', ['/home', '/home/bob/www', '/srv/a', '/srv/a/x', '/srv/b']],
])('requests for URLs that match %s come to %j', (regex, directories) => {
  const { mapping, vhost } = mappingOf('DocumentRoot /srv/a\nAlias /b /srv/b\nUserDir /home/*/www');
  expect(directoriesReached(LISTED, mapping.targetsFromAll([vhost], urlsMatching(regex))).toSorted()).toEqual(
    directories,
  );
});

/** What a Location says to requests of a program that mod_wsgi runs beside pages that anybody may see. */
test.each([
  ['/app', 'WSGIScriptAlias /app /srv/app/main.wsgi'],
  ['/', 'WSGIScriptAlias / /srv/app/main.wsgi'],
  ['/app', 'WSGIScriptAliasMatch ^/app /srv/app/main.wsgi'],
])('a program of mod_wsgi at %s is not let in for the sake of what lies beside it', (url, line) => {
  const conf = `Listen 80
DocumentRoot /srv/www
${line}
Alias /app/ui /srv/ui
<Directory />
    AllowOverride None
</Directory>
<Directory /srv/www>
    Order allow,deny
    Allow from all
</Directory>
<Directory /srv/ui>
    Satisfy Any
    Order allow,deny
    Allow from all
</Directory>
<Location ${url}>
    AuthType Basic
    AuthName x
    AuthUserFile /srv/users
    Require valid-user
</Location>
`;
  const result = convertFiles({ '/etc/httpd.conf': conf });
  const text = textAfter(result, '/etc/httpd.conf')!;
  expect(text.split('AuthUserFile /srv/users\n')[1]).toBe(
    '    Require expr %{REQUEST_FILENAME} =~ m#^/srv/ui(/|$)#\n    Require valid-user\n</Location>\n',
  );
});

test('an Alias leads past a program of mod_wsgi, wherever their lines stand', () => {
  const { mapping, vhost } = mappingOf(
    'DocumentRoot /srv/a\nWSGIScriptAlias / /srv/app/main.wsgi\nAlias /ui /srv/b',
  );
  expect(mapping.fileOf(vhost, '/ui/x')?.filename).toBe('/srv/b/x');
  expect(mapping.fileOf(vhost, '/x')).toMatchObject({
    filename: '/srv/app/main.wsgi/x',
    by: 'WSGIScriptAlias /',
  });
});
