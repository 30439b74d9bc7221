import { convertFiles } from '../../testing/run/convert';

// What lets somebody in by lines of one version is told, whatever else seems to stand in the way, or to stand for it.

const SERVER = '/etc/httpd/httpd.conf';
const HEAD =
  'ServerRoot /etc/httpd\nListen 80\nServerName localhost\nDocumentRoot /srv/www\nLoadModule authz_host_module modules/mod_authz_host.so\n';
const OPEN = 'Order allow,deny\nAllow from all\n';
const BLOCKS =
  '<IfVersion < 2.4>\nOrder allow,deny\nDeny from all\n</IfVersion>\n<IfVersion >= 2.4>\nRequire all granted\n</IfVersion>\n';
const directory = (path: string, override: string): string =>
  `<Directory ${path}>\nAllowOverride ${override}\n${OPEN}</Directory>\n`;
const section = (name: string, of: string): string => `<${name} ${of}>\n${BLOCKS}</${name}>\n`;

const errors = (files: Readonly<Record<string, string>>): readonly string[] =>
  convertFiles(files, [SERVER, '/srv'])
    .outcomes.filter(
      ({ level, status, file }) => level === 'error' && status !== 'applied' && file.path === SERVER,
    )
    .map(({ message }) => message);

test.each([
  [
    'URLs of a directory beside it',
    `AliasMatch ^/x/(.*) /srv/other/$1\n${section('LocationMatch', '"\\.txt$"')}`,
  ],
  ['URLs that are proxied', `${section('Location', '/u')}ProxyPass /u http://127.0.0.1:8001/o\n`],
  [
    'names of files, wherever they are',
    `VirtualDocumentRoot /srv/vh/%0\nUseCanonicalName Off\n${section('Files', '"*.txt"')}`,
  ],
])('a .htaccess that is a 500 hides nothing about %s', (_, lines) => {
  const files = {
    [SERVER]: HEAD + directory('/srv/www', 'AuthConfig') + directory('/srv/other', 'None') + lines,
    '/srv/www/.htaccess': OPEN,
    '/srv/www/u/a.txt': '',
    '/srv/other/a.txt': '',
    '/srv/vh/localhost/a.txt': '',
  };
  expect(errors(files).join('\n')).toMatch(/2\.2 refuses, 2\.4 admits/);
  const same = { ...files, [SERVER]: files[SERVER].replace('Require all granted', 'Require all denied') };
  expect(errors(same)).toEqual([]);
});

test.each(['IncludeOptional /etc/httpd/other*.inc', 'Include /etc/httpd/other.inc'])(
  'another file stands for none that 2.2 alone includes: %s',
  (include) => {
    const files = {
      [SERVER]: `${HEAD}${directory('/srv/www', 'All')}<IfVersion < 2.4>\nInclude /etc/httpd/deny.inc\n</IfVersion>\n<IfVersion >= 2.4>\n${include}\n</IfVersion>\n`,
      '/etc/httpd/deny.inc': 'RedirectMatch 403 ^/secret\n',
      '/etc/httpd/other.inc': '# nothing\n',
      '/srv/www/a.txt': '',
    };
    expect(errors(files)).toEqual([expect.stringContaining('lets in whom RedirectMatch kept out')]);
    const same = { ...files, '/etc/httpd/other.inc': files['/etc/httpd/deny.inc'] };
    expect(errors(same)).toEqual([]);
  },
);

test('what an <If> for 2.4 alone keeps out is told, but for files that nothing runs', () => {
  const told = (condition: string): number => {
    const block = `<IfVersion >= 2.4>\n<If "${condition}">\nRedirect 403 /\n</If>\n</IfVersion>\n`;
    const { outcomes } = convertFiles({ [SERVER]: HEAD + directory('/srv/www', 'All') + block }, [SERVER]);
    return outcomes.filter(({ message }) => message.includes('it keeps out whom 2.2 lets in')).length;
  };
  expect(told("%{REQUEST_METHOD} == 'PUT'")).toBe(1);
  expect(told(String.raw`-f %{REQUEST_FILENAME} && %{REQUEST_FILENAME} =~ m#\.php$#i`)).toBe(0);
});
