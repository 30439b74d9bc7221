// Deterministic inputs: no random numbers, no clock, so that two runs on one machine compare.
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const put = (path, lines) => {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, `${lines.join('\n')}\n`, 'latin1');
};

const ip = (i) => `10.${(i >> 8) & 255}.${i & 255}.0/24`;

function virtualHost(i) {
  const name = `site${i}.example.com`;
  return [
    '',
    `# ${name}: set up for customer ${i}, see the ticket before changing anything here`,
    `<VirtualHost *:80>`,
    `    ServerName ${name}`,
    `    ServerAlias www.${name} static.${name}`,
    `    ServerAdmin webmaster@${name}`,
    `    DocumentRoot "/srv/www/${name}/htdocs"`,
    `    ErrorLog logs/${name}-error_log`,
    `    CustomLog logs/${name}-access_log combined`,
    '',
    `    <Directory "/srv/www/${name}/htdocs">`,
    '        Options -Indexes FollowSymLinks',
    '        AllowOverride All',
    '        Order allow,deny',
    '        Allow from all',
    `        Deny from ${ip(i)} ${ip(i + 1)}`,
    '    </Directory>',
    '',
    '    # The back office, from the office network only',
    `    <Directory "/srv/www/${name}/htdocs/admin">`,
    '        AuthType Basic',
    '        AuthName "Back office"',
    '        AuthUserFile conf/htpasswd',
    '        Require valid-user',
    '        Order deny,allow',
    '        Deny from all',
    `        Allow from ${ip(i + 2)}`,
    `        Satisfy ${i % 3 === 0 ? 'Any' : 'All'}`,
    '    </Directory>',
    '',
    '    <FilesMatch "\\.(inc|bak|sql)$">',
    '        Order allow,deny',
    '        Deny from all',
    '    </FilesMatch>',
    '',
    '    RewriteEngine On',
    `    RewriteCond %{HTTP_HOST} !^www\\.${name.replaceAll('.', '\\.')}$ [NC]`,
    `    RewriteRule ^/(.*)$ http://www.${name}/$1 [R=301,L]`,
    '    RewriteCond %{REQUEST_FILENAME} !-f',
    '    RewriteRule ^/article/([0-9]+)/?$ /index.php?article=$1 [QSA,L]',
    '    <IfModule mod_expires.c>',
    '        ExpiresActive On',
    '        ExpiresByType image/png "access plus 1 month"',
    '    </IfModule>',
    '</VirtualHost>',
  ];
}

const HEAD = [
  'ServerRoot "/etc/httpd"',
  'Listen 80',
  'LoadModule authz_host_module modules/mod_authz_host.so',
  'LoadModule auth_basic_module modules/mod_auth_basic.so',
  'LoadModule rewrite_module modules/mod_rewrite.so',
  'Timeout 60',
  'NameVirtualHost *:80',
  '<IfModule prefork.c>',
  '    StartServers 8',
  '    MaxClients 256',
  '    MaxRequestsPerChild 4000',
  '</IfModule>',
  '<Directory />',
  '    Options FollowSymLinks',
  '    AllowOverride None',
  '</Directory>',
];

/** A server config of about `lines` lines. */
export function serverConfig(path, lines) {
  const text = [...HEAD];
  for (let i = 0; text.length < lines; i++) text.push(...virtualHost(i));
  put(path, text);
}

const HTACCESS = [
  (i) => ['Options -Indexes', `ErrorDocument 404 /errors/${i}.html`],
  () => ['# nobody', 'Order deny,allow', 'Deny from all'],
  (i) => [
    'RewriteEngine On',
    'RewriteCond %{REQUEST_FILENAME} !-f',
    `RewriteRule ^(.*)$ index.php?q=$1&s=${i} [L,QSA]`,
  ],
  (i) => [
    '<Files "*.inc">',
    '    Order allow,deny',
    '    Deny from all',
    '</Files>',
    `Redirect /old${i} /new`,
  ],
];

/** `count` small .htaccess files, twenty to a directory. */
export function smallFiles(top, count) {
  for (let i = 0; i < count; i++) {
    put(join(top, `d${Math.floor(i / 20)}`, `s${i % 20}`, '.htaccess'), HTACCESS[i % HTACCESS.length](i));
  }
}

const TWO = [
  ['# nobody', 'Order deny,allow', 'Deny from all'],
  ['Options -Indexes', 'ErrorDocument 404 /errors/404.html'],
];

/** `count` .htaccess files of two texts, a thousand below a directory. */
export function equalFiles(top, count) {
  for (let i = 0; i < count; i++) {
    const [top1000, twenty] = [Math.floor(i / 1000), Math.floor(i / 20) % 50];
    put(join(top, `d${top1000}`, `e${twenty}`, `s${i % 20}`, '.htaccess'), TWO[i % TWO.length]);
  }
}

/** `count` pairs of RewriteCond and RewriteRule at server level. */
export function rewritePairs(path, count) {
  const text = ['ServerRoot "/etc/httpd"', 'Listen 80', 'RewriteEngine On'];
  for (let i = 0; i < count; i++)
    text.push(
      `RewriteCond %{HTTP_HOST} ^h${i}\\.example\\.com$ [NC]`,
      `RewriteRule ^/p${i}/(.*)$ /q${i}/$1 [L]`,
    );
  put(path, text);
}

/** One .htaccess of twenty lines. */
export function oneFile(path) {
  put(path, [
    "# The cache is nobody's business",
    '<IfModule mod_php5.c>',
    '    php_flag display_errors off',
    '</IfModule>',
    '',
    '<FilesMatch "\\.(tpl|ini|log)$">',
    '    Order allow,deny',
    '    Deny from all',
    '</FilesMatch>',
    '',
    'Order deny,allow',
    'Deny from all',
    'Allow from 10.0.0.0/8',
    'Allow from 192.168.1.0/24',
    '',
    'RewriteEngine On',
    'RewriteCond %{REQUEST_FILENAME} !-f',
    'RewriteCond %{REQUEST_FILENAME} !-d',
    'RewriteRule ^ index.php [L]',
    'ErrorDocument 404 /404.html',
  ]);
}

/** `count` sections that all decide access. */
export function manySections(path, count) {
  const text = ['ServerRoot "/etc/httpd"', 'Listen 80'];
  for (let i = 0; i < count; i++) {
    text.push(
      `<Directory "/srv/www/d${i}">`,
      '    Order deny,allow',
      '    Deny from all',
      `    Allow from ${ip(i)}`,
      '</Directory>',
    );
  }
  put(path, text);
}

/** A server below `top`, and a .htaccess in its DocumentRoot with `count` sections. */
export function accessFileSections(top, count) {
  const www = join(top, 'www');
  put(join(top, 'httpd.conf'), [
    'ServerRoot "/etc/httpd"',
    'Listen 80',
    'LoadModule authz_host_module modules/mod_authz_host.so',
    `DocumentRoot "${www}"`,
    `<Directory "${www}">`,
    '    AllowOverride All',
    '    Order allow,deny',
    '    Allow from all',
    '</Directory>',
  ]);
  const sections = Array.from({ length: count }, (_, i) => [
    `<FilesMatch "x${i}">`,
    'Deny from all',
    '</FilesMatch>',
  ]);
  put(join(www, '.htaccess'), sections.flat());
}

/**
 * A server of forty hosts below `top`, whose users' directories all of them serve, and `count` directories of one user with a
 * .htaccess of `text`, by number. A third of the hosts read no .htaccess in a directory of their own.
 */
function tenant(top, count, text) {
  const home = (name) => join(top, 'home', name, 'public_html');
  const hosts = Array.from({ length: 40 }, (_, i) => [
    '<VirtualHost *:80>',
    `ServerName h${i}.example`,
    `DocumentRoot "${home(`u${i}`)}"`,
    `<Directory "${home(`u${i}`)}">`,
    `AllowOverride ${i % 3 === 0 ? 'None' : 'All'}`,
    'Order allow,deny',
    'Allow from all',
    '</Directory>',
    '</VirtualHost>',
  ]);
  put(join(top, 'httpd.conf'), [
    'ServerRoot "/etc/httpd"',
    'Listen 80',
    'LoadModule authz_host_module modules/mod_authz_host.so',
    'LoadModule userdir_module modules/mod_userdir.so',
    'UserDir public_html',
    '<Directory />',
    'Order deny,allow',
    'Deny from all',
    '</Directory>',
    `<Directory "${join(top, 'home/*/public_html')}">`,
    'AllowOverride All',
    'Order allow,deny',
    'Allow from all',
    '</Directory>',
    ...hosts.flat(),
  ]);
  for (let i = 0; i < 40; i++)
    put(join(home(`u${i}`), '.htaccess'), ['Order allow,deny', `Deny from ${ip(i)}`]);
  for (let i = 0; i < count; i++) put(join(home('tenant'), `d${i}`, '.htaccess'), text(i));
}

/** {@link tenant} with sixty sections a file, which one file may meet all. */
export function tenantSections(top, count) {
  const section = (i, n) => [
    `<FilesMatch "x${n}y${i}[a-z]*z">`,
    'Order deny,allow',
    `Deny from env=v${n}`,
    `Allow from 10.${n}`,
    `Require user u${i} v${n}`,
    'Satisfy any',
    '</FilesMatch>',
  ];
  tenant(top, count, (i) => Array.from({ length: 60 }, (_, n) => section(i, n)).flat());
}

/** {@link tenant} with two hundred blocks in each other a file. */
export function tenantBlocks(top, count) {
  const numbers = Array.from({ length: 200 }, (_, n) => n);
  tenant(top, count, (i) => [
    ...numbers.map((n) => `<IfModule mod_x${i}_${n}.c>`),
    'Deny from all',
    ...numbers.map(() => '</IfModule>'),
  ]);
}

/** A .htaccess whose access is decided by `count` containers in one. */
export function containers(top, count) {
  const inner = Array.from({ length: count }, (_, i) => [
    '<RequireAll>',
    `Require ip 10.0.0.${i % 256}`,
    `Require user u${i}`,
    '</RequireAll>',
  ]);
  put(join(top, '.htaccess'), [
    '<RequireAny>',
    ...inner.flat(),
    '</RequireAny>',
    'Order allow,deny',
    'Allow from 10.1',
  ]);
}

/** A .htaccess whose access is decided by `count` blocks for modules of their own. */
export function accessBlocks(top, count) {
  const blocks = Array.from({ length: count }, (_, i) => [
    `<IfModule mod_x${i}.c>`,
    'Order deny,allow',
    'Deny from all',
    `Allow from ${ip(i)}`,
    'Satisfy any',
    '</IfModule>',
  ]);
  put(join(top, '.htaccess'), blocks.flat());
}

/** A .htaccess of `count` sections for all methods but one, with every kind of access line in each. */
export function methodSections(top, count) {
  const sections = Array.from({ length: count }, (_, i) => [
    '<LimitExcept GET>',
    'Order deny,allow',
    `Deny from env=v${i}`,
    `Allow from ${ip(i)} env=w${i} host${i}.example.com`,
    `Require user u${i}`,
    `Require group g${i}`,
    'Require valid-user',
    `SSLRequire %{SSL_CIPHER} eq "x${i}"`,
    'Satisfy any',
    '</LimitExcept>',
  ]);
  put(join(top, '.htaccess'), sections.flat());
}

/** A .htaccess of `count` lines without effect. */
export function defaultTypes(top, count) {
  put(
    join(top, '.htaccess'),
    Array.from({ length: count }, (_, i) => `DefaultType text/x${i}`),
  );
}

/** A directory with a .htaccess, and `count` links to it beside it. */
export function linkedDirectory(top, count) {
  put(join(top, 'here', '.htaccess'), ['Deny from all']);
  for (let i = 0; i < count; i++) symlinkSync('here', join(top, `l${i}`));
}

/** A server with sixty sections, and a log of `count` requests for what they cover. */
export function loggedServer(top, count) {
  const text = ['ServerRoot "/etc/httpd"', 'Listen 80'];
  for (let i = 0; i < 60; i++)
    text.push(
      `<LocationMatch "^/a${i}/.*x$">`,
      '    Order deny,allow',
      '    Deny from all',
      `    Allow from 10.${i}`,
      '</LocationMatch>',
    );
  put(join(top, 'httpd.conf'), text);
  const client = (i) => `10.${i % 60}.0.${i % 250}`;
  const request = (i) =>
    `${client(i)} - - [01/Oct/2026:13:55:36 +0200] "GET /a${i % 60}/${i}x HTTP/1.1" 200 5 "-" "-"`;
  put(
    join(top, 'access.log'),
    Array.from({ length: count }, (_, i) => request(i)),
  );
}

/**
 * `count` sections that may apply in any directory, each of which every other may come before: `name` and what it asks for, by
 * number.
 */
export function meetingSections(path, count, name, argument) {
  const text = ['ServerRoot "/etc/httpd"', 'Listen 80'];
  for (let i = 0; i < count; i++) {
    text.push(
      `<${name} ${argument(i)}>`,
      '    Order deny,allow',
      '    Deny from all',
      `    Allow from ${ip(i)}`,
      `</${name}>`,
    );
  }
  put(path, text);
}

/** One section with `count` Deny lines. */
export function longList(path, count) {
  const text = [
    'ServerRoot "/etc/httpd"',
    'Listen 80',
    '<Directory "/srv/www">',
    '    Order allow,deny',
    '    Allow from all',
  ];
  for (let i = 0; i < count; i++)
    text.push(`    Deny from 10.${(i >> 16) & 255}.${(i >> 8) & 255}.${i & 255}`);
  text.push('</Directory>');
  put(path, text);
}

/** A site whose directories nest `depth` deep, each with a .htaccess. */
export function deepTree(top, depth) {
  put(join(top, 'httpd.conf'), [
    `ServerRoot "${top}"`,
    'Listen 80',
    `DocumentRoot "${top}/htdocs"`,
    `<Directory "${top}/htdocs">`,
    '    AllowOverride All',
    '    Order allow,deny',
    '    Allow from all',
    '</Directory>',
  ]);
  let directory = join(top, 'htdocs');
  for (let i = 0; i < depth; i++) {
    directory = join(directory, String(i % 10));
    put(join(directory, '.htaccess'), ['Order deny,allow', 'Deny from all', `Allow from 10.0.${i}.0/24`]);
  }
}

/** Directories with a .htaccess that nest 200 deep, so many times beside each other that all levels together are `levels`. */
export function chains(top, levels) {
  for (let i = 0; i < levels; i++) {
    const inside = Array.from({ length: (i % 200) + 1 }, () => 'd').join('/');
    put(join(top, `c${Math.floor(i / 200)}`, inside, '.htaccess'), [
      'Order allow,deny',
      'Allow from all',
      `Deny from 10.0.0.${i % 200}`,
    ]);
  }
}
