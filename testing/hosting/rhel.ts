import { type Files, type Layout, type Places, extraLines, indented, text } from './layout';
import type { Site } from './plan';

const MODULES =
  'auth_basic authn_file authn_default authz_host authz_user authz_groupfile authz_default include log_config logio env expires deflate headers setenvif mime status autoindex info negotiation dir actions alias rewrite userdir cgi version'.split(
    ' ',
  );

/** Red Hat's: conf/httpd.conf, and a file for each site in conf.d; some sites have their root below that of the main server. */
export const rhel: Layout = {
  name: 'RHEL',
  main: ({ top }) => `${top}/etc/httpd/conf/httpd.conf`,
  address: ({ port }) => `*:${port}`,
  served: ({ top }) => [`${top}/var/www`],
  documentRoot: ({ top }, { name, user }) =>
    user.endsWith('3') ? `${top}/var/www/html/${name}` : `${top}/var/www/vhosts/${name}/httpdocs`,
  passwords: ({ top }, user) => `${top}/etc/httpd/passwd/${user}`,
  stock: ({ top }) => [
    { uri: '/server-status', filename: `${top}/none` },
    { uri: '/icons/a.gif', filename: `${top}/var/www/icons/a.gif` },
    { uri: '/cgi-bin/none.cgi', filename: `${top}/var/www/cgi-bin/none.cgi` },
    { uri: '/error/noindex.html', filename: `${top}/var/www/error/noindex.html` },
    { uri: '/manual/index.html', filename: `${top}/var/www/manual/index.html` },
  ],
  configuration(places, sites) {
    const { top } = places;
    const at = `${top}/etc/httpd`;
    const files: Files = new Map([
      [rhel.main(places), httpdConf(places)],
      [
        `${at}/conf.d/welcome.conf`,
        text(
          '<LocationMatch "^/+$">',
          '    Options -Indexes',
          '    ErrorDocument 403 /error/noindex.html',
          '</LocationMatch>',
        ),
      ],
      [
        `${at}/conf.d/manual.conf`,
        text(
          `Alias /manual ${top}/var/www/manual`,
          `<Directory "${top}/var/www/manual">`,
          '    Options Indexes',
          '    AllowOverride None',
          '    Order allow,deny',
          '    Allow from all',
          '</Directory>',
        ),
      ],
      [
        `${at}/conf.d/status.conf`,
        text(
          'ExtendedStatus On',
          '<Location /server-status>',
          '    SetHandler server-status',
          '    Order deny,allow',
          '    Deny from all',
          '    Allow from 127.0.0.1',
          '</Location>',
        ),
      ],
      [`${top}/etc/mime.types`, 'text/html html\n'],
      [`${top}/var/www/html/index.html`, 'It works.\n'],
    ]);
    for (const site of sites) files.set(`${at}/conf.d/vhost-${site.name}.conf`, siteFile(places, site));
    return files;
  },
};

function httpdConf(places: Places): string {
  const { top, port } = places;
  const { user, group } = places.account ?? { user: 'apache', group: 'apache' };
  return text(
    'ServerTokens OS',
    `ServerRoot "${top}/etc/httpd"`,
    `PidFile ${places.run ?? 'run'}/httpd.pid`,
    'Timeout 60',
    'KeepAlive Off',
    `Listen 127.0.0.1:${port}`,
    ...MODULES.map((name) => `LoadModule ${name}_module ${places.modules ?? 'modules'}/mod_${name}.so`),
    `NameVirtualHost *:${port}`,
    'Include conf.d/*.conf',
    `User ${user}`,
    `Group ${group}`,
    'ServerAdmin root@localhost',
    'UseCanonicalName Off',
    `DocumentRoot "${top}/var/www/html"`,
    '<Directory />',
    '    Options FollowSymLinks',
    '    AllowOverride None',
    '</Directory>',
    `<Directory "${top}/var/www/html">`,
    '    Options Indexes FollowSymLinks',
    '    AllowOverride None',
    '    Order allow,deny',
    '    Allow from all',
    '</Directory>',
    '<IfModule mod_userdir.c>',
    '    UserDir disabled',
    '    #UserDir public_html',
    '</IfModule>',
    'DirectoryIndex index.html index.html.var',
    'AccessFileName .htaccess',
    '<Files ~ "^\\.ht">',
    '    Order allow,deny',
    '    Deny from all',
    '    Satisfy All',
    '</Files>',
    `TypesConfig ${top}/etc/mime.types`,
    'DefaultType text/plain',
    'HostnameLookups Off',
    `ErrorLog ${places.run ?? 'logs'}/error_log`,
    'LogLevel warn',
    'LogFormat "%h %l %u %t \\"%r\\" %>s %b" common',
    'ServerSignature On',
    `Alias /icons/ "${top}/var/www/icons/"`,
    `<Directory "${top}/var/www/icons">`,
    '    Options Indexes MultiViews FollowSymLinks',
    '    AllowOverride None',
    '    Order allow,deny',
    '    Allow from all',
    '</Directory>',
    `ScriptAlias /cgi-bin/ "${top}/var/www/cgi-bin/"`,
    `<Directory "${top}/var/www/cgi-bin">`,
    '    AllowOverride None',
    '    Options None',
    '    Order allow,deny',
    '    Allow from all',
    '</Directory>',
    'IndexOptions FancyIndexing VersionSort NameWidth=* HTMLTable Charset=UTF-8',
    'IndexIgnore .??* *~ *# HEADER* README* RCS CVS *,v *,t',
    'AddDefaultCharset UTF-8',
    `Alias /error/ "${top}/var/www/error/"`,
    '<IfModule mod_negotiation.c>',
    '<IfModule mod_include.c>',
    `    <Directory "${top}/var/www/error">`,
    '        AllowOverride None',
    '        Options IncludesNoExec',
    '        AddOutputFilter Includes html',
    '        AddHandler type-map var',
    '        Order allow,deny',
    '        Allow from all',
    '    </Directory>',
    '</IfModule>',
    '</IfModule>',
  );
}

function siteFile(places: Places, site: Site): string {
  const root = rhel.documentRoot(places, site);
  return text(
    `<VirtualHost *:${places.port}>`,
    ...indented([
      `ServerName ${site.name}`,
      `ServerAlias www.${site.name}`,
      `DocumentRoot ${root}`,
      `<Directory "${root}">`,
      '    Options FollowSymLinks',
      '    AllowOverride All',
      '    Order allow,deny',
      '    Allow from all',
      '</Directory>',
      ...extraLines(site, root, rhel.passwords(places, site.user), false),
    ]),
    '</VirtualHost>',
  );
}
