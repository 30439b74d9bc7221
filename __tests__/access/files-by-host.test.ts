import { convertFiles, textAfter } from '../../testing/run/convert';

const SITE = '/var/www/a/htdocs';

const host = (name: string, root: string, override: string): string =>
  `<VirtualHost *:80>
    ServerName ${name}
    DocumentRoot ${root}
    <Directory ${root}>
        AllowOverride ${override}
        Order allow,deny
        Allow from all
    </Directory>
</VirtualHost>
`;

const server = (...hosts: readonly string[]): string =>
  `ServerRoot /etc/apache2
LoadModule authz_host_module modules/mod_authz_host.so
Listen 80
NameVirtualHost *:80
<Directory />
    AllowOverride None
</Directory>
${hosts.join('')}`;

function convert(conf: string, htaccess: string): { text: string | undefined; left: readonly string[] } {
  const result = convertFiles({ '/etc/apache2/httpd.conf': conf, [`${SITE}/.htaccess`]: htaccess }, [
    '/etc/apache2/httpd.conf',
    '/var/www',
  ]);
  expect(result.failure).toBeUndefined();
  const left = result.outcomes.filter(({ rule, edits }) => rule === 'order-allow-deny' && !edits?.length);
  return { text: textAfter(result, `${SITE}/.htaccess`), left: left.map(({ message }) => message) };
}

test('a host that AllowOverride None keeps from reading a file does not decide what stands in it', () => {
  const conf = server(host('default', '/var/www', 'None'), host('a', SITE, 'All'));
  expect(convert(conf, 'Order deny,allow\nDeny from all\nAllow from 10.1.2.3\n')).toEqual({
    text: 'Require ip 10.1.2.3\n',
    left: [],
  });
});

test('what it would inherit there is not counted', () => {
  const office = `<Directory ${SITE}>\n    Satisfy Any\n    AuthType Basic\n    AuthName x\n    Require valid-user\n</Directory>\n</VirtualHost>`;
  const conf = server(
    host('default', '/var/www', 'None').replace('</VirtualHost>', office),
    host('a', SITE, 'All'),
  );
  expect(convert(conf, 'Order allow,deny\nDeny from all\n')).toEqual({
    text: 'Require all denied\n',
    left: [],
  });
});

test('a host that reads the file and may say less in it has its say', () => {
  const hosts = (override: string): string =>
    server(host('default', '/var/www', 'None'), host('a', SITE, 'All'), host('b', '/var/www/a', override));
  const denied = 'Order deny,allow\nDeny from all\n';
  expect(convert(hosts('Limit'), denied)).toEqual({ text: 'Require all denied\n', left: [] });
  // There 2.2 answers 500.
  const { text, left } = convert(hosts('FileInfo'), denied);
  expect(text).toBe(denied);
  expect(left.some((message) => message.includes('AllowOverride'))).toBe(true);
});

test('a Files section for one name does not meet a pattern that this name does not match', () => {
  const conf = server(host('a', SITE, 'All'));
  const patterns = '<FilesMatch "\\.(inc|po)$|^(Entries.*|Root)$">\nOrder allow,deny\n</FilesMatch>\n';
  const password = 'AuthType Basic\nAuthName x\nRequire valid-user\n';
  const { text, left } = convert(conf, `${patterns}<Files "index.html">\n${password}</Files>\n`);
  expect(left).toEqual([]);
  expect(text).toBe(
    `<FilesMatch "\\.(inc|po)$|^(Entries.*|Root)$">\nRequire all denied\n</FilesMatch>\n<Files "index.html">\n${password}</Files>\n`,
  );
});
