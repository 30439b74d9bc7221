import { loadRereadable, memory } from '../../src/config';
import { run } from '../../src/engine';
import { transforms } from '../../transforms';

const PASSWORD = 'AuthType Basic\nAuthName x\nAuthUserFile /etc/users\nRequire valid-user\n';
const DENY = 'Order deny,allow\nDeny from all\n';
const ROOT = `ServerRoot /etc/httpd
Listen 80
DocumentRoot /srv/www
<Directory /srv/www>
    AllowOverride None
    Order allow,deny
    Allow from all
</Directory>
`;

function converted(more: string): string {
  const files = { '/etc/httpd/httpd.conf': ROOT + more, '/srv/www/p/s/x.txt': '' };
  const options = { defines: new Map<string, string>(), env: new Map<string, string>(), cwd: '/' };
  const tree = loadRereadable(memory(new Map(Object.entries(files))), Object.keys(files), options);
  return run(tree, transforms)
    .plan.map(({ text }) => text)
    .join('');
}

/** The lines of the only Location of a text. */
const locationIn = (text: string): string => text.split('<Location /p/s>\n')[1]!.split('</Location>')[0]!;

/** A real 2.2 refuses /p/s/x.txt under each: `$` never matches there, what stands beside it does. */
test.each([
  ['/p/(s|zz$)', '/p/(s|zz(?!))'],
  ['/p/|/zz$', '/p/|/zz(?!)'],
  ['/p/s(?=/|$)', '/p/s(?=/|(?!))'],
  ['/p/s/?($)?', '/p/s/?((?!))?'],
  ['^/.*/p(?!$)', '^/.*/p(?!(?!))'],
  ['/p/s(/|$)', '/p/s/'],
  ['/p/s[$/]', '/p/s[$/]'],
  ['/p/s\\$?', '/p/s\\$?'],
  ['/p/s[[:punct:]$]?', '/p/s[[:punct:]$]?'],
  ['/p/|^${PRIVATE}/', '/p/|^${PRIVATE}/'],
])('<DirectoryMatch "%s"> still refuses what 2.2 refused by it, and nothing else', (regex, written) => {
  const text = converted(
    `<DirectoryMatch "${regex}">\n${DENY}</DirectoryMatch>\n<Location /p/s>\n${PASSWORD}</Location>\n`,
  );
  expect(text).toContain(`<DirectoryMatch "${written}">\nRequire all denied\n`);
  expect(locationIn(text)).not.toBe(PASSWORD);
});

test('a section that asks for the end alone says nothing to 2.2', () => {
  const text = converted(
    `<DirectoryMatch "/p/s$">\n${DENY}</DirectoryMatch>\n<Location /p/s>\n${PASSWORD}</Location>\n`,
  );
  expect(text).toContain('<DirectoryMatch "/p/s$">\nRequire all denied\n');
  expect(locationIn(text)).toBe(PASSWORD);
});

test('one that would let in by waking up lets in only whom 2.2 let in without it', () => {
  const text = converted(
    `<DirectoryMatch "/p/s/x.txt$">\nOrder allow,deny\nAllow from all\n</DirectoryMatch>\n<Directory /srv/www/p>\nOrder deny,allow\nDeny from 10\n</Directory>\n`,
  );
  expect(text).toContain(
    '<DirectoryMatch "/p/s/x.txt$">\n<RequireAll>\n    Require all granted\n    Require not ip 10\n</RequireAll>\n',
  );
});

test.each([
  ['one', ['x.txt']],
  ['one after another for the same file', ['x.txt', 'x.txt']],
  ['one after another for all files', ['*', 'x.txt']],
])('Files sections in such a DirectoryMatch let in only whom 2.2 let in without them: %s', (_, names) => {
  const sections = names.map((name) => `<Files ${name}>\nOrder allow,deny\nAllow from all\n</Files>\n`);
  const text = converted(
    `<DirectoryMatch "/p/s$">\n${sections.join('')}</DirectoryMatch>\n<Directory /srv/www/p>\nOrder deny,allow\nDeny from all\nAllow from 10\n</Directory>\n`,
  );
  const strict = names.map((name) => `<Files ${name}>\nRequire ip 10\n</Files>\n`);
  expect(text).toContain(`<DirectoryMatch "/p/s$">\n${strict.join('')}</DirectoryMatch>\n`);
  expect(text).toContain('<Directory /srv/www/p>\nRequire ip 10\n</Directory>\n');
});

test('Files sections count in a DirectoryMatch that says nothing itself', () => {
  const files = (name: string, body: string): string => `<Files ${name}>\n${body}</Files>\n`;
  const text = converted(
    `<DirectoryMatch "/p/s/">\n${files('x.txt', 'Order allow,deny\nAllow from all\n')}</DirectoryMatch>\n<DirectoryMatch "/p">\n${files('x*', DENY)}</DirectoryMatch>\n<Location /p/s>\n${PASSWORD}</Location>\n`,
  );
  expect(locationIn(text)).toBe(PASSWORD.replace('Require', 'AuthMerging And\nRequire'));
});

// A proxied request is no directory's (mod_proxy.c: proxy_map_location): 2.2 served /b through a section like this (asked).
test.each(['^proxy:http://127', '^http:', '^x'])(
  'a section that no request reaches is rewritten, too: %s',
  (regex) => {
    const text = converted(
      `<Directory ~ "${regex}">\n${DENY}${PASSWORD}<Files x>\nSatisfy any\n</Files>\n</Directory>\n`,
    );
    expect(text).toContain(`<Directory ~ "${regex}">\nRequire all denied\n`);
    expect(text).not.toMatch(/Order|Deny|Satisfy/);
  },
);
