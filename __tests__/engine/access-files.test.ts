import { convert } from '../../src';
import type { RunOptions } from '../../src/engine';
import { uses22 } from '../../testing/httpd/directive-uses';

// What is found and written in the server's own files is what it would be without the .htaccess files of users.

/** Much of what rules look for stands here, or is left out: a line elsewhere could silence a finding or bring one about. */
const CONF = `ServerRoot "/srv"
Listen 80
Listen 443
LoadModule authz_host_module modules/mod_authz_host.so
LoadModule authz_default_module modules/mod_authz_default.so
LoadModule dir_module modules/mod_dir.so
LoadModule ssl_module modules/mod_ssl.so
LoadModule substitute_module modules/mod_substitute.so
DocumentRoot "/srv/www"
<Directory "/srv/www">
    AllowOverride All
    Order allow,deny
    Allow from all
</Directory>
<Location /pages>
    AddOutputFilterByType DEFLATE text/html
    Substitute s/a/b/
    Options +Includes
</Location>
<VirtualHost *:80>
    ServerName a.example
    RewriteRule ^/page/(.*)$ /$1.html
</VirtualHost>
<VirtualHost *:443>
    ServerName b.example
    SSLEngine on
    SSLCACertificateFile conf/ca.pem
</VirtualHost>
`;

/** Lines for which a rule has looked all over a run, beside one of each directive of 2.2. */
const LINES = [
  'SetHandler wiki', 'AuthLDAPURL "ldap://ldap.example.com/o=x"', 'AuthLDAPBindDN cn=x', 'LDAPReferrals on',
  'RewriteRule ^app/ http://127.0.0.1:8001/ [P]', 'RewriteRule . wiki [H=cgi-script]', 'RewriteCond %{REQUEST_URI} //',
  'SetOutputFilter DEFLATE', 'SetOutputFilter INCLUDES', 'DeflateAlterETag NoChange', 'DirectoryIndex /cgi-bin/index.cgi',
  'Action text/plain /cgi-bin/show', 'AddHandler cgi-script .cgi', 'AddType application/x-httpd-php .php', 'DirectoryCheckHandler On',
  'SubstituteMaxLineLength 10m', 'SSILegacyExprParser on', 'SetEnv filter-errordocs 1', 'SetEnv ap_trust_cgilike_cl 1',
  'ErrorDocument 404 /missing.html', 'SSLVerifyClient require', 'SSLRequire %{SSL_PROTOCOL} eq "TLSv1.2"', 'Mutex sysvsem default',
  'MaxRequestWorkers 200', 'IncludeOptional conf.d/*.conf', 'Include conf.d/*.conf', 'NameVirtualHost *:80', 'Require all granted',
  'Example', 'Header merge Vary Accept-Encoding', 'RegexDefaultOptions -DOTALL', 'MergeSlashes On',
]; // prettier-ignore

/** A method that a .htaccess names has to be made known by the server, and names in certificates are written by it. */
const OF_SERVER = /^(?:ssloptions|sslusername)\b/i;

const lines = [
  ...LINES,
  ...uses22().flatMap(({ lines: [line, more] }) =>
    more === undefined && line !== undefined && !line.startsWith('<')
      ? [line.replaceAll('@ROOT@', '/srv')]
      : [],
  ),
].filter((line) => !OF_SERVER.test(line));

/** What is written and found but in the file of that user. Which modules 2.4 needs depends on all that it reads. */
function apart(text: string, options: RunOptions): string {
  const theirs = '/srv/www/theirs/.htaccess';
  const files = {
    '/srv/httpd.conf': CONF,
    '/srv/www/other/.htaccess': 'DefaultType text/plain\nOrder allow,deny\nDeny from all\n',
    [theirs]: text,
  };
  const { plan, findings } = convert(files, { ...options, paths: ['/srv/httpd.conf', '/srv/www'] });
  const written = plan
    .filter(({ file }) => file.path !== theirs)
    .map(({ text: to }) => to.replace(/^ *(?:<\/?IfModule\b|LoadModule ).*\n/gm, ''));
  const found = findings
    .filter(({ file, rule }) => file.path !== theirs && rule !== 'load-module')
    .map(({ file, at, level, safety, message }) => `${file.path}:${at} ${level} ${safety} ${message}`);
  return [...written, ...found].join('\n');
}

describe.each<[string, RunOptions]>([
  ['', {}],
  ['--pin-defaults', { pinDefaults: true }],
  ['--dual', { dual: true }],
])('%s', (_, options) => {
  const without = apart('# Nothing\n', options);

  test.each(lines)('a .htaccess that says %s', (line) => {
    expect(apart(`${line}\n`, options)).toBe(without);
  });
});

test.each([
  'RewriteCond %{REQUEST_URI} //\nRewriteRule ^ - [E=bad:1]\nRewriteCond %{ENV:bad} 1\nRewriteRule ^ - [F]\n',
  'RewriteRule ^ - [E=url:%{REQUEST_URI}]\nRewriteRule ^ - [E=kept:%{ENV:url}]\nRewriteCond %{ENV:kept} //\nRewriteRule ^ - [F]\n',
  'RewriteCond %{REQUEST_URI} ^(.*)$\nRewriteRule ^ - [E=url:%1]\nRewriteCond %{ENV:url} //\nRewriteRule ^ - [F]\n',
  'SetEnvIf Request_URI "//" bad\nRewriteCond %{ENV:bad} 1\nRewriteRule ^ - [F]\n',
  'SetEnvIf Request_URI ^(.*)$ url=$1\nRewriteCond %{ENV:url} //\nRewriteRule ^ - [F]\n',
  'SetEnvIf Request_URI ^(.*)$ url=$1\nSetEnvIf url // bad\nRewriteCond %{ENV:bad} 1\nRewriteRule ^ - [F]\n',
  'SetEnvIf Request_URI ^(.*)$ url=$1\nSetEnvIf url // bad\nOrder allow,deny\nAllow from all\nDeny from env=bad\n',
])('whom a .htaccess keeps out by a variable that has the slashes of a URL is kept out: %s', (text) => {
  const { plan } = convert(
    { '/srv/httpd.conf': CONF, '/srv/www/.htaccess': `RewriteEngine On\n${text}` },
    { paths: ['/srv/httpd.conf', '/srv/www'] },
  );
  expect(plan.find(({ file }) => file.path === '/srv/httpd.conf')!.text).toContain('\nMergeSlashes Off\n');
});

test('a URL that a rule of the server keeps in a variable has its slashes where a .htaccess asks for them', () => {
  const { plan } = convert(
    {
      '/srv/httpd.conf': `${CONF}RewriteEngine On\nRewriteRule ^(.*)$ - [E=url:$1]\n`,
      '/srv/www/.htaccess': 'SetEnvIf url // bad\nOrder allow,deny\nAllow from all\nDeny from env=bad\n',
    },
    { paths: ['/srv/httpd.conf', '/srv/www'] },
  );
  expect(plan.find(({ file }) => file.path === '/srv/httpd.conf')!.text).toContain('\nMergeSlashes Off\n');
});
