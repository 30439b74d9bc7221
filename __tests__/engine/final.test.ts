import type { RunOptions } from '../../src/engine';
import { convertFiles, textAfter } from '../../testing/run/convert';

interface Case {
  readonly name: string;
  readonly files: Readonly<Record<string, string>>;
  readonly options?: RunOptions;
  /** Lines of a result, by path. */
  readonly lines: Readonly<Record<string, readonly string[]>>;
}

const SERVER = '/etc/httpd.conf';
const HTACCESS = '/w/.htaccess';

const CASES: readonly Case[] = [
  {
    name: 'a server-level line in a virtual host that is not closed',
    files: { '/etc/site.conf': '<VirtualHost *:80>\n    SSLProxyEngine on\n' },
    options: { target: 1 },
    lines: { '/etc/site.conf': ['    SSLProxyCheckPeerCN off'] },
  },
  {
    name: 'a server-level line in a Directory that is not closed',
    files: {
      [SERVER]: 'Include conf.d/x.conf\n',
      '/etc/conf.d/x.conf': '<Directory "/a">\nSSLProxyEngine on\nLoadModule authz_default_module modules/mod_authz_default.so\n',
      '/a/.htaccess': 'Deny from 10.0.0.0/8\nRequire all granted\n',
    },
    lines: { '/etc/conf.d/x.conf': ['SSLProxyEngine on'] },
  },
  {
    name: 'CacheEnable in a Directory',
    files: { [SERVER]: 'Listen 80\nProxyRequests On\n<Directory "/a">\nCacheEnable disk /\n</Directory>\n' },
    lines: { [SERVER]: ['CacheEnable disk /'] },
  },
  {
    name: 'CacheEnable in a Limit of a .htaccess',
    files: { [HTACCESS]: 'ProxyRequests On\n<Limit GET>\nCacheEnable disk /\n' },
    lines: { [HTACCESS]: ['CacheEnable disk /'] },
  },
  {
    name: 'revocation lists in a section that is not closed',
    files: { [SERVER]: '<DirectoryMatch "^/a">\nSSLProxyCARevocationFile /l\n' },
    lines: { [SERVER]: ['SSLProxyCARevocationFile /l'] },
  },
  {
    name: 'access lines in a conditional inside a Limit',
    files: { [HTACCESS]: '<LimitExcept GET>\n<IfDefine X>\nDeny from 10.0.0.0/8\n</IfDefine>\n</LimitExcept>\n' },
    lines: { [HTACCESS]: ['<IfDefine X>', '<LimitExcept GET>', '        Require not ip 10.0.0.0/8', '</LimitExcept>', '</IfDefine>'] },
  },
  {
    name: 'a continued line before a last section without a line end',
    files: { [SERVER]: 'LoadModule authz_host_module modules/mod_authz_host.so\n    Off \\\n\n<Limit GET>\n</Limit>' },
    lines: { [SERVER]: ['    Off \\'] },
  },
  {
    name: 'the same with CRLF',
    files: { [SERVER]: 'LoadModule authz_host_module modules/mod_authz_host.so\r\n    Off \\\r\n\r\n<Limit GET>\r\n</Limit>' },
    lines: { [SERVER]: ['    Off \\\r', '\r'] },
  },
  {
    name: 'a last line that ends in a backslash, and lines below it',
    files: { [SERVER]: 'Listen 80\\', [HTACCESS]: 'Options None' },
    lines: { [SERVER]: ['Listen 80\\ ', '<Directory />'] },
  },
  {
    name: 'a SCGI backend in a Limit',
    files: { [SERVER]: '<Limit GET>\nProxyPass scgi://127.0.0.1:4000/\n' },
    lines: { [SERVER]: ['SetEnvIf Request_URI . proxy-scgi-pathinfo', '<Limit GET>'] },
  },
  {
    name: 'a Location that ends before a conditional in it',
    files: { [SERVER]: 'DocumentRoot /w\n<Directory /w>\n<Limit GET>\nOrder allow,deny\n</Limit>\n</Directory>\n<Location />\n<IfVersion < 2.4>\n</Location>\n' },
    lines: { [SERVER]: ['<Location />', '<IfVersion < 2.4>', '</Location>'] },
  },
  {
    name: 'a Limit that ends before a conditional in it',
    files: { [HTACCESS]: '<Limit GET>\nAllow from env=x\n<IfModule !mod_authz_core.c>\n</Limit>\n<IfVersion ~ ^2>\n<Location />\n</IfModule>\n</Location>\n</IfVersion>' },
    lines: { [HTACCESS]: ['<Limit GET>', 'Allow from env=x', '</Limit>'] },
  },
  {
    name: 'a Require line that ends in a backslash',
    files: { [HTACCESS]: 'Require ip C:\\www\\\\\ntext/html\n<Files x>\nAllow from 10.0.0.1\n</Files>\n' },
    lines: { [HTACCESS]: ['Require ip C:\\www\\ ', '</Files>'] },
  },
  {
    name: 'a section in its strictest form below one for both versions',
    files: { '/w/.htaccess': 'Satisfy Any', '/w/a/b/.htaccess': 'ServerRoot "/x"\nRequire valid-user\nScriptsock s' },
    options: { dual: true },
    lines: { '/w/a/b/.htaccess': ['<IfModule mod_authz_core.c>', '        Require valid-user'] },
  },
  {
    name: 'a LoadModule line with a vertical tab between its arguments',
    files: { [SERVER]: 'ServerRoot /etc\nLoadModule authz_host_module\vmodules/mod_authz_host.so\n' },
    lines: { [SERVER]: ['    LoadModule unixd_module modules/mod_unixd.so'] },
  },
  {
    name: 'names in certificates in a file that a Directory includes',
    files: { [SERVER]: '<Directory "/w">\nInclude x.conf\n</Directory>\n', '/etc/x.conf': 'SSLRequire %{SSL_CLIENT_S_DN} =~ m#/O=Org/#\n' },
    lines: { '/etc/x.conf': ['SSLOptions +LegacyDNStringFormat'] },
  },
  {
    name: 'a line that 2.4 joins with the one above, which another rule would part',
    files: { [HTACCESS]: 'SetEnv x C:\\www\\\\\nRequire user ann\nOrder allow,deny\n' },
    options: { rules: ['order-allow-deny'] },
    lines: { [HTACCESS]: ['SetEnv x C:\\www\\\\', 'Require user ann', 'Order allow,deny'] },
  },
  {
    name: 'a line that 2.4 joins with one above an empty line',
    files: { [HTACCESS]: '# C:\\www\\\\\n\nDeny from all\n' },
    options: { rules: ['order-allow-deny'] },
    lines: { [HTACCESS]: ['# C:\\www\\\\', '', 'Deny from all'] },
  },
  {
    name: 'line ends of which only some can be parted safely',
    files: { [SERVER]: 'H2MaxStreamErrors " C:\\www\\\\\n<RequireAll>\n    SSLVerifyClient from C:\\www\\\\\n</RequireAll>\n' },
    options: { safeOnly: true },
    lines: { [SERVER]: ['    SSLVerifyClient from C:\\www\\\\'] },
  },
  {
    name: 'a user from a certificate above a section with FakeBasicAuth, which sets none',
    files: { [HTACCESS]: 'SSLUserName SSL_CLIENT_S_DN_CN\n<Directory "/a">\nRequire valid-user\nSSLOptions +FakeBasicAuth\n' },
    lines: { [HTACCESS]: ['<Directory "/a">', 'Require valid-user'] },
  },
  {
    name: 'a closing tag that 2.4 joins with the next',
    files: { [HTACCESS]: '<DirectoryMatch "^/a">\n<Directory /b> \\\\\n</DirectoryMatch>\n<IfVersion < 2.4>\n</Directory> \\\\\n</IfVersion>\n' },
    lines: { [HTACCESS]: ['</Directory> \\ ', '</IfVersion>'] },
  },
  {
    name: 'a conditional that is not closed around all of a server',
    files: { [SERVER]: '<IfModule mod_log_config.c>\nListen 80\nDocumentRoot "/a"\n', '/a/.htaccess': 'DirectoryIndex x\n' },
    lines: { [SERVER]: ['<Directory />', '    AllowOverride All', '</Directory>', '<IfModule mod_log_config.c>'] },
  },
  {
    name: 'a block for one version with a section in it that is not closed',
    files: { [HTACCESS]: 'Allow from env=x\n<IfVersion ~ ^2>\nRequire all granted\n<Files x.txt>\n</IfVersion>\n<Else>\n<VirtualHost *:80>\n</Files>\n</VirtualHost>\n</Else>\n' },
    lines: { [HTACCESS]: ['<Files x.txt>', '<VirtualHost *:80>', '</VirtualHost>'] },
  },
  {
    name: 'an argument in front of a doubled backslash at the end of a line',
    files: { [HTACCESS]: 'AuthName C:\\www\\\\\nErrorDocument 404 x\n' },
    lines: { [HTACCESS]: ['AuthName "C:\\\\\\\\www\\\\\\\\"', 'ErrorDocument 404 x'] },
  },
  {
    name: 'lines behind a last line that ends in two backslashes',
    files: { [SERVER]: 'Listen 80\nDocumentRoot C:\\x\\\\\n', '/a/.htaccess': 'DirectoryIndex x\n' },
    lines: { [SERVER]: ['DocumentRoot C:\\x\\\\ ', '<Directory />'] },
  },
  {
    name: 'a line that moves and ends in a backslash',
    files: { [SERVER]: 'Listen 80\n<Directory /a>\nSSLCACertificatePath C:\\x\\\\\n</Directory>\n' },
    lines: { [SERVER]: ['SSLCACertificatePath C:\\x\\ ', '<Directory /a>'] },
  },
  {
    name: 'a file that 2.4 reads more of once two lines are parted',
    files: { [HTACCESS]: 'MaxSpareThreads None C:\\x\\\\\n<Directory *:80\nC:\\x\\\\\n<IfDefine !X>\nTimeout 3\n</IfDefine>\n' },
    lines: { [HTACCESS]: ['MaxSpareThreads None "C:\\x\\\\"'] },
  },
  {
    name: 'lines for both versions beside lines for 2.2 that 2.4 does not need',
    files: { [SERVER]: 'Listen 80\n<Directory "/a">\nRequire group staff\nRequire user ann\n</Directory>\n<Directory "/a/b">\nRequire file-owner\nRequire user ann\n</Directory>\n' },
    options: { dual: true },
    lines: { [SERVER]: ['        Require all denied', 'Require user ann'] },
  },
  {
    name: 'a Satisfy that is left, which the check of a second run sees',
    files: {
      [SERVER]: 'Timeout 3\n',
      '/etc/conf.d/x.conf': '<DirectoryMatch "^/a/(b|c)">\nDeny from 10.0.0.0/8\n',
      '/a/b/.htaccess': '<RequireAny>\nSatisfy Any\nAllowOverride Limit\n</RequireAny>\nAllow from 2001:db8::/32\n',
    },
    lines: { '/etc/conf.d/x.conf': ['    Require not ip 10.0.0.0/8'] },
  },
]; // prettier-ignore

test.each(CASES)('$name: the result is final', ({ files, options, lines }) => {
  const first = convertFiles(files, ['/'], options);
  expect(first.failure).toBeUndefined();
  const texts = Object.fromEntries(Object.keys(files).map((path) => [path, textAfter(first, path)!]));
  for (const [path, expected] of Object.entries(lines))
    expect(texts[path]!.split('\n')).toEqual(expect.arrayContaining([...expected]));
  expect(convertFiles(texts, ['/'], options).plan).toEqual([]);
});
