import { type Files, type Layout, type Places, extraLines, indented, text } from './layout';
import type { Site } from './plan';

const ENABLED =
  'alias auth_basic authn_file authz_default authz_groupfile authz_host authz_user autoindex cgi deflate dir env expires headers include mime negotiation reqtimeout rewrite setenvif status'.split(
    ' ',
  );
const AVAILABLE = 'actions dav dav_fs info proxy proxy_http ssl userdir'.split(' ');

/** The settings of modules, where they have any. */
const SETTINGS = new Map<string, (top: string) => readonly string[]>([
  [
    'alias',
    (top) => [
      `Alias /icons/ "${top}/usr/share/apache2/icons/"`,
      `<Directory "${top}/usr/share/apache2/icons">`,
      '    Options Indexes MultiViews',
      '    AllowOverride None',
      '    Order allow,deny',
      '    Allow from all',
      '</Directory>',
    ],
  ],
  ['dir', () => ['DirectoryIndex index.html index.cgi index.php index.htm']],
  ['deflate', () => ['AddOutputFilterByType DEFLATE text/html text/plain text/css']],
  ['mime', (top) => [`TypesConfig ${top}/etc/mime.types`]],
  ['reqtimeout', () => ['RequestReadTimeout header=20-40,minrate=500']],
  [
    'status',
    () => [
      '<Location /server-status>',
      '    SetHandler server-status',
      '    Order deny,allow',
      '    Deny from all',
      '    Allow from 127.0.0.1 ::1',
      '</Location>',
      'ExtendedStatus On',
    ],
  ],
  [
    'info',
    () => [
      '<Location /server-info>',
      '    SetHandler server-info',
      '    Order deny,allow',
      '    Deny from all',
      '    Allow from 127.0.0.1 ::1',
      '</Location>',
    ],
  ],
  [
    'proxy',
    () => [
      'ProxyRequests Off',
      '<Proxy *>',
      '    AddDefaultCharset off',
      '    Order deny,allow',
      '    Deny from all',
      '</Proxy>',
    ],
  ],
  [
    'userdir',
    (top) => [
      'UserDir public_html',
      'UserDir disabled root',
      `<Directory ${top}/home/*/public_html>`,
      '    AllowOverride FileInfo AuthConfig Limit Indexes',
      '    <Limit GET POST OPTIONS>',
      '        Order allow,deny',
      '        Allow from all',
      '    </Limit>',
      '    <LimitExcept GET POST OPTIONS>',
      '        Order deny,allow',
      '        Deny from all',
      '    </LimitExcept>',
      '</Directory>',
    ],
  ],
]);

/** Debian's: apache2.conf, with what is enabled linked from beside it, and no DocumentRoot of the main server. */
export const debian: Layout = {
  name: 'Debian',
  main: ({ top }) => `${top}/etc/apache2/apache2.conf`,
  address: ({ port }) => `*:${port}`,
  served: ({ top }) => [`${top}/var/www`],
  documentRoot: ({ top }, { name }) => `${top}/var/www/${name}/htdocs`,
  passwords: ({ top }, user) => `${top}/etc/apache2/passwd/${user}`,
  stock: ({ top }) => [
    { uri: '/server-status', filename: `${top}/none` },
    { uri: '/icons/a.gif', filename: `${top}/usr/share/apache2/icons/a.gif` },
    { uri: '/cgi-bin/none.cgi', filename: `${top}/usr/lib/cgi-bin/none.cgi` },
  ],
  configuration(places, sites) {
    const { top, port } = places;
    const at = `${top}/etc/apache2`;
    const { user, group } = places.account ?? { user: 'www-data', group: 'www-data' };
    const files: Files = new Map([
      [debian.main(places), apache2Conf(at, places, user, group)],
      [`${at}/httpd.conf`, ''],
      [
        `${at}/ports.conf`,
        text(
          `NameVirtualHost *:${port}`,
          `Listen 127.0.0.1:${port}`,
          '',
          '<IfModule mod_ssl.c>',
          '    Listen 443',
          '</IfModule>',
        ),
      ],
      [`${at}/conf.d/security`, text('ServerTokens OS', 'ServerSignature On', 'TraceEnable On')],
      [`${at}/conf.d/charset`, text('# AddDefaultCharset UTF-8')],
      [`${at}/sites-enabled/000-default`, defaultSite(places)],
      [`${top}/var/www/index.html`, 'It works.\n'],
      [`${top}/etc/mime.types`, 'text/html html\n'],
    ]);
    for (const [directory, names] of [
      ['mods-enabled', ENABLED],
      ['mods-available', [...ENABLED, ...AVAILABLE]],
    ] as const)
      for (const name of names) {
        files.set(
          `${at}/${directory}/${name}.load`,
          text(
            `LoadModule ${name}_module ${places.modules ?? `${top}/usr/lib/apache2/modules`}/mod_${name}.so`,
          ),
        );
        const settings = SETTINGS.get(name);
        if (settings !== undefined)
          files.set(
            `${at}/${directory}/${name}.conf`,
            text(`<IfModule mod_${name}.c>`, ...settings(top), '</IfModule>'),
          );
      }
    for (const site of sites) files.set(`${at}/sites-enabled/${site.name}`, siteFile(places, site));
    return files;
  },
};

function apache2Conf(at: string, places: Places, user: string, group: string): string {
  const run = places.run ?? '/var/run';
  return text(
    '# The server of this machine: see /usr/share/doc/apache2/README.Debian',
    `ServerRoot "${at}"`,
    `PidFile ${run}/apache2.pid`,
    'Timeout 300',
    'KeepAlive On',
    'MaxKeepAliveRequests 100',
    'KeepAliveTimeout 5',
    `User ${user}`,
    `Group ${group}`,
    'AccessFileName .htaccess',
    '<Files ~ "^\\.ht">',
    '    Order allow,deny',
    '    Deny from all',
    '    Satisfy all',
    '</Files>',
    'DefaultType text/plain',
    'HostnameLookups Off',
    `ErrorLog ${places.run ?? '/var/log/apache2'}/error.log`,
    'LogLevel warn',
    'Include mods-enabled/*.load',
    'Include mods-enabled/*.conf',
    'Include httpd.conf',
    'Include ports.conf',
    'LogFormat "%h %l %u %t \\"%r\\" %>s %O" common',
    'Include conf.d/',
    'Include sites-enabled/',
  );
}

function defaultSite({ top, port }: Places): string {
  return text(
    `<VirtualHost *:${port}>`,
    ...indented([
      'ServerAdmin webmaster@localhost',
      `DocumentRoot ${top}/var/www`,
      '<Directory />',
      '    Options FollowSymLinks',
      '    AllowOverride None',
      '</Directory>',
      `<Directory ${top}/var/www/>`,
      '    Options Indexes FollowSymLinks MultiViews',
      '    AllowOverride None',
      '    Order allow,deny',
      '    allow from all',
      '</Directory>',
      `ScriptAlias /cgi-bin/ ${top}/usr/lib/cgi-bin/`,
      `<Directory "${top}/usr/lib/cgi-bin">`,
      '    AllowOverride None',
      '    Options +ExecCGI -MultiViews +SymLinksIfOwnerMatch',
      '    Order allow,deny',
      '    Allow from all',
      '</Directory>',
    ]),
    '</VirtualHost>',
  );
}

function siteFile(places: Places, site: Site): string {
  const { top, port } = places;
  const root = debian.documentRoot(places, site);
  return text(
    `<VirtualHost *:${port}>`,
    ...indented([
      `ServerAdmin ${site.user}@${site.name}`,
      `ServerName ${site.name}`,
      `ServerAlias www.${site.name}`,
      `DocumentRoot ${root}`,
      '<Directory />',
      '    Options FollowSymLinks',
      '    AllowOverride None',
      '</Directory>',
      `<Directory ${root}/>`,
      '    Options Indexes FollowSymLinks MultiViews',
      '    AllowOverride All',
      '    Order allow,deny',
      '    allow from all',
      '</Directory>',
      `ScriptAlias /cgi-bin/ ${top}/usr/lib/cgi-bin/`,
      `<Directory "${top}/usr/lib/cgi-bin">`,
      '    AllowOverride None',
      '    Options +ExecCGI -MultiViews +SymLinksIfOwnerMatch',
      '    Order allow,deny',
      '    Allow from all',
      '</Directory>',
      ...extraLines(site, root, debian.passwords(places, site.user), false),
    ]),
    '</VirtualHost>',
  );
}
