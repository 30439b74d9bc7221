import { type Layout, type Places, extraLines, indented, text } from './layout';
import type { Site } from './plan';

const MODULES =
  'authn_file authn_default authz_host authz_groupfile authz_user authz_default auth_basic include log_config logio env expires headers setenvif mime status autoindex asis cgi negotiation dir actions userdir alias rewrite deflate'.split(
    ' ',
  );

/** A control panel's: one httpd.conf that is written anew for every change, with homes below /home. */
export const cpanel: Layout = {
  name: 'cPanel',
  main: ({ top }) => `${top}/usr/local/apache/conf/httpd.conf`,
  address: ({ port }) => `127.0.0.1:${port}`,
  served: ({ top }) => [`${top}/home`, `${top}/usr/local/apache/htdocs`],
  documentRoot: ({ top }, { user }) => `${top}/home/${user}/public_html`,
  passwords: ({ top }, user) => `${top}/home/${user}/.htpasswds/passwd`,
  stock: ({ top }) => [
    { uri: '/server-status', filename: `${top}/none` },
    { uri: '/cgi-sys/none.cgi', filename: `${top}/usr/local/cpanel/cgi-sys/none.cgi` },
  ],
  configuration(places, sites) {
    const { top, port } = places;
    const { user, group } = places.account ?? { user: 'nobody', group: 'nobody' };
    const run = places.run ?? `${top}/usr/local/apache/logs`;
    return new Map([
      [
        cpanel.main(places),
        text(
          '# Written by the control panel. Changes are lost.',
          `ServerRoot "${top}/usr/local/apache"`,
          `PidFile ${run}/httpd.pid`,
          `Listen 127.0.0.1:${port}`,
          `User ${user}`,
          `Group ${group}`,
          'ServerAdmin root@host.example',
          'ServerName host.example',
          'ServerTokens ProductOnly',
          'TraceEnable Off',
          'Timeout 300',
          'KeepAlive On',
          'UseCanonicalName Off',
          'ExtendedStatus On',
          'TypesConfig conf/mime.types',
          ...MODULES.map((name) => `LoadModule ${name}_module ${places.modules ?? 'modules'}/mod_${name}.so`),
          '',
          '<Directory "/">',
          '    Options All',
          '    AllowOverride All',
          '</Directory>',
          '',
          `DocumentRoot "${top}/usr/local/apache/htdocs"`,
          `<Directory "${top}/usr/local/apache/htdocs">`,
          '    Options Includes Indexes FollowSymLinks',
          '    AllowOverride None',
          '    Order allow,deny',
          '    Allow from all',
          '</Directory>',
          '',
          'DirectoryIndex index.html index.htm index.php',
          '<Files ~ "^error_log$">',
          '    Order allow,deny',
          '    Deny from all',
          '    Satisfy All',
          '</Files>',
          '<FilesMatch "^\\.ht">',
          '    Order allow,deny',
          '    Deny from all',
          '    Satisfy All',
          '</FilesMatch>',
          '<IfModule mod_userdir.c>',
          '    UserDir public_html',
          '</IfModule>',
          '',
          '<Location /server-status>',
          '    SetHandler server-status',
          '    Order deny,allow',
          '    Deny from all',
          '    Allow from 127.0.0.1',
          '</Location>',
          '',
          `ScriptAlias /cgi-sys/ ${top}/usr/local/cpanel/cgi-sys/`,
          `<Directory "${top}/usr/local/cpanel/cgi-sys">`,
          '    Options ExecCGI',
          '    AllowOverride None',
          '    Order allow,deny',
          '    Allow from all',
          '</Directory>',
          `LogFormat "%h %l %u %t \\"%r\\" %>s %b" common`,
          `ErrorLog ${run}/error_log`,
          '',
          `NameVirtualHost 127.0.0.1:${port}`,
          '',
          ...sites.flatMap((site) => virtualHost(places, site)),
        ),
      ],
      [`${top}/usr/local/apache/htdocs/index.html`, 'No site here.\n'],
      [`${top}/usr/local/apache/conf/mime.types`, 'text/html html\n'],
    ]);
  },
};

function virtualHost(places: Places, site: Site): readonly string[] {
  const root = cpanel.documentRoot(places, site);
  return [
    `<VirtualHost 127.0.0.1:${places.port}>`,
    ...indented([
      `ServerName ${site.name}`,
      `ServerAlias www.${site.name}`,
      `DocumentRoot ${root}`,
      `ServerAdmin webmaster@${site.name}`,
      'UseCanonicalName Off',
      `## User ${site.user}`,
      '<IfModule mod_userdir.c>',
      '    UserDir disabled',
      `    UserDir enabled ${site.user}`,
      '</IfModule>',
      '<IfModule mod_suphp.c>',
      `    suPHP_UserGroup ${site.user} ${site.user}`,
      '</IfModule>',
      `ScriptAlias /cgi-bin/ ${root}/cgi-bin/`,
      ...extraLines(site, root, cpanel.passwords(places, site.user), true),
    ]),
    '</VirtualHost>',
    '',
  ];
}
