import { loadRereadable, memory, SourceError, type FileSource } from '../../src/config';
import { run } from '../../src/engine';
import { convertFiles, textAfter } from '../../testing/run/convert';
import { transforms } from '../../transforms';

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
  // There 2.2 answers 500, as 2.4 does to a Require line.
  expect(convert(hosts('FileInfo'), denied)).toEqual({ text: 'Require all denied\n', left: [] });
  // And here, where 2.4 takes one.
  const { text, left } = convert(hosts('AuthConfig'), denied);
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

describe('AccessFileName that differs by host', () => {
  const conf = `ServerRoot /etc/apache2
LoadModule authz_host_module modules/mod_authz_host.so
Listen 80
NameVirtualHost *:80
DocumentRoot /srv/www
AccessFileName .htaccess .acl
<Directory /srv/www>
    AllowOverride All
    Order deny,allow
    Deny from all
</Directory>
<VirtualHost *:80>
    ServerName other
    AccessFileName .other
    DocumentRoot /srv/www2
</VirtualHost>
<VirtualHost *:80>
    ServerName main
</VirtualHost>
`;
  const granted = 'Order allow,deny\nAllow from all\n';
  const password = 'AuthType Basic\nAuthName x\nAuthUserFile /etc/users\nRequire valid-user\n';
  const ACL = '/srv/www/.acl';
  const BELOW = '/srv/www/sub/.htaccess';

  function converted(files: Readonly<Record<string, string>>, unread?: string) {
    const base = memory(new Map(Object.entries({ '/etc/apache2/httpd.conf': conf, ...files })));
    const read: FileSource['read'] = (path, ...others) => {
      if (path === unread) throw new SourceError(path, 'EACCES', 'permission denied');
      return base.read(path, ...others);
    };
    const load = { defines: new Map<string, string>(), env: new Map<string, string>(), cwd: '/' };
    const source = { ...base, read };
    const result = run(loadRereadable(source, ['/etc/apache2/httpd.conf', '/srv'], load), transforms);
    expect(result.failure).toBeUndefined();
    const refused = result.outcomes.filter(({ message }) => message.includes('a say in AccessFileName'));
    return {
      text: (name: string) => textAfter(result, name),
      refused: refused.map(({ file }) => file.path).sort(),
    };
  }

  test.each(['DirectoryIndex index.html\n', ''])('a file without access lines hides the next: %j', (text) => {
    const result = converted({ '/srv/www/.htaccess': text, [ACL]: granted, [BELOW]: password });
    // What stands above denies all of them, for .acl is not read.
    expect(result.text(BELOW)).toContain('Require all denied');
  });

  test('the next is read where it is not there', () => {
    const result = converted({ [ACL]: granted, [BELOW]: password });
    expect(result.text(BELOW)).toBe(password);
    expect(result.text(ACL)).toBe('Require all granted\n');
  });

  test('one that cannot be read would hide the next', () => {
    const files = { '/srv/www/.htaccess': 'x', [ACL]: granted, [BELOW]: password };
    const result = converted(files, '/srv/www/.htaccess');
    expect(result.refused).toEqual([ACL, BELOW]);
    expect(result.text(ACL)).toBe(granted);
  });

  test('one that cannot be read hides none before it', () => {
    const files = { '/srv/www/.htaccess': granted, [ACL]: 'x' };
    const result = converted(files, ACL);
    expect(result.refused).toEqual([]);
    expect(result.text('/srv/www/.htaccess')).toBe('Require all granted\n');
  });
});

test('a name of AccessFileName with a slash leads below the directory that the file is for', () => {
  const conf =
    server().replace('AllowOverride None', 'AllowOverride All') +
    `DocumentRoot ${SITE}\nAccessFileName p/.a .b\n`;
  const result = convertFiles(
    {
      '/etc/apache2/httpd.conf': conf,
      [`${SITE}/p/.a`]: 'Order deny,allow\nDeny from 10\n',
      [`${SITE}/p/.b`]: 'Satisfy All\nOrder deny,allow\nDeny from all\n',
    },
    ['/etc/apache2/httpd.conf', '/var/www'],
  );
  expect(textAfter(result, `${SITE}/p/.a`)).toBe(
    '<RequireAll>\n    Require all granted\n    Require not ip 10\n</RequireAll>\n',
  );
  expect(textAfter(result, `${SITE}/p/.b`)).toBe('Require all denied\n');
});

test('of two AccessFileName lines in a host the last one counts', () => {
  const conf = server(
    host('a', SITE, 'All').replace(
      'DocumentRoot',
      'AccessFileName .a\n    AccessFileName .b\n    DocumentRoot',
    ),
  );
  const result = convertFiles(
    {
      '/etc/apache2/httpd.conf': conf,
      [`${SITE}/.a`]: 'Order deny,allow\nDeny from 10\n',
      [`${SITE}/.b`]: 'Order deny,allow\nDeny from all\n',
    },
    ['/etc/apache2/httpd.conf', '/var/www'],
  );
  expect(textAfter(result, `${SITE}/.b`)).toBe('Require all denied\n');
});
