import { convertFiles, textAfter } from '../../testing/run/convert';

// Of many virtual hosts those that meet the same are asked about once. What one of them says for itself must not be lost by that.

/** Hosts with one document root, one of which says more than the others; and what becomes of a `.htaccess` there. */
function hostsOfOneRoot(count: number, special: number, says: string, htaccess: string): string | undefined {
  const hosts = Array.from(
    { length: count },
    (_, i) =>
      `<VirtualHost *:80>\nServerName h${i}.example\nDocumentRoot /srv/www\n${i === special ? says : ''}</VirtualHost>\n`,
  );
  const server = `Listen 80\nNameVirtualHost *:80\n<Directory />\nAllowOverride All\n</Directory>\n${hosts.join('')}`;
  const files = { '/etc/httpd/httpd.conf': server, '/srv/www/a/.htaccess': htaccess };
  const result = convertFiles(files, ['/etc/httpd/httpd.conf', '/srv/www']);
  return textAfter(result, '/srv/www/a/.htaccess');
}

const PASSWORD = 'AuthType Basic\nAuthName a\nAuthUserFile u\nRequire valid-user\n';
const HOSTS = 'Order deny,allow\nDeny from all\nAllow from 10.0.0.0/8\n';

test.each([
  ['Files', '<Files x.php>\nSatisfy Any\n</Files>\n', `${PASSWORD}<Files x.php>\n${HOSTS}</Files>\n`],
  ['a Directory above', '<Directory /srv>\nSatisfy Any\n</Directory>\n', PASSWORD + HOSTS],
  ['a Directory with a wildcard', '<Directory /s*>\nSatisfy Any\n</Directory>\n', PASSWORD + HOSTS],
])('of many hosts one with %s is told apart as it is of few', (_, says, htaccess) => {
  const few = hostsOfOneRoot(2, 1, says, htaccess);
  expect(hostsOfOneRoot(40, 37, says, htaccess)?.replaceAll('h37', 'h1')).toEqual(few);
  expect(hostsOfOneRoot(2, 1, '', htaccess)).not.toEqual(few);
});

test('a host that leads to a part of a directory alone does not speak for those that lead to all of it', () => {
  const host = (i: number, root: string): string =>
    `<VirtualHost *:80>\nServerName h${i}.example\nDocumentRoot ${root}\n<Location /h${i}>\nOrder deny,allow\nDeny from all\n</Location>\n</VirtualHost>\n`;
  const hosts = ['/srv/m/x', '/srv/m', '/srv/m', '/srv/m'].map((root, i) => host(i, root));
  const server = `Listen 80\nNameVirtualHost *:80\n<Directory />\nOrder allow,deny\nAllow from all\n</Directory>\n<Directory /srv/m>\nAllowOverride All\n<Files a.html>\nSatisfy Any\n</Files>\n</Directory>\n${hosts.join('')}`;
  const files = {
    '/etc/httpd/httpd.conf': server,
    '/srv/m/y/.htaccess': `${PASSWORD}Order deny,allow\nDeny from all\n`,
  };
  const result = convertFiles(files, ['/etc/httpd/httpd.conf', '/srv/m']);
  expect(textAfter(result, '/etc/httpd/httpd.conf')).toMatch(/<Files a\.html>\nRequire expr .*\/srv\/m\/y/);
});

test.each([0, 3])(
  'a host that leads to homes in a directory is told apart, as number %d of those with one root',
  (withHomes) => {
    const host = (i: number): string =>
      `<VirtualHost *:80>\nServerName h${i}.example\nDocumentRoot /srv/m/x\nUserDir ${i === withHomes ? 'public_html' : 'disabled'}\n<Location /h${i}>\nOrder deny,allow\nDeny from all\n</Location>\n</VirtualHost>\n`;
    const server = `Listen 80\nNameVirtualHost *:80\nDocumentRoot /srv/m\n<Directory />\nOrder allow,deny\nAllow from all\n</Directory>\n<Directory /srv/m>\nAllowOverride All\n<Files a.html>\nSatisfy Any\n</Files>\n</Directory>\n${[0, 1, 2, 3].map(host).join('')}`;
    const files = {
      '/etc/httpd/httpd.conf': server,
      '/srv/m/y/public_html/.htaccess': `${PASSWORD}Order deny,allow\nDeny from all\n`,
    };
    const result = convertFiles(files, ['/etc/httpd/httpd.conf', '/srv/m']);
    expect(textAfter(result, '/etc/httpd/httpd.conf')).toMatch(
      /<Files a\.html>\nRequire expr .*\/srv\/m\/y\/public_html/,
    );
  },
);
