import { AS_TODAY, convertFiles, convertText, textAfter } from '../../testing/run/convert';

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
  const regexes = ['^/a\\n/b', '^(/a|/b)'].map(
    (regex) => `<DirectoryMatch "${regex}">\nSatisfy any\n</DirectoryMatch>\n`,
  );
  const text = convertText(
    `Listen 80\nDocumentRoot /w\nAlias /a /a\nAlias /b /b\n${closed}${regexes.join('')}`,
  );
  expect(bodyOf(text, 'DirectoryMatch "^(/a|/b)"')).toContain('Require ip 10.1\n');
});

const NOBODY = 'Order allow,deny\nDeny from all';

/** A server with one `.htaccess`, and the section of its `httpd.conf` with this opening after the conversion. */
function bodyBeside(accessFile: string, conf: string, opening: string): string {
  const files = { '/etc/httpd/httpd.conf': `Listen 80\n${conf}`, '/w/m/.htaccess': accessFile };
  const result = convertFiles(files, ['/etc/httpd/httpd.conf', '/w']);
  return bodyOf(textAfter(result, '/etc/httpd/httpd.conf') ?? '', opening);
}

test.each([
  ['behind those of the .htaccess above it', '<Files *>\nOrder allow,deny\nAllow from all\nSatisfy Any\n</Files>\n', `<Files *.txt>\n${NOBODY}\nSatisfy All\n</Files>\n`],
  ['behind those that stand before it there', '', `<Files *>\nOrder allow,deny\nAllow from all\n</Files>\n<Files *.txt>\n${NOBODY}\n</Files>\n`],
])('Files in a Directory with wildcards are merged %s', (_, accessFile, files) => {
  const inner = `<Directory /w/m/a>\n<Files x.txt>\n${AUTH}\nRequire valid-user\n</Files>\n</Directory>\n`;
  const conf = `DocumentRoot /w\n<Directory /w/*/a>\n${files}</Directory>\n${inner}`;
  expect(bodyBeside(accessFile, conf, 'Files x.txt')).toBe(`${AUTH}\nRequire all denied\n`);
}); // prettier-ignore

test('Files of a virtual host are merged before those of a .htaccess in the same directory', () => {
  const host = (lines: string): string => `<VirtualHost *:80>\nDocumentRoot /w\n${lines}</VirtualHost>\n`;
  const conf = host(`<Directory /w/m>\n<Files x.txt>\n${NOBODY}\n</Files>\n</Directory>\n`);
  const accessFile = `<Files x.txt>\n${AUTH}\nRequire valid-user\n</Files>\n`;
  const files = { '/etc/httpd/httpd.conf': `Listen 80\n${conf}`, '/w/m/.htaccess': accessFile };
  const result = convertFiles(files, ['/etc/httpd/httpd.conf', '/w']);
  expect(textAfter(result, '/w/m/.htaccess')).toContain('Require all denied\n');
});

test('what a virtual host says of a directory that its URLs do not lead to keeps nothing there from being converted', () => {
  const host = (name: string, lines: string): string =>
    `<VirtualHost *:80>\nServerName ${name}\nDocumentRoot /w/${name}\n${lines}</VirtualHost>\n`;
  const conf = `NameVirtualHost *:80\n${host('m', '')}${host('n', `<Directory /w/m>\n${AUTH}\nRequire valid-user\nSatisfy all\n</Directory>\n`)}`;
  const files = {
    '/etc/httpd/httpd.conf': `Listen 80\n${conf}`,
    '/w/m/.htaccess': 'Order allow,deny\nAllow from all\n',
  };
  const result = convertFiles(files, ['/etc/httpd/httpd.conf', '/w']);
  expect(textAfter(result, '/w/m/.htaccess')).toBe('Require all granted\n');
});

test('more than a thousand FilesMatch sections with nothing but host lists are converted, each by itself', () => {
  const count = 1_010;
  const section = (i: number): string =>
    `<FilesMatch "^f${i}\\.(txt|bak)$">\nOrder allow,deny\nDeny from all\n</FilesMatch>\n`;
  const text = convertText(Array.from({ length: count }, (_, i) => section(i)).join(''));
  expect(text.split('Require all denied\n')).toHaveLength(count + 1);
});

test('a DirectoryMatch that 2.2 never applied denies by itself, and is not asked about by what comes after it', () => {
  const hidden = '<DirectoryMatch "/\\.svn$">\nOrder allow,deny\nDeny from all\n</DirectoryMatch>\n';
  const intern = `<Directory /w/intern>\n${AUTH}\nRequire valid-user\n${OFFICE}\nSatisfy Any\n</Directory>\n`;
  const location = `<Location /intern/x>\n${AUTH}\nRequire user alice\n</Location>\n`;
  const text = convertText(`Listen 80\nDocumentRoot /w\n${intern}${hidden}${location}`);
  expect(bodyOf(text, 'DirectoryMatch "/\\.svn$"')).toBe('Require all denied\n');
  expect(bodyOf(text, 'Location /intern/x')).toBe(`${AUTH}\nRequire ip 10.1\nRequire user alice\n`);
});

test('a 2.4 applies it, and with it what its lines for 2.2 say', () => {
  const hidden = '<DirectoryMatch "/\\.svn$">\nOrder allow,deny\nDeny from all\n</DirectoryMatch>\n';
  const both = '<Directory /w>\nRequire all granted\nOrder allow,deny\nAllow from all\n</Directory>\n';
  const location = `<Location /x>\n${AUTH}\nRequire user alice\n</Location>\n`;
  const files = { '/httpd.conf': `Listen 80\nDocumentRoot /w\n${both}${hidden}${location}` };
  const text = textAfter(convertFiles(files, undefined, { answers: AS_TODAY }), '/httpd.conf') ?? '';
  expect(bodyOf(text, 'Location /x')).toBe(`${AUTH}\nAuthMerging And\nRequire user alice\n`);
});
