import { convertText } from '../../testing/run/convert';

const AUTH = 'AuthType Basic\nAuthName x\nAuthUserFile /etc/httpd/users';
const OFFICE = 'Order deny,allow\nDeny from all\nAllow from 10.1';

/** The body that the section with this opening has got. */
function bodyOf(text: string, opening: string): string {
  const from = text.indexOf(`<${opening}>\n`) + opening.length + 3;
  return text.slice(from, text.indexOf(`</${opening.split(' ')[0]}>`, from));
}

const above = `<Directory /w>\n${OFFICE}\n</Directory>\n`;

test('a Directory of a virtual host that no URL leads to, as a link may, comes below those of the main server', () => {
  const inner = `<Directory /w/a/b>\n${AUTH}\nRequire valid-user\n</Directory>\n`;
  const host = `<VirtualHost *:80>\nServerName a\nDocumentRoot /x\n${inner}</VirtualHost>\n`;
  expect(bodyOf(convertText(`Listen 80\n${above}${host}`), 'Directory /w/a/b')).toBe(
    `${AUTH}\n<RequireAll>\n    Require ip 10.1\n    Require valid-user\n</RequireAll>\n`,
  );
});

test.each([
  ['no Proxy section, and a rewrite that may hand the request to a proxy', 'RewriteEngine on\nRewriteRule ^/x(.*) http://b.example$1 [P]\n', 'AuthMerging And\nRequire valid-user\n'],
  ['no Proxy section, and nothing that hands it to a proxy', '', '<RequireAll>\n    Require ip 10.1\n    Require valid-user\n</RequireAll>\n'],
  ['a Proxy section, which no Directory comes before', '<Proxy *>\nOrder allow,deny\nAllow from all\n</Proxy>\n', 'AuthMerging And\nRequire valid-user\n'],
])('a Location behind a Directory, %s', (_, lines, expected) => {
  const location = `<Location /x>\n${AUTH}\nRequire valid-user\n</Location>\n`;
  const text = convertText(`Listen 80\nDocumentRoot /w\n${lines}${above}${location}`);
  expect(bodyOf(text, 'Location /x')).toBe(`${AUTH}\n${expected}`);
}); // prettier-ignore

test('two regexes that begin with the same bytes, in one text or in two, are met after other sections', () => {
  const closed = `<Directory /a>\n${AUTH}\n${OFFICE}\nRequire valid-user\n</Directory>\n`;
  const regexes = ['^/a\\n/b', '^(/a|/b)'].map((regex) => `<DirectoryMatch "${regex}">\nSatisfy any\n</DirectoryMatch>\n`);
  const text = convertText(`Listen 80\nDocumentRoot /w\nAlias /a /a\nAlias /b /b\n${closed}${regexes.join('')}`);
  expect(bodyOf(text, 'DirectoryMatch "^(/a|/b)"')).toContain('Require ip 10.1\n');
}); // prettier-ignore
