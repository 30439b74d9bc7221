import fs from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { memory, loadRereadable } from '../../src/config';
import { disk } from '../../src/config/source/disk';
import type { FileSource } from '../../src/config/types';
import { type RunResult, run } from '../../src/engine';
import { transforms } from '../../transforms';

const PASSWORD = 'AuthType Basic\nAuthName x\nAuthUserFile /etc/users\nRequire valid-user\n';
const DENY = 'Order deny,allow\nDeny from all\nAllow from 10.1\n';

function convert(source: FileSource, paths: string[], dual = false): RunResult {
  const options = { defines: new Map<string, string>(), env: new Map<string, string>(), cwd: '/' };
  return run(loadRereadable(source, paths, options), transforms, { dual });
}

/** The server alone. */
const SERVER = ['/etc/httpd/httpd.conf'];

const section = (path: string, body: string): string => `<Directory ${path}>\n${body}</Directory>\n`;

/** A server that follows links in /w, and lets every `.htaccess` below it say anything. */
const server = (more: string): string =>
  `ServerRoot /etc/httpd\nListen 80\nDocumentRoot /w\n${section('/', 'Options FollowSymLinks\nAllowOverride None\n')}${section('/w', 'Options FollowSymLinks\nAllowOverride All\n')}${more}`;

function ofMemory(
  more: string,
  files: Readonly<Record<string, string>>,
  links: Readonly<Record<string, string>>,
  paths = ['/etc/httpd/httpd.conf', '/w', '/data'],
): RunResult {
  const all = { '/etc/httpd/httpd.conf': server(more), '/data/index.html': '', ...files };
  return convert(memory(new Map(Object.entries(all)), new Map(Object.entries(links))), paths);
}

const textOf = ({ plan }: RunResult, path: string): string | undefined =>
  plan.find(({ file }) => file.path === path)?.text;

describe('a .htaccess that several paths lead to gets one text for all of them', () => {
  test('that asks the name of the file where a section covers one of the paths', () => {
    const result = ofMemory(section('/w/l', PASSWORD), { '/w/a/.htaccess': DENY }, { '/w/l': '/w/a' });
    expect(textOf(result, '/w/a/.htaccess')).toBe(
      [
        '<RequireAll>',
        '    Require expr %{REQUEST_FILENAME} =~ m#^/w/a(/|$)#',
        '    Require ip 10.1',
        '</RequireAll>',
        '<RequireAll>',
        '    Require expr %{REQUEST_FILENAME} !~ m#^/w/a(/|$)#',
        '    Require ip 10.1',
        '    Require valid-user',
        '</RequireAll>',
        '',
      ].join('\n'),
    );
  });

  test('where the link to it stands in a directory that was not given', () => {
    const links = { '/w/c/.htaccess': '../a/.htaccess' };
    const paths = ['/etc/httpd/httpd.conf', '/w/a'];
    const result = ofMemory(section('/w/c', PASSWORD), { '/w/a/.htaccess': DENY }, links, paths);
    expect(result.tree.htaccess.map(({ directories }) => directories)).toEqual([['/w/a', '/w/c']]);
    expect(textOf(result, '/w/a/.htaccess')).toContain(
      '!~ m#^/w/a(/|$)#\n    Require ip 10.1\n    Require valid-user',
    );
  });

  test.each<[string, string, Readonly<Record<string, string>>, Readonly<Record<string, string>>]>([
    [
      'a path on which AllowOverride keeps it silent',
      section('/w/l', PASSWORD) + section('/w/l', 'AllowOverride None\n'),
      { '/w/a/.htaccess': DENY },
      { '/w/l': '/w/a' },
    ],
    ['a path that no request comes by', '', { '/data/x/.htaccess': DENY }, { '/w/l': '/data' }],
    ['a link behind a link', '', { '/data/x/.htaccess': DENY }, { '/w/m': '/w/l', '/w/l': '/data' }],
    ['a link that leads above itself', '', { '/w/a/b/.htaccess': DENY }, { '/w/a/up': '/w' }],
    [
      'a document root behind a link',
      'DocumentRoot /www\n' + section('/www', 'AllowOverride All\n'),
      { '/w/a/.htaccess': DENY },
      { '/www': '/w' },
    ],
  ])('the usual one: %s', (_, more, files, links) => {
    const [path = ''] = Object.keys(files);
    const result = ofMemory(more, files, links);
    expect(textOf(result, path)).toBe('Require ip 10.1\n');
    expect(result.outcomes.filter(({ level, status }) => level === 'error' && status !== 'applied')).toEqual(
      [],
    );
  });

  test('or the strictest of all', () => {
    const password = section('/w', PASSWORD.replace(/^Require.*\n/m, '')) + section('"/w/${X}"', PASSWORD);
    const result = ofMemory(
      section('/w/l', PASSWORD) + password,
      { '/w/a/.htaccess': DENY },
      { '/w/l': '/w/a' },
    );
    expect(textOf(result, '/w/a/.htaccess')).toBe(
      '<RequireAll>\n    Require ip 10.1\n    Require valid-user\n</RequireAll>\n',
    );
    const strict = result.outcomes.filter(({ safety }) => safety === 'strict');
    expect(strict.map(({ file, level, status }) => [file.path, level, status])).toEqual([
      ['/w/a/.htaccess', 'error', 'applied'],
    ]);
  });

  test('under --dual too', () => {
    const files = { '/etc/httpd/httpd.conf': server(section('/w/l', PASSWORD)), '/w/a/.htaccess': DENY };
    const source = memory(new Map(Object.entries(files)), new Map([['/w/l', '/w/a']]));
    const result = convert(source, ['/etc/httpd/httpd.conf', '/w'], true);
    expect(result.failure).toBeUndefined();
    expect(textOf(result, '/w/a/.htaccess')).toContain(
      `<IfModule !mod_authz_core.c>\n${DENY.replaceAll(/^(?=.)/gm, '    ')}</IfModule>`,
    );
  });
});

test('each of two names of one file gets the text for its own place', () => {
  const root = fs.realpathSync(fs.mkdtempSync(join(tmpdir(), 'codemod-places-')));
  try {
    for (const name of ['a', 'b']) fs.mkdirSync(join(root, 'w', name), { recursive: true });
    const config = `ServerRoot ${root}\n${server(section('/w/b', PASSWORD)).replaceAll('/w', `${root}/w`).replace('ServerRoot /etc/httpd\n', '')}`;
    fs.writeFileSync(join(root, 'httpd.conf'), config);
    fs.writeFileSync(join(root, 'w/a/.htaccess'), DENY);
    fs.linkSync(join(root, 'w/a/.htaccess'), join(root, 'w/b/.htaccess'));
    const result = convert(disk, [join(root, 'httpd.conf'), join(root, 'w')]);
    expect(textOf(result, join(root, 'w/a/.htaccess'))).toBe('Require ip 10.1\n');
    const inside = textOf(result, join(root, 'w/b/.htaccess'));
    expect(inside).not.toBe('Require ip 10.1\n');
    expect(inside).not.toContain('%{REQUEST_FILENAME}');
  } finally {
    fs.rmSync(root, { recursive: true, force: true });
  }
});

describe('a Location with a pattern', () => {
  const location = (pattern: string): string => `<LocationMatch "${pattern}">\n${DENY}</LocationMatch>\n`;
  const files = { '/w/staff/.htaccess': PASSWORD, '/w/other/.htaccess': PASSWORD };

  test('takes over a password of the directories that its URLs lead to', () => {
    const text = textOf(ofMemory(location('^/(shop|staff)'), files, {}), '/etc/httpd/httpd.conf')!;
    expect(text).toContain(
      '<LocationMatch "^/(shop|staff)">\nAuthMerging And\nRequire ip 10.1\n</LocationMatch>',
    );
  });

  test('has one line where they lead to none that is protected', () => {
    const text = textOf(ofMemory(location('^/(shop|wp-admin)/'), files, {}), '/etc/httpd/httpd.conf')!;
    expect(text).toContain('<LocationMatch "^/(shop|wp-admin)/">\nRequire ip 10.1\n</LocationMatch>');
  });
});

describe('a Directory with a pattern', () => {
  const either = `${DENY}Satisfy any\nAuthType Basic\nAuthName x\nAuthUserFile /etc/users\nRequire valid-user\n`;
  const refuse = 'Order deny,allow\nDeny from all\n';
  const served = `Alias /n /srv/n\nAlias /z /srv/z\n${section('/srv/n', either)}${section('/srv/z', 'Order allow,deny\nAllow from all\n')}`;

  test('meets only the directories that it can be for', () => {
    const pattern = `<DirectoryMatch "^/srv/z/(conf|api)/">\n${refuse}</DirectoryMatch>\n`;
    const text = textOf(ofMemory(served + pattern, {}, {}, SERVER), '/etc/httpd/httpd.conf')!;
    expect(text).toContain('<DirectoryMatch "^/srv/z/(conf|api)/">\nRequire all denied\n</DirectoryMatch>');
  });

  test('meets all where it can be for all', () => {
    const pattern = `<DirectoryMatch "/(conf|api)/">\n${refuse}</DirectoryMatch>\n`;
    const text = textOf(ofMemory(served + pattern, {}, {}, SERVER), '/etc/httpd/httpd.conf')!;
    expect(text).toContain(
      '    Require expr %{REQUEST_FILENAME} =~ m#^/srv/n(/|$)#\n    Require valid-user\n',
    );
  });
});

test('nothing asks for the directory that all requests of a section lie in', () => {
  const text = textOf(
    ofMemory(
      `<LocationMatch "/[^/]+/in">\n${PASSWORD}</LocationMatch>\n<Location /t/x>\n${DENY}</Location>\n`,
      {},
      {},
      SERVER,
    ),
    '/etc/httpd/httpd.conf',
  )!;
  expect(text).toContain('<Location /t/x>\nAuthMerging And\nRequire ip 10.1\n');
  expect(text).not.toContain('REQUEST_FILENAME');
});

describe('SSLRequireSSL', () => {
  const host = (root: string, body: string): string =>
    `<VirtualHost *:80>\nServerName ${root.slice(1)}\nDocumentRoot ${root}\n${body}</VirtualHost>\n`;
  const pay = section('/shop/pay', 'SSLRequireSSL\nOrder allow,deny\nAllow from all\n');
  const strict = '<Location /account>\nSSLOptions +StrictRequire\n</Location>\n';
  const modules = 'LoadModule ssl_module modules/mod_ssl.so\n';
  const convertShop = (satisfy: string, root: string): string =>
    textOf(
      ofMemory(
        `${modules}${host('/shop', pay + strict)}${host('/intern', section(root, `${satisfy}${DENY}${PASSWORD}`))}`,
        {},
        {},
        SERVER,
      ),
      '/etc/httpd/httpd.conf',
    ) ?? '';

  test('stays where Satisfy Any is in another virtual host alone', () => {
    const text = convertShop('Satisfy any\n', '/intern');
    expect(text).toContain('<Directory /shop/pay>\nSSLRequireSSL\nRequire all granted\n</Directory>');
    expect(text).toContain('Require ip 10.1\nAuthType Basic');
  });
});

test('what is decided of a directory is decided of proxied requests, which lie in none', () => {
  const proxied = `ProxyPass /app http://127.0.0.1:1/\n${section('/w', 'Order allow,deny\nAllow from all\n')}<Location /app/in>\n${PASSWORD}</Location>\n<LocationMatch "^/app/.*[.]html">\nOrder allow,deny\nAllow from all\n</LocationMatch>\n`;
  const text = textOf(ofMemory(proxied, {}, {}, SERVER), '/etc/httpd/httpd.conf')!;
  expect(text).toContain('html">\nAuthMerging And\nRequire all granted\n');
  expect(text).not.toContain('REQUEST_FILENAME');
});
